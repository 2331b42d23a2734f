/** What a key means in a diff. */
export type DiffKey =
  | { do: 'move'; by: 'line' | 'page' | 'end'; way: 1 | -1; extend: boolean }
  | { do: 'hunk' | 'file'; way: 1 | -1 }
  | { do: 'comment' | 'stage' | 'split' | 'around' | 'leave' };

const PLAIN: Readonly<Record<string, DiffKey>> = {
  n: { do: 'hunk', way: 1 },
  p: { do: 'hunk', way: -1 },
  j: { do: 'file', way: 1 },
  k: { do: 'file', way: -1 },
  c: { do: 'comment' },
  s: { do: 'stage' },
  u: { do: 'split' },
  e: { do: 'around' },
  Enter: { do: 'comment' },
  Escape: { do: 'leave' },
};

const MOVES: Readonly<Record<string, readonly ['line' | 'page' | 'end', 1 | -1]>> = {
  ArrowDown: ['line', 1],
  ArrowUp: ['line', -1],
  PageDown: ['page', 1],
  PageUp: ['page', -1],
  End: ['end', 1],
  Home: ['end', -1],
};

export function diffKey(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
): DiffKey | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const move = MOVES[event.key];
  if (move) return { do: 'move', by: move[0], way: move[1], extend: event.shiftKey };
  if (event.shiftKey) return undefined;
  // On a keyboard without Latin letters the place of the key counts.
  const latin = /^[\x20-\x7e]$/.test(event.key) || event.key.length > 1;
  const letter = latin ? event.key : /^Key([A-Z])$/.exec(event.code)?.[1]?.toLowerCase();
  return letter === undefined ? undefined : PLAIN[letter];
}
