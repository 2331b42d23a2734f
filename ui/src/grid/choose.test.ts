import { expect, it } from 'vitest';
import type { Session } from '$lib/client/generated/protocol';
import { arrow, columns, gridOrder } from './choose';

const session = (id: string, part: Partial<Session> = {}) =>
  ({
    id,
    status: 'idle',
    ask: null,
    since: '2026-01-01',
    last_activity_at: '2026-01-01',
    ...part,
  }) as Session;

it('begins with what needs the person, then what is open; what has ended is last', () => {
  const list = [
    session('dead', { status: 'dead' }),
    session('old'),
    session('new', { last_activity_at: '2026-02-01' }),
    session('asks', { status: 'waiting' }),
    session('open'),
    session('seen'),
  ];
  expect(gridOrder(list, ['open', 'dead'], ['seen', 'open'])).toEqual([
    'asks',
    'open',
    'seen',
    'new',
    'old',
    'dead',
  ]);
});

it('is as square as the room allows', () => {
  expect([1, 2, 4, 6, 9, 16].map((count) => columns(count, 1400, 800))).toEqual([1, 2, 2, 3, 3, 4]);
  expect(columns(16, 480, 700)).toBe(2);
  expect(columns(5, 150, 700)).toBe(1);
});

it('is walked by arrows', () => {
  expect(arrow('ArrowRight', 0, 3, 8)).toBe(1);
  expect(arrow('ArrowLeft', 0, 3, 8)).toBe(0);
  expect(arrow('ArrowDown', 4, 3, 8)).toBe(7);
  expect(arrow('ArrowDown', 5, 3, 8)).toBe(7);
  expect(arrow('ArrowDown', 6, 3, 8)).toBe(6);
  expect(arrow('End', 0, 3, 8)).toBe(7);
  expect(arrow('x', 0, 3, 8)).toBeUndefined();
});
