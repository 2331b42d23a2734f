import { expect, it } from 'vitest';
import type { Session } from '$lib/client/generated/protocol';
import { latest } from './latest';

const session = (id: string, day: number) => ({ id, last_activity_at: `2026-01-0${day}` }) as Session;
const all = [session('a', 1), session('b', 4), session('c', 2), session('d', 3)];
const ids = (recent: string[], front: string | null) => latest(all, recent, front, 3).map(({ id }) => id);

it('has what was looked at, then what is newest, each at its place', () => {
  expect(ids([], null)).toEqual(['b', 'c', 'd']);
  expect(ids(['c', 'a'], null)).toEqual(['a', 'b', 'c']);
  expect(ids(['a', 'c'], null)).toEqual(['a', 'b', 'c']);
  expect(ids(['b', 'c', 'd'], 'a')).toEqual(['a', 'b', 'c']);
});
