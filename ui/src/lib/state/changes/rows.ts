import type { FileDiff, LineKind } from '../../client/generated/protocol';
import type { Comment, Place, Side } from './comments.svelte';

/** A line of a diff with its numbers. */
export interface Line {
  hunk: number;
  /** Its place in the hunk. */
  at: number;
  kind: LineKind;
  old: number | null;
  now: number | null;
  text: string;
  words: readonly (readonly [number, number])[];
  noNewline: boolean;
}

/** What is drawn one under the other. */
export type DiffRow =
  | { is: 'hunk'; key: string; hunk: number; heading: string; skipped: number }
  | { is: 'line'; key: string; line: Line }
  | { is: 'pair'; key: string; left: Line | null; right: Line | null }
  | { is: 'comment'; key: string; comment: Comment; stray: boolean }
  | { is: 'draft'; key: string }
  | { is: 'more'; key: string; count: number };

/** A line in a row: of the two of a pair the one on that side, else the newer. */
export function lineOf(row: DiffRow | undefined, side?: Side): Line | null {
  if (row?.is === 'line') return row.line;
  if (row?.is !== 'pair') return null;
  return (side === 'old' ? row.left : side === 'new' ? row.right : null) ?? row.right ?? row.left;
}

/** All lines of a diff, by hunk. */
export function numbered(diff: FileDiff): Line[][] {
  return diff.hunks.map(({ old_start, new_start, lines }, hunk) => {
    let [old, now] = [old_start, new_start];
    return lines.map(({ kind, text, words, no_newline }, at): Line => ({
      hunk,
      at,
      kind,
      old: kind === 'added' ? null : old++,
      now: kind === 'removed' ? null : now++,
      text,
      words: words ?? [],
      noNewline: no_newline ?? false,
    }));
  });
}

const keyOf = (line: Line) => `${line.kind[0]}${line.old ?? ''}:${line.now ?? ''}`;

/** The rows of a diff without comments. With `heads` each hunk has a row of its own, for what can be done to it. */
export function diffRows(diff: FileDiff, split: boolean, heads: boolean): DiffRow[] {
  const rows: DiffRow[] = [];
  let next = 1;
  for (const [hunk, lines] of numbered(diff).entries()) {
    const { new_start: start, heading } = diff.hunks[hunk] ?? { new_start: 1, heading: '' };
    const skipped = Math.max(0, start - next);
    if (heads || skipped > 0 || (heading && hunk > 0))
      rows.push({ is: 'hunk', key: `h${start}`, hunk, heading, skipped });
    if (split) rows.push(...pairs(lines));
    else for (const line of lines) rows.push({ is: 'line', key: keyOf(line), line });
    next = start + lines.filter(({ now }) => now !== null).length;
  }
  if (diff.left_out > 0) rows.push({ is: 'more', key: 'more', count: diff.left_out });
  return rows;
}

/** What went and what came in its place stand beside each other. */
function pairs(lines: readonly Line[]): DiffRow[] {
  const rows: DiffRow[] = [];
  let went: Line[] = [];
  let came: Line[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(went.length, came.length); at += 1) {
      const [left, right] = [went[at] ?? null, came[at] ?? null];
      rows.push({ is: 'pair', key: `${left ? keyOf(left) : ''}|${right ? keyOf(right) : ''}`, left, right });
    }
    [went, came] = [[], []];
  };
  for (const line of lines) {
    if (line.kind === 'removed') {
      if (came.length > 0) flush();
      went.push(line);
    } else if (line.kind === 'added') came.push(line);
    else {
      flush();
      rows.push({ is: 'pair', key: keyOf(line), left: line, right: line });
    }
  }
  flush();
  return rows;
}

/** Puts comments, and the one that is being written, under their lines; those that have none any more come first. */
export function withComments(
  rows: readonly DiffRow[],
  comments: readonly Comment[],
  draft: Place | null,
): readonly DiffRow[] {
  if (comments.length === 0 && !draft) return rows;
  const under = new Map<number, DiffRow[]>();
  const put = (at: number, row: DiffRow) => under.set(at, [...(under.get(at) ?? []), row]);
  for (const comment of comments) {
    const at = rowWith(rows, comment.side, comment.to);
    put(at, { is: 'comment', key: `comment ${comment.id}`, comment, stray: at < 0 });
  }
  if (draft) put(rowWith(rows, draft.side, draft.to), { is: 'draft', key: 'draft' });
  return [...(under.get(-1) ?? []), ...rows.flatMap((row, at) => [row, ...(under.get(at) ?? [])])];
}

/** The row that has a line of one side; -1 where none has. */
export function rowWith(rows: readonly DiffRow[], side: Side, number: number): number {
  return rows.findIndex((row) => {
    if (row.is === 'line') return side === 'old' ? row.line.old === number : row.line.now === number;
    if (row.is !== 'pair') return false;
    return side === 'old' ? row.left?.old === number : row.right?.now === number;
  });
}

/** Rows at which a change begins. */
export function changeStarts(rows: readonly DiffRow[]): number[] {
  const changed = (row: DiffRow | undefined) =>
    row?.is === 'line'
      ? row.line.kind !== 'context'
      : row?.is === 'pair' && (row.left?.kind !== 'context' || row.right?.kind !== 'context');
  const inChange = (row: DiffRow | undefined) => changed(row) || row?.is === 'comment' || row?.is === 'draft';
  return rows.flatMap((row, at) => (changed(row) && !inChange(rows[at - 1]) ? [at] : []));
}

/** The place that a person means by rows from one to another; none where there is no line among them. */
export function placeOf(
  rows: readonly DiffRow[],
  one: number,
  other: number,
  side?: Side,
): (Place & { quote: string[] }) | null {
  const chosen = rows
    .slice(Math.min(one, other), Math.max(one, other) + 1)
    .flatMap((row) => lineOf(row, side) ?? []);
  const now = chosen.filter((line) => line.now !== null);
  const old = side === 'old' || now.length === 0;
  const lines = old ? chosen.filter((line) => line.old !== null) : now;
  const numbers = lines.map((line) => (old ? line.old : line.now) ?? 0);
  if (numbers.length === 0) return null;
  return {
    side: old ? 'old' : 'new',
    from: Math.min(...numbers),
    to: Math.max(...numbers),
    quote: lines.map(({ text }) => text),
  };
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/gu;

/** Columns that a text takes in a fixed font with stops each four columns. */
export function columns(text: string): number {
  let count = text.length;
  if (text.includes('\t')) {
    count = 0;
    for (const char of text) count += char === '\t' ? 4 - (count % 4) : 1;
  }
  // eslint-disable-next-line no-control-regex
  return /^[\x00-\x7f]*$/.test(text) ? count : count + (text.match(WIDE)?.length ?? 0);
}
