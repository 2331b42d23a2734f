import { expect, it } from 'vitest';
import type { Session } from '$lib/client/generated/protocol';
import { matches } from './match';

const all = ['Cart totals', 'Token refresh', 'Storefront', 'shell'].map(
  (name, at) =>
    ({
      id: String(at),
      name,
      cwd: '/src/to-do',
      agent: 'shell',
      branch: null,
      last_activity_at: `2026-01-0${at + 1}`,
    }) as Session,
);
const names = (typed: string) => matches(all, typed).map(({ session }) => session.name);

it('puts the start of a name first, then of a word, then anywhere', () => {
  expect(names('to')).toEqual(['Token refresh', 'Cart totals', 'Storefront', 'shell']);
});

it('shows the latest first where nothing is typed', () => {
  expect(names('')).toEqual(['shell', 'Storefront', 'Token refresh', 'Cart totals']);
});

it('marks what was typed', () => {
  expect(matches(all, 'TOK')[0]?.parts).toEqual([
    { text: 'Tok', hit: true },
    { text: 'en refresh', hit: false },
  ]);
  expect(names('nothing')).toEqual([]);
});
