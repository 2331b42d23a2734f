import { describe, expect, it } from 'vitest';
import type { Request, Session } from '../client/generated/protocol';
import { SessionActions } from './actions';
import type { Belfry } from './belfry.svelte';

/** A window whose person agrees or not, and a daemon that puts sessions in the trash or not. */
function removing(agrees: boolean, trashed: boolean, own: object | null = null) {
  const asked: string[] = [];
  const requests: Request[] = [];
  const toasts: { text: string; undo: boolean }[] = [];
  const window = {
    workspaces: { own: () => own },
    dialogs: {
      over: null as { kind: string; session: string } | null,
      ask: (question: { title: string; text: string }) => {
        asked.push(`${question.title} ${question.text}`);
        return Promise.resolve(agrees);
      },
    },
    client: {
      request: (_kind: string, request: Request) => {
        requests.push(request);
        return Promise.resolve({ trashed });
      },
    },
    toasts: {
      show: (text: string, action?: unknown) => toasts.push({ text, undo: action !== undefined }),
      fail: (text: string) => toasts.push({ text, undo: false }),
    },
  };
  const actions = new SessionActions(window as unknown as Belfry);
  return { actions, asked, requests, toasts, dialogs: window.dialogs };
}

const session = (part: Partial<Session>): Session =>
  ({ id: 's', name: 'mine', status: 'dead', private: false, ...part }) as Session;

describe('deleting', () => {
  it('of a dead session asks nothing, and can be undone', async () => {
    const { actions, asked, toasts } = removing(true, true);
    await actions.remove(session({}));
    expect(asked).toEqual([]);
    expect(toasts).toEqual([{ text: 'mine is in the trash, for a day.', undo: true }]);
  });

  it.each(['dead', 'idle'] as const)('of a private one that is %s asks, and is for good', async (status) => {
    const { actions, asked, requests, toasts } = removing(true, false);
    await actions.remove(session({ private: true, status }));
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(/private.*gone for good\./);
    expect(requests).toHaveLength(1);
    expect(toasts).toEqual([{ text: 'mine is gone for good.', undo: false }]);
  });

  it('of one that has a workspace of its own asks about that', async () => {
    const { actions, asked, requests, dialogs } = removing(true, true, { workspace: 'w' });
    await actions.remove(session({}));
    expect(dialogs.over).toEqual({ kind: 'delete', session: 's' });
    expect([...asked, ...requests]).toEqual([]);
  });

  it('does nothing where the person does not agree', async () => {
    const { actions, requests } = removing(false, false);
    await actions.remove(session({ private: true }));
    await actions.remove(session({ status: 'running' }));
    expect(requests).toEqual([]);
  });
});
