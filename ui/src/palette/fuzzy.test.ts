import { describe, expect, it } from 'vitest';
import { fuzzy, parts, work } from './fuzzy';

const marked = (name: string, typed: string, more = '') => {
  const found = fuzzy(name, more, typed);
  return (
    found &&
    parts(name, found.hits)
      .map(({ text, hit }) => (hit ? `[${text}]` : text))
      .join('')
  );
};
const best = (names: string[], typed: string) =>
  names
    .flatMap((name) => {
      const found = fuzzy(name, '', typed);
      return found ? [{ name, score: found.score }] : [];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ name }) => name);

describe('what is found', () => {
  it('is marked where it is', () => {
    expect(marked('Token refresh', 'ref')).toBe('Token [ref]resh');
    expect(marked('Token refresh', 'tr')).toBe('[T]oken [r]efresh');
    expect(marked('Refactor cart', 'cart ref')).toBe('[Ref]actor [cart]');
    expect(marked('shopCartTotals', 'ct')).toBe('shop[C]art[T]otals');
  });

  it('may be in what else is known, and is not marked then', () => {
    expect(marked('Token refresh', 'storefront', 'storefront main')).toBe('Token refresh');
    expect(marked('Token refresh', 'token main', 'storefront main')).toBe('[Token] refresh');
  });

  it('is not letters from anywhere', () => {
    expect(marked('Storefront', 'sfn')).toBeUndefined();
    expect(marked('a quick brown fox', 'zz')).toBeUndefined();
  });

  it('is best at the start of all, then of a word, then inside', () => {
    expect(best(['Storefront', 'Cart totals', 'Token refresh'], 'to')).toEqual([
      'Token refresh',
      'Cart totals',
      'Storefront',
    ]);
  });

  it('of two alike is the shorter one', () => {
    expect(best(['Cart totals of the shop', 'Cart totals'], 'cart')[0]).toBe('Cart totals');
  });

  it('copes with letters that are longer in lower case', () => {
    expect(fuzzy('İstanbul', '', 'i')?.hits).toEqual([]);
    expect(fuzzy('İstanbul', '', 'stanbul')?.hits).toEqual([]);
  });
});

it('is little work, however long the names are', () => {
  const names = Array.from({ length: 300 }, (_, at) => `session ${at} of the ${'long '.repeat(20)}name`);
  work.steps = 0;
  for (const name of names) fuzzy(name, 'storefront /home/dev/src/storefront claude main', 'seslong nam');
  // At most a few times the letters that there are: 300 names of 125.
  expect(work.steps).toBeLessThan(300 * 125 * 6);
});
