import { describe, expect, it } from 'vitest';
import { lineDiff } from './line-diff';

const shown = (before: string, now: string) =>
  lineDiff(before, now).map(({ kind, text }) => `${{ same: ' ', added: '+', removed: '-' }[kind]}${text}`);

describe('lines of two texts', () => {
  it('keep what both have', () => {
    expect(shown('a\nb\nc\n', 'a\nx\nc\nd')).toEqual([' a', '-b', '+x', ' c', '+d']);
  });

  it('come, go, and stay', () => {
    expect(shown('', 'a\nb')).toEqual(['+a', '+b']);
    expect(shown('a\nb', '')).toEqual(['-a', '-b']);
    expect(shown('a\n', 'a')).toEqual([' a']);
    expect(shown('', '')).toEqual([]);
  });

  it('are not compared where there are very many', () => {
    const many = Array.from({ length: 1_200 }, (_, at) => `l${at}`).join('\n');
    expect(shown(many, 'l1')).toHaveLength(1_201);
  });
});
