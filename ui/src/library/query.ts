import type { List, Role, Search } from '$lib/client/generated/protocol';

/** How far back. */
export type Span = 'any' | 'today' | 'week' | 'month' | 'year';
export const SPANS: readonly Span[] = ['any', 'today', 'week', 'month', 'year'];
export const ROLES: readonly Role[] = [
  'title',
  'prompt',
  'answer',
  'thought',
  'tool',
  'result',
  'scrollback',
];

/** Which conversations are wanted, and what is looked for in them. */
export interface Query {
  text: string;
  /** Of these agents; of all where there are none. */
  agents: readonly string[];
  directory: string | null;
  span: Span;
  /** In these kinds of entries only; they narrow a search for text. */
  role: Role | null;
  /** Part of the path of a file that was changed; it narrows a search for text. */
  file: string;
  hidden: boolean;
}

export const EVERYTHING: Query = {
  text: '',
  agents: [],
  directory: null,
  span: 'any',
  role: null,
  file: '',
  hidden: false,
};

/** A letter of a script that has words of one letter. */
const WHOLE_WORD = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/**
 * Whether what was typed is looked for in all that was said. One letter is the beginning of too much, and the index answers it with
 * nothing: it only narrows the list.
 */
export function searches({ text }: Query): boolean {
  const letters = text.match(/[\p{L}\p{N}]/gu) ?? [];
  return letters.length > 1 || WHOLE_WORD.test(text);
}

/** Whether anything but the text narrows it. */
export function narrowed(query: Query): boolean {
  return (
    query.agents.length > 0 ||
    query.directory !== null ||
    query.span !== 'any' ||
    query.role !== null ||
    query.file.trim() !== '' ||
    query.hidden
  );
}

const DAYS: Partial<Record<Span, number>> = { today: 0, week: 7, month: 30, year: 365 };

/** When that began, at the beginning of a day. */
export function since(span: Span, now: number): string | null {
  const days = DAYS[span];
  if (days === undefined) return null;
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - days);
  return day.toISOString();
}

function shared(query: Query, now: number) {
  return {
    agents: [...query.agents],
    directory: query.directory,
    hidden: query.hidden,
    since: since(query.span, now),
    before: null,
  };
}

export function listOf(query: Query, now: number, skip: number, limit: number): List {
  return { ...shared(query, now), id: null, text: query.text.trim() || null, skip, limit };
}

export function searchOf(query: Query, now: number, skip: number, limit: number): Search {
  return {
    ...shared(query, now),
    text: query.text.trimStart(),
    roles: query.role ? [query.role] : [],
    // Without a file that was changed: a terminal changes none.
    scrollback: query.file.trim() === '',
    file: query.file.trim() || null,
    skip,
    limit,
  };
}
