import { describe, expect, it } from 'vitest';
import type { FileDiff } from '../../client/generated/protocol';
import { Comments, composed } from './comments.svelte';

const shows = (start: number, ...texts: string[]) =>
  ({
    file: { path: 'src/store.rs' },
    hunks: [
      {
        old_start: start,
        new_start: start,
        heading: '',
        lines: texts.map((text) => ({ kind: 'context', text, words: [], no_newline: false })),
      },
    ],
  }) as unknown as FileDiff;

describe('comments', () => {
  it('become one message, file by file, each with the lines it is about', () => {
    const comments = new Comments();
    comments.add('b.rs', { side: 'new', from: 9, to: 9 }, ['nine'], 'Why?');
    comments.add('a.rs', { side: 'old', from: 4, to: 5 }, ['four', 'five'], ' Keep these. ');
    comments.add('b.rs', { side: 'new', from: 2, to: 2 }, ['two'], 'Rename it.');
    comments.add('b.rs', { side: 'new', from: 1, to: 1 }, ['one'], '   ');
    expect(composed(comments.list)).toBe(
      [
        'Comments on your changes:',
        'b.rs:2\n> two\nRename it.',
        'b.rs:9\n> nine\nWhy?',
        'a.rs:4-5 (as it was before)\n> four\n> five\nKeep these.',
      ].join('\n\n'),
    );
  });

  it('quote the first lines of long ones', () => {
    const comments = new Comments();
    const quote = Array.from({ length: 30 }, (_, at) => `line ${at}`);
    comments.add('a.rs', { side: 'new', from: 1, to: 30 }, quote, 'Too long.');
    const text = composed(comments.list);
    expect(text).toContain('A comment on your changes:');
    expect(text).toContain('> line 11\n> … 18 more lines\nToo long.');
  });

  it('go with their lines', () => {
    const comments = new Comments();
    comments.add('src/store.rs', { side: 'new', from: 11, to: 12 }, ['b', 'c'], 'x');
    comments.follow(shows(10, 'new', 'new', 'a', 'b', 'c'));
    expect(comments.list[0]).toMatchObject({ from: 13, to: 14 });
    comments.follow(shows(10, 'other'));
    expect(comments.list[0]).toMatchObject({ from: 13, to: 14 });
    comments.follow(shows(3, 'b', 'c', 'x', 'b', 'c'));
    expect(comments.list[0]).toMatchObject({ from: 6, to: 7 });
  });

  it('are edited, and gone with their text', () => {
    const comments = new Comments();
    comments.add('a', { side: 'new', from: 1, to: 1 }, [], 'one');
    const id = comments.list[0]?.id ?? 0;
    comments.edit(id, 'two');
    expect(comments.list[0]?.text).toBe('two');
    comments.edit(id, ' ');
    expect(comments.list).toEqual([]);
  });
});
