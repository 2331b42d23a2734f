/** One argument of a tool. */
export interface Argument {
  /** Nothing where the agent wrote down a text and no names. */
  name: string | null;
  value: string;
}

/** A tool's arguments by name, texts as they are and the rest as JSON. */
export function given(text: string): Argument[] {
  if (!text.trim()) return [];
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return [{ name: null, value: text }];
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    return [{ name: null, value: shown(read) }];
  return Object.entries(read).map(([name, value]) => ({ name, value: shown(value) }));
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
