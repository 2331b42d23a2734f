import { describe, expect, it } from 'vitest';
import type { Session } from '../client/generated/protocol';
import { byAttention, heldOrder } from './attention';
import type { Shown } from './describe';
import { filter } from './filter';
import { range } from './selection.svelte';
import { snoozed, snoozes } from './snooze';
import { ask, session } from './samples';

const names = {
  agent: (one: Session) => (one.agent === 'claude' ? 'Claude Code' : one.agent),
  project: () => 'Storefront',
  group: () => 'Checkout',
};
const fits = (text: string, part: Partial<Session>, statuses: Shown[] = []) =>
  filter(text, new Set(statuses), names)?.(session('s', { agent: 'claude', ...part }));

describe('the filter', () => {
  it.each([
    ['token', true],
    ['TOKEN refresh', true],
    ['refresh token', true],
    ['token codex', false],
    ['claude', true],
    ['claude code', true],
    ['auth/', true],
    ['src/shop', true],
    ['storefront', true],
    ['checkout', true],
    ['idle', true],
    ['waiting', false],
    ['resume', true],
    ['pinned', true],
    ['muted', false],
    ['npm test', true],
    ['running npm', true],
    ['opus', true],
    ['window title', true],
  ])('looks for %s', (text, found) => {
    const part = {
      name: 'Token refresh résumé',
      branch: 'auth/refresh',
      pinned: true,
      activity: 'Running npm test',
      model: 'opus',
      title: 'The window’s title',
    };
    expect(fits(text, part)).toBe(found);
  });

  it('looks into what a session asks and what holds it up', () => {
    const asks = {
      status: 'waiting',
      ask: ask({
        text: 'Do you want to run this?',
        detail: { command: 'cargo test -p auth', path: null, url: null, tool: null, body: null },
      }),
    } as const;
    expect(fits('cargo test', asks)).toBe(true);
    expect(fits('do you want', asks)).toBe(true);
    expect(fits('run a command', asks)).toBe(true);
    expect(fits('usage limit', { status: 'blocked', reason: 'usage limit, resets 15:30' })).toBe(true);
    expect(fits('usage limit', asks)).toBe(false);
  });

  it('takes statuses as they are shown', () => {
    expect(fits('', { status: 'idle', unseen: true }, ['done'])).toBe(true);
    expect(fits('', { status: 'idle', unseen: true }, ['idle'])).toBe(false);
    expect(fits('', { status: 'running' }, ['waiting', 'running'])).toBe(true);
    expect(fits('nothing', { status: 'running' }, ['running'])).toBe(false);
  });

  it('lets all through where nothing is typed', () => {
    expect(filter('  ', new Set(), names)).toBeUndefined();
  });
});

describe('attention', () => {
  const at = (minute: number) => `2026-01-02T12:${String(minute).padStart(2, '0')}:00Z`;
  const list = [
    session('dead', { status: 'dead', since: at(1) }),
    session('idle', { since: at(2) }),
    session('unknown', { status: 'unknown', since: at(2) }),
    session('running', { status: 'running', since: at(3) }),
    session('done', { unseen: true, since: at(4) }),
    session('done later', { unseen: true, since: at(9) }),
    session('blocked', { status: 'blocked', since: at(5) }),
    session('waiting', { status: 'waiting', since: at(6) }),
    session('waits longer', { status: 'waiting', since: at(2) }),
    session('pinned', { status: 'dead', pinned: true, since: at(0) }),
  ];
  const order = [
    'pinned',
    'waits longer',
    'waiting',
    'blocked',
    'done later',
    'done',
    'running',
    'unknown',
    'idle',
    'dead',
  ];

  it('is pinned first, then what needs somebody, the oldest first, then what changed last', () => {
    expect([...list].sort(byAttention).map(({ id }) => id)).toEqual(order);
  });

  it('moves nothing while the order is held, and puts what is new behind it', () => {
    const held = order.slice(1, 5);
    const changed = list.slice(0, -1).map((one) => (one.id === 'done' ? { ...one, unseen: false } : one));
    expect(heldOrder(changed, held).map(({ id }) => id)).toEqual([
      ...held,
      ...['running', 'unknown', 'done', 'idle', 'dead'],
    ]);
  });
});

it('a range goes from one to the other in both directions', () => {
  const order = ['a', 'b', 'c', 'd'];
  expect(range(order, 'b', 'd')).toEqual(['b', 'c', 'd']);
  expect(range(order, 'd', 'b')).toEqual(['b', 'c', 'd']);
  expect(range(order, 'gone', 'b')).toEqual(['b']);
  expect(range(order, 'a', 'gone')).toEqual([]);
});

describe('snoozing', () => {
  it('until tomorrow is until the morning, however late it is', () => {
    const late = new Date(2026, 2, 28, 23, 30);
    const [, , tomorrow] = snoozes(late);
    const until = new Date(late.getTime() + (tomorrow?.seconds ?? 0) * 1_000);
    expect([until.getDate(), until.getHours(), until.getMinutes()]).toEqual([29, 8, 0]);
  });

  it('is over when its time is', () => {
    const one = session('s', { snoozed_until: '2026-01-02T12:00:00Z' });
    expect(snoozed(one, Date.parse('2026-01-02T11:59:59Z'))).toBe(true);
    expect(snoozed(one, Date.parse('2026-01-02T12:00:01Z'))).toBe(false);
    expect(snoozed(session('s', { snoozed_until: null }), 0)).toBe(false);
  });
});
