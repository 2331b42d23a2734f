import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ask, choice } from '../../../tests/support/asks';
import { RequestError } from '../client/connection';
import type { Ask, Request, Session } from '../client/generated/protocol';
import { Asks, SECOND_PRESS, SETTLE } from './asks.svelte';
import type { Belfry } from './belfry.svelte';
import { needs } from './needs';

function waiting(part: Partial<Ask> = {}, id = 's'): Session {
  return {
    id,
    name: `name of ${id}`,
    status: 'waiting',
    since: '2026-01-02T12:00:00Z',
    trashed_at: null,
    ask: ask({ choices: [choice('1'), choice('2', { refuses: true })], ...part }),
  } as Session;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Asks with a clock of their own, and a daemon that answers when it is told to. */
function asking(first: Session) {
  const requests: Extract<Request, { method: 'answer_ask' }>['params'][] = [];
  const toasts: string[] = [];
  let settle: { resolve(): void; reject(error: unknown): void } | undefined;
  const client = {
    connected: true,
    request: (_: string, request: Request) => {
      if (request.method === 'answer_ask') requests.push(request.params);
      return new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
    },
  };
  const belfry = { client, sessions: { listed: [] }, toasts: { fail: (text: string) => toasts.push(text) } };
  const asks = new Asks(belfry as unknown as Belfry);
  asks.take(first);
  return {
    asks,
    client,
    requests,
    toasts,
    after: (ms: number) => vi.advanceTimersByTime(ms),
    press: (session: Session, key: string) => {
      const found = session.ask?.choices.find((one) => one.key === key);
      if (found) asks.press(session, found);
    },
    async refuse(error: unknown) {
      settle?.reject(error);
      await vi.advanceTimersByTimeAsync(0);
    },
    async agree() {
      settle?.resolve();
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

describe('an answer', () => {
  it('names the dialog that was seen', async () => {
    const session = waiting();
    const my = asking(session);
    my.after(SETTLE);
    my.press(session, '1');
    expect(my.requests).toEqual([{ session: 's', choice: '1', text: null, fingerprint: 'f' }]);
    expect(my.asks.state('s')?.busy).toBe('1');
    my.press(session, '2');
    expect(my.requests).toHaveLength(1);
    await my.agree();
    expect(my.asks.state('s')?.busy).toBe(null);
  });

  it('that was pressed before the question could be read is none', () => {
    const session = waiting();
    const my = asking(session);
    my.press(session, '1');
    expect(my.requests).toEqual([]);
    my.after(SETTLE);
    // The next question is in its place already.
    const next = waiting({ fingerprint: 'g' });
    my.asks.take(next);
    my.press(session, '1');
    my.press(next, '1');
    expect(my.requests).toEqual([]);
    my.after(SETTLE);
    my.press(session, '1');
    expect(my.requests).toEqual([]);
    my.press(next, '1');
    expect(my.requests[0]?.fingerprint).toBe('g');
  });

  it('with much to lose is pressed twice, and not by a double click', () => {
    const session = waiting({ risk: 'high' });
    const my = asking(session);
    my.after(SETTLE);
    my.press(session, '1');
    my.after(SECOND_PRESS - 1);
    my.press(session, '1');
    expect(my.requests).toEqual([]);
    my.after(1);
    my.press(session, '1');
    expect(my.requests).toHaveLength(1);
  });

  it('that refuses needs one press, whatever the risk', () => {
    const session = waiting({ risk: 'high' });
    const my = asking(session);
    my.after(SETTLE);
    my.press(session, '2');
    expect(my.requests[0]?.choice).toBe('2');
  });

  it('is not given to what cannot be answered here', () => {
    const session = waiting({ answerable: false });
    const my = asking(session);
    my.after(SETTLE);
    my.press(session, '1');
    expect(my.requests).toEqual([]);
  });

  it('that was being written stays through another drawing of the question, unless it is a secret', () => {
    const asks = (text: string, fingerprint: string) =>
      waiting({ kind: 'input', text, fingerprint, choices: [], takes_text: true });
    const my = asking(asks('Your name', 'f'));
    my.asks.state('s')!.text = 'Ada';
    my.asks.take(asks('Your name, please', 'g'));
    expect(my.asks.state('s')?.text).toBe('Ada');
    my.asks.take(asks('Password:', 'h'));
    expect(my.asks.state('s')?.text).toBe('');
    my.asks.state('s')!.text = 'hunter2';
    my.asks.take(asks('Your name', 'i'));
    expect(my.asks.state('s')?.text).toBe('');
  });

  it('with a text waits for the text', () => {
    const session = waiting({ choices: [choice('3', { takes_text: true })] });
    const my = asking(session);
    my.after(SETTLE);
    my.press(session, '3');
    expect(my.asks.state('s')?.writing).toBe('3');
    my.asks.submit(session);
    expect(my.requests).toEqual([]);
    my.asks.state('s')!.text = ' do it so ';
    my.asks.submit(session);
    expect(my.requests[0]).toMatchObject({ choice: '3', text: 'do it so' });
  });
});

describe('an answer that does not arrive', () => {
  const changed = new RequestError({ code: 'changed', message: 'The dialog is another one now.' });

  it('is told in the card that shows the new question', async () => {
    const session = waiting();
    const my = asking(session);
    my.after(SETTLE);
    my.press(session, '1');
    my.asks.take(waiting({ fingerprint: 'g' }));
    await my.refuse(changed);
    expect(my.asks.note('s')).toBe('Nothing was sent: the dialog is another one now.');
    expect(my.asks.state('s')?.ask).toContain('g');
    expect(my.asks.state('s')?.busy).toBe(null);
  });

  it('is told in a notice where the card is gone, in either order', async () => {
    const session = waiting();
    const gone = { ...session, status: 'idle', ask: null } as Session;
    const my = asking(session);
    my.after(SETTLE);
    my.press(session, '1');
    my.asks.take(gone);
    await my.refuse(changed);
    expect(my.toasts).toEqual(['name of s: Nothing was sent: the dialog is another one now.']);
    my.asks.take(session);
    my.after(SETTLE);
    my.press(session, '1');
    await my.refuse(changed);
    my.asks.take(gone);
    expect(my.toasts).toHaveLength(2);
  });

  it('is told in whole sentences, as the daemon words it', async () => {
    const session = waiting();
    const my = asking(session);
    my.after(SETTLE);
    my.press(session, '1');
    await my.refuse(
      new RequestError({
        code: 'changed',
        message: 'the question has changed; it is now: Delete?',
        kept: 'nothing was typed',
        next: 'look at the terminal',
      }),
    );
    expect(my.asks.note('s')).toBe(
      'The question has changed; it is now: Delete? Nothing was typed. Look at the terminal.',
    );
  });

  it('says what is known where the connection was lost', async () => {
    const lost = new RequestError({ code: 'disconnected', message: 'x' });
    const session = waiting();
    const my = asking(session);
    my.after(SETTLE);
    my.press(session, '1');
    await my.refuse(lost);
    expect(my.asks.note('s')).toContain('Look at the terminal');
    my.client.connected = false;
    my.press(session, '1');
    await my.refuse(lost);
    expect(my.asks.note('s')).toContain('Nothing was sent');
  });
});

it('what needs somebody is sorted: questions by age, then what is blocked', () => {
  const at = (id: string, opened_at: string) => waiting({ opened_at }, id);
  const blocked = {
    ...waiting({}, 'b'),
    status: 'blocked',
    ask: null,
    since: '2020-01-01T00:00:00Z',
  } as Session;
  const idle = { ...waiting({}, 'i'), status: 'idle' } as Session;
  const list = [blocked, at('new', '2026-01-03T00:00:00Z'), idle, at('old', '2026-01-02T00:00:00Z')];
  expect(needs(list).map(({ id }) => id)).toEqual(['old', 'new', 'b']);
});
