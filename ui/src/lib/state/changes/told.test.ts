import { expect, it } from 'vitest';
import type { Between } from '../../client/generated/protocol';
import { betweenKey, betweenOf, countsLine, spokenCounts } from './told';

const counts = { files: 4, added: 96, removed: 12, conflicted: 0, ahead: 0, behind: 0 };

it('tells what is different in a line', () => {
  expect(countsLine(counts)).toBe('4 files +96 −12');
  expect(countsLine({ ...counts, files: 1, ahead: 2, behind: 1, conflicted: 1 })).toBe(
    '1 file +96 −12 · 2 ahead, 1 behind · 1 conflict',
  );
  expect(countsLine({ ...counts, files: 0, behind: 3 })).toBe('3 behind');
  expect(countsLine({ ...counts, files: 0 })).toBe('');
  expect(countsLine(null)).toBe('');
  expect(spokenCounts({ ...counts, added: 1 })).toBe('4 files, 1 line added, 12 removed');
});

it.each<Between>([
  { of: 'base' },
  { of: 'staged' },
  { of: 'commit', id: 'c0ffee' },
  { of: 'points', from: 'a', to: null },
  { of: 'points', from: 'a', to: 'b' },
])('names two states by a text and finds them by it: %j', (between) => {
  expect(betweenOf(betweenKey(between))).toEqual(between);
});
