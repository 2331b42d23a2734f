import type { Entry, Said, ToolCall } from '$lib/client/generated/protocol';

export type ToolResult = Extract<Said, { kind: 'result' }>;
type Shown = Exclude<Said, { kind: 'result' } | { kind: 'tool' }>;

interface Place {
  /** The entry's place, which is the row's own as well. */
  seq: number;
  at: string | null;
}

/** What is shown as one: an entry, or a tool's call with what it gave. */
export type Row =
  | (Place & { is: 'said'; said: Shown })
  | (Place & {
      is: 'tool';
      /** Nothing where the call lies before what has been read. */
      call: ToolCall | null;
      result: ToolResult | null;
      /** When the result came, and where it stands. */
      until: string | null;
      end: number | null;
    })
  /** What a subagent said, where its agent writes that down among the rest. */
  | (Place & { is: 'aside'; subagent: string; rows: Row[] });

/** Puts together what belongs together. `whose` is the subagent whose own transcript this is. */
export function rows(entries: readonly Entry[], whose: string | null = null): Row[] {
  const found: Row[] = [];
  const calls = new Map<string, Extract<Row, { is: 'tool' }>>();
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index] as Entry;
    const { seq, at, said, subagent } = entry;
    if (subagent !== null && subagent !== whose) {
      let end = index + 1;
      while (entries[end]?.subagent === subagent) end += 1;
      found.push({ is: 'aside', seq, at, subagent, rows: rows(entries.slice(index, end), subagent) });
      index = end - 1;
      continue;
    }
    if (said.kind === 'tool') {
      const row = { is: 'tool' as const, seq, at, call: said, result: null, until: null, end: null };
      calls.set(said.call, row);
      found.push(row);
    } else if (said.kind === 'result') {
      const row = calls.get(said.call);
      if (row && !row.result) Object.assign(row, { result: said, until: at, end: seq });
      else found.push({ is: 'tool', seq, at, call: null, result: said, until: at, end: seq });
    } else if (said.kind !== 'todos' || said.items.length > 0) {
      found.push({ is: 'said', seq, at, said });
    }
  }
  return found;
}

/** The name under which a row is folded; nothing where it never is. */
export function folds(row: Row): string | null {
  if (row.is !== 'said') return `${row.is} ${row.seq}`;
  return row.said.kind === 'thought' || row.said.kind === 'note' ? `${row.said.kind} ${row.seq}` : null;
}

/** The row that has an entry, or the last one before it. */
export function rowOf(list: readonly Row[], seq: number): number {
  const exact = list.findIndex((row) => has(row, seq));
  return exact >= 0 ? exact : list.findLastIndex((row) => row.seq <= seq);
}

function has(row: Row, seq: number): boolean {
  if (row.seq === seq) return true;
  if (row.is === 'tool') return row.end === seq;
  return row.is === 'aside' && row.rows.some((inside) => has(inside, seq));
}

/** The last row that was there at a moment, in milliseconds since the epoch; the first where all are later. */
export function rowAt(list: readonly Row[], time: number): number {
  const at = list.findLastIndex((row) => row.at !== null && Date.parse(row.at) <= time);
  return at >= 0 ? at : list.findIndex((row) => row.at !== null);
}

/** Milliseconds between a tool's call and its result. */
export function took(row: Extract<Row, { is: 'tool' }>): number | null {
  if (row.at === null || row.until === null || !row.call) return null;
  return Math.max(0, Date.parse(row.until) - Date.parse(row.at));
}
