import { expect, it } from 'vitest';
import type { Happened } from '../client/generated/protocol';
import { joined, MOST_HISTORY } from './history.svelte';

const change = (at: number): Happened => ({
  happened: 'status',
  at: new Date(at * 1_000).toISOString(),
  from: 'idle',
  to: 'running',
  reason: null,
  source: 'screen',
  what: '',
});
const asked = (ask: string, answer: string | null): Happened => ({
  happened: 'ask',
  at: new Date(0).toISOString(),
  ask,
  kind: 'plan',
  text: 'Carry it out?',
  about: null,
  ended_at: null,
  outcome: null,
  answer,
  answered_by: null,
});

it('puts what is new before what was known, and what has changed in its place', () => {
  const known = [asked('a', null), change(2), change(1)];
  expect(joined([change(3), asked('a', 'Yes')], known)).toEqual([
    change(3),
    asked('a', 'Yes'),
    change(2),
    change(1),
  ]);
});

it('joins nothing where something between may be missing', () => {
  expect(joined([change(9), change(8)], [change(2)])).toBeNull();
  expect(joined([], [change(2)])).toBeNull();
});

it('keeps no more than is ever asked for', () => {
  const known = Array.from({ length: MOST_HISTORY }, (_, n) => change(MOST_HISTORY - n));
  const more = joined([change(MOST_HISTORY + 1), change(MOST_HISTORY)], known);
  expect(more?.length).toBe(MOST_HISTORY);
  expect(more?.[0]).toEqual(change(MOST_HISTORY + 1));
});
