import { describe, expect, it } from 'vitest';
import type { Project, Request, Session } from '../client/generated/protocol';
import type { Belfry } from './belfry.svelte';
import { BulkActions } from './bulk';
import { told } from './outcome';
import { project, session } from './samples';

/** A window whose daemon carries everything out, or not for some sessions. */
function window(sessions: Session[], refuses: readonly string[] = [], agrees = true) {
  const all = new Map(sessions.map((one) => [one.id, one]));
  const projects = new Map<string, Project>([['p', project('p', { name: 'shop' })]]);
  const requests: Request[] = [];
  const toasts: { text: string; bad: boolean; undo?: (() => void) | undefined }[] = [];
  const questions: string[] = [];
  const belfry = {
    sessions: { all, projects, groups: new Map(), listed: sessions, get: (id: string) => all.get(id) },
    client: {
      request: (_: string, request: Request) => {
        requests.push(request);
        const id = (request as { params: { session: string } }).params.session;
        if (refuses.includes(id)) return Promise.reject(new Error('it would not'));
        return Promise.resolve({ trashed: true, delivery: 'queued', why: 'the agent works' });
      },
    },
    dialogs: {
      ask: (question: { title: string; text: string }) => {
        questions.push(`${question.title} ${question.text}`);
        return Promise.resolve(agrees);
      },
    },
    toasts: {
      show: (text: string, action?: { run: () => void }) =>
        toasts.push({ text, bad: false, undo: action?.run }),
      fail: (text: string) => toasts.push({ text, bad: true }),
    },
  };
  return { bulk: new BulkActions(belfry as unknown as Belfry), requests, toasts, questions };
}

const [a, b, c] = ['a', 'b', 'c'].map((id) => session(id)) as [Session, Session, Session];

describe('doing something to several sessions', () => {
  it('says what was done, and undoes it', async () => {
    const { bulk, requests, toasts } = window([a, b]);
    await bulk.pin([a, b], true);
    expect(toasts[0]?.text).toBe('2 sessions are pinned.');
    toasts[0]?.undo?.();
    expect(requests.map((one) => 'params' in one && one.params)).toMatchObject([
      { session: 'a', pinned: true, muted: null },
      { session: 'b', pinned: true },
    ]);
  });

  it('says for which it was not done, and why', async () => {
    const { bulk, toasts } = window([a, b, c], ['b']);
    await bulk.archive([a, b, c], true);
    expect(toasts[0]).toMatchObject({ text: '2 sessions are in the archive. B: it would not.', bad: false });
    const { bulk: none, toasts: failed } = window([a], ['a']);
    await none.mute([a], true);
    expect(failed[0]).toMatchObject({ text: 'A: it would not.', bad: true });
  });

  it('leaves alone what is so already', async () => {
    const { bulk, requests, toasts } = window([a]);
    await bulk.pin([a], false);
    expect(requests).toEqual([]);
    expect(toasts).toEqual([]);
  });

  it('moves them into a project, and back to where each was', async () => {
    const inside = session('in', { project: 'p', position: 7 });
    const { bulk, requests, toasts } = window([inside, { ...a, position: 3 }]);
    await bulk.move([inside], { project: null, group: null });
    expect(toasts[0]?.text).toBe('in is in no project now.');
    requests.length = 0;
    toasts[0]?.undo?.();
    await Promise.resolve();
    expect(requests[0]).toMatchObject({ params: { session: 'in', project: 'p', group: null, position: 7 } });
  });

  it('puts them between their new neighbours, and the pinned among the pinned', async () => {
    const there = [1, 2, 3].map((position) => session(`t${position}`, { project: 'p', position }));
    const { bulk, requests, toasts } = window([...there, a]);
    await bulk.move([a], { project: 'p', group: null }, 't2');
    expect(requests[0]).toMatchObject({ params: { session: 'a', position: 1.5 } });
    expect(toasts[0]?.text).toBe('a is in shop.');
    requests.length = 0;
    const pinned = session('pinned', { pinned: true });
    await bulk.move([pinned], { project: 'p', group: null }, 't2');
    expect(requests).toHaveLength(1);
  });

  it('asks before what is alive ends, and says what is gone for good', async () => {
    const alive = session('alive', { status: 'running' });
    const secret = session('secret', { status: 'dead', private: true });
    const dead = session('dead', { status: 'dead' });
    const { bulk, requests, questions, toasts } = window([alive, secret, dead]);
    await bulk.remove([alive, secret, dead]);
    expect(questions[0]).toMatch(/Delete 3 sessions\? alive is still running.* secret is private.* trash/);
    expect(requests.map((one) => 'params' in one && one.params)).toMatchObject([
      { session: 'alive', kill: true },
      { session: 'secret', kill: false },
      { session: 'dead', kill: false },
    ]);
    expect(toasts[0]?.text).toBe('2 sessions are in the trash, for a day; 1 private for good.');
    const refused = window([alive], [], false);
    await refused.bulk.remove([alive]);
    await refused.bulk.kill([alive]);
    expect(refused.requests).toEqual([]);
  });

  it('deletes what is dead without a question', async () => {
    const { bulk, questions, requests } = window([session('d', { status: 'dead' })]);
    await bulk.remove([session('d', { status: 'dead' })]);
    expect(questions).toEqual([]);
    expect(requests).toHaveLength(1);
  });

  it('tells of each what became of a text', async () => {
    const { bulk } = window([a, b], ['b']);
    const sent = await bulk.broadcast([a, b], 'hello', false);
    expect(sent.map(({ session: one, delivery, why }) => [one.id, delivery, why])).toEqual([
      ['a', 'queued', 'the agent works'],
      ['b', 'failed', 'it would not'],
    ]);
  });
});

it('an outcome is told in a sentence or two', () => {
  expect(told({ done: [a], failed: [] }, 'muted')).toBe('a is muted.');
  expect(told({ done: [], failed: [] }, 'muted')).toBe('');
  const failed = [a, b].map((one) => ({ session: one, why: 'no' }));
  expect(told({ done: [c], failed }, 'muted')).toBe('c is muted. A (and 1 more): no.');
});
