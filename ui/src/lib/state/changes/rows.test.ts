import { describe, expect, it } from 'vitest';
import type { DiffLine, FileDiff, Hunk } from '../../client/generated/protocol';
import type { Comment } from './comments.svelte';
import { changeStarts, columns, diffRows, lineOf, placeOf, rowWith, withComments } from './rows';

const line = (of: string): DiffLine => ({
  kind: of[0] === '+' ? 'added' : of[0] === '-' ? 'removed' : 'context',
  text: of.slice(1),
  words: [],
  no_newline: false,
});
const hunk = (old_start: number, new_start: number, ...lines: string[]): Hunk => ({
  old_start,
  new_start,
  heading: '',
  lines: lines.map(line),
});
const diff = (...hunks: Hunk[]): FileDiff => ({
  file: {
    path: 'a.rs',
    old_path: null,
    kind: 'modified',
    added: 1,
    removed: 1,
    staged: 'none',
  },
  binary: false,
  old_bytes: 1,
  new_bytes: 1,
  hunks,
  left_out: 0,
  note: null,
});
const comment = (part: Partial<Comment>): Comment => ({
  id: 1,
  path: 'a.rs',
  side: 'new',
  from: 1,
  to: 1,
  quote: [],
  text: 'x',
  ...part,
});
const two = diff(hunk(10, 10, ' a', '-b', '-c', '+B', ' d'), hunk(30, 29, ' e', '+f'));

describe('the rows of a diff', () => {
  it('have their numbers on both sides, and what was skipped between', () => {
    const rows = diffRows(two, false, false);
    expect(rows.map((row) => (row.is === 'hunk' ? `~${row.skipped}` : (lineOf(row)?.text ?? '')))).toEqual([
      '~9',
      'a',
      'b',
      'c',
      'B',
      'd',
      '~16',
      'e',
      'f',
    ]);
    expect(rows.map((row) => [lineOf(row)?.old, lineOf(row)?.now])).toEqual([
      [undefined, undefined],
      [10, 10],
      [11, null],
      [12, null],
      [null, 11],
      [13, 12],
      [undefined, undefined],
      [30, 29],
      [null, 30],
    ]);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
  });

  it('stand side by side where one thing became another', () => {
    const rows = diffRows(two, true, false);
    const sides = rows.map((row) => (row.is === 'pair' ? [row.left?.text ?? '', row.right?.text ?? ''] : []));
    expect(sides).toEqual([[], ['a', 'a'], ['b', 'B'], ['c', ''], ['d', 'd'], [], ['e', 'e'], ['', 'f']]);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
  });

  it('lead from change to change', () => {
    expect(changeStarts(diffRows(two, false, false))).toEqual([2, 8]);
    expect(changeStarts(diffRows(two, true, false))).toEqual([2, 7]);
  });

  it('have comments under their lines, and first those whose line is gone', () => {
    const rows = diffRows(two, false, false);
    const shown = withComments(
      rows,
      [comment({ id: 1, to: 11 }), comment({ id: 2, to: 999 }), comment({ id: 3, side: 'old', to: 11 })],
      { side: 'new', from: 12, to: 12 },
    );
    expect(shown.map((row) => (row.is === 'comment' ? row.comment.id : row.is))).toEqual([
      2,
      'hunk',
      'line',
      'line',
      3,
      'line',
      'line',
      1,
      'line',
      'draft',
      'hunk',
      'line',
      'line',
    ]);
    expect(rowWith(rows, 'old', 12)).toBe(3);
  });

  it('mean the newer lines of a range, and the older where there are none or they were pointed at', () => {
    const rows = diffRows(two, false, false);
    expect(placeOf(rows, 4, 1)).toEqual({ side: 'new', from: 10, to: 11, quote: ['a', 'B'] });
    expect(placeOf(rows, 2, 3)).toEqual({ side: 'old', from: 11, to: 12, quote: ['b', 'c'] });
    const pairs = diffRows(two, true, false);
    expect(placeOf(pairs, 2, 2, 'old')).toEqual({ side: 'old', from: 11, to: 11, quote: ['b'] });
    expect(placeOf(pairs, 2, 2)).toMatchObject({ side: 'new', from: 11 });
    expect(placeOf(rows, 0, 0)).toBeNull();
  });

  it('are as wide as their letters', () => {
    expect(columns('abc')).toBe(3);
    expect(columns('\ta')).toBe(5);
    expect(columns('ab\tc')).toBe(5);
    expect(columns('漢字')).toBe(4);
  });
});
