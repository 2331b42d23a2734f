import { expect, it } from 'vitest';
import type { Happened, Status } from '$lib/client/generated/protocol';
import { session } from '$lib/state/samples';
import { soFar } from './so-far';

const at = (minute: number) => `2026-03-02T12:${String(minute).padStart(2, '0')}:00Z`;
const to = (minute: number, from: Status, status: Status): Happened => ({
  happened: 'status',
  at: at(minute),
  from,
  to: status,
  reason: null,
  source: 'screen',
  what: '',
});
const asked = (minute: number, outcome: 'answered' | 'gone' | null): Happened => ({
  happened: 'ask',
  at: at(minute),
  ask: `a${minute}`,
  kind: 'approval',
  text: '',
  about: null,
  ended_at: null,
  outcome,
  answer: null,
  answered_by: null,
});
const one = session('s', { created_at: at(0) });
const now = Date.parse(at(20));
const minutes = (count: number) => count * 60_000;

it('adds up what it did since its start', () => {
  const history = [
    to(15, 'waiting', 'running'),
    asked(11, 'answered'),
    to(11, 'running', 'waiting'),
    asked(6, 'gone'),
    to(3, 'idle', 'running'),
    to(1, 'starting', 'idle'),
  ];
  expect(soFar(one, history, now, 500)).toEqual({
    since: at(0),
    whole: true,
    working: minutes(8 + 5),
    waiting: minutes(4),
    idle: minutes(2),
    asked: 2,
    answered: 1,
  });
});

it('begins with the oldest that is there where older ones are not', () => {
  const history = [to(10, 'running', 'blocked'), to(5, 'idle', 'running')];
  expect(soFar(one, history, now, 500)).toMatchObject({
    since: at(5),
    whole: false,
    working: minutes(5),
    waiting: minutes(10),
  });
  const full = [to(10, 'running', 'idle'), to(5, 'starting', 'running')];
  expect(soFar(one, full, now, 2)).toMatchObject({ since: at(5), whole: false });
});

it('says nothing of an ended session’s time after its end, and nothing where nothing is known', () => {
  const history = [to(4, 'running', 'dead'), to(1, 'starting', 'running')];
  expect(soFar(one, history, now, 500)).toMatchObject({ working: minutes(3), idle: 0, waiting: 0 });
  expect(soFar(one, [], now, 500)).toBeNull();
  // A clock that was set back makes no negative time.
  expect(soFar(one, [to(30, 'starting', 'running')], now, 500)).toMatchObject({ working: 0 });
});
