import { describe, expect, it } from 'vitest';
import { lines, old } from './words';

describe('an explanation', () => {
  it('says who saw what, and what became of it', () => {
    const [first, second] = lines([
      { source: 'screen', says: 'asking', what: 'a dialog', age_ms: 100, weight: 'decided', why: null },
      { source: 'hook', says: null, what: 'Stop', age_ms: 5, weight: 'overruled', why: 'older' },
    ]);
    expect(first).toMatchObject({ name: 'Its screen', says: 'asking', verdict: 'decides' });
    expect(second).toMatchObject({ name: 'Its hooks', says: null, verdict: 'overruled: older' });
  });

  it.each([
    [0, 'just now'],
    [120, '0.1 s ago'],
    [9_960, '10.0 s ago'],
    [40_000, '40 s ago'],
    [180_000, '3 min ago'],
    [10_000_000, '3 h ago'],
  ])('says how old %i ms are', (ms, words) => {
    expect(old(ms)).toBe(words);
  });
});
