import { expect, it } from 'vitest';
import type { Happened } from '$lib/client/generated/protocol';
import { days, entries } from './history';

const asked: Happened = {
  happened: 'ask',
  at: '2026-03-02T10:00:00Z',
  ask: 'a',
  kind: 'approval',
  text: 'Do you want to proceed?',
  about: 'cargo test',
  ended_at: null,
  outcome: null,
  answer: null,
  answered_by: null,
};
const changed: Happened = {
  happened: 'status',
  at: '2026-03-01T10:00:00Z',
  from: 'running',
  to: 'blocked',
  reason: 'usage limit',
  source: 'screen',
  what: 'a notice',
};

it('says what was asked, and what became of it', () => {
  expect(entries([asked])[0]).toMatchObject({
    title: 'Asked to go on',
    lines: ['`cargo test`', 'Still open'],
  });
  const answered: Happened = { ...asked, outcome: 'answered', answer: 'Yes', answered_by: 'person' };
  expect(entries([answered])[0]?.lines[1]).toBe('Answered: Yes by person');
  expect(entries([{ ...asked, outcome: 'in_terminal' }])[0]?.lines[1]).toBe('Answered in the terminal');
});

it('says how the status changed, and from what that was known', () => {
  expect(entries([changed])[0]).toMatchObject({
    status: 'blocked',
    title: 'Blocked: usage limit',
    source: 'screen',
  });
  const twice: Happened = { ...changed, to: 'running', reason: 'Running npm test' };
  expect(entries([twice])[0]?.title).toBe('Running npm test');
});

it('is told by days', () => {
  const list = days(entries([asked, changed]), Date.parse('2026-03-02T12:00:00Z'));
  expect(list.map(({ entries: one }) => one.length)).toEqual([1, 1]);
  expect(list[0]?.name).toBe('Today');
});
