import { expect, it } from 'vitest';
import { session } from '$lib/state/samples';
import { offer } from './offer';

const at = (minute: number) => `2026-01-02T12:${String(minute).padStart(2, '0')}:00Z`;
const all = [
  session('old', { last_activity_at: at(1) }),
  session('new', { last_activity_at: at(9) }),
  session('seen', { last_activity_at: at(2) }),
  session('ended', { status: 'dead', last_activity_at: at(10) }),
  session('stuck', { status: 'blocked', since: at(3), last_activity_at: at(3) }),
  session('asks', { status: 'waiting', since: at(5), last_activity_at: at(5) }),
];
const ids = (recent: string[]) => offer(all, recent).map(({ id }) => id);

it('begins with what needs somebody, then what was looked at, then what is new', () => {
  expect(ids(['seen'])).toEqual(['asks', 'stuck', 'seen', 'new', 'old', 'ended']);
});

it('has what has ended at its end, also where that was looked at last', () => {
  expect(ids(['ended', 'old'])).toEqual(['asks', 'stuck', 'old', 'new', 'seen', 'ended']);
});
