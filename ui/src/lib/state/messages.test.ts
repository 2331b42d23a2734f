import { describe, expect, it } from 'vitest';
import { RequestError } from '../client/connection';
import type { QueuedMessage, Request, Session } from '../client/generated/protocol';
import type { Belfry } from './belfry.svelte';
import { Messages } from './messages.svelte';

const session = { id: 's', name: 'mine' } as Session;

/** A box, and a daemon that says what it is told to say. */
function box(answers: Partial<Record<Request['method'], unknown>> = {}) {
  const requests: Request[] = [];
  const list: QueuedMessage[] = [];
  const client = {
    request: (_: string, request: Request) => {
      requests.push(request);
      if (request.method === 'list_messages') return Promise.resolve([...list]);
      const answer = answers[request.method];
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };
  return { messages: new Messages({ client } as unknown as Belfry), requests, list };
}

const queued = (id: string, part: Partial<QueuedMessage> = {}): QueuedMessage => ({
  id,
  text: `text ${id}`,
  delivery: 'queued',
  why: null,
  queued_at: '2026-01-02T12:00:00Z',
  ...part,
});

describe('a text', () => {
  it('leaves the box at once, and is shown on its way', async () => {
    const { messages, list } = box({ send_message: { id: '1', delivery: 'queued', why: null } });
    messages.write('s', 'hello');
    const sent = messages.send(session, false);
    expect(messages.draft('s')).toBe('');
    expect(messages.shown('s')).toMatchObject([{ id: null, text: 'hello', delivery: 'sending' }]);
    list.push(queued('1'));
    await sent;
    expect(messages.shown('s')).toMatchObject([{ id: '1', delivery: 'queued' }]);
    expect(messages.history('s')).toEqual(['hello']);
  });

  it('of blanks is none', async () => {
    const { messages, requests } = box();
    messages.write('s', ' \n ');
    await messages.send(session, false);
    expect(requests).toEqual([]);
  });

  it('that cannot be sent comes back into an empty box, and else stays one Up away', async () => {
    const { messages } = box({ send_message: new RequestError({ code: 'too_much', message: 'Too long.' }) });
    messages.write('s', 'one');
    await messages.send(session, false);
    expect(messages.draft('s')).toBe('one');
    expect(messages.problem('s')).toBe('Too long. The text is in the box again.');
    const sent = messages.send(session, false);
    messages.write('s', 'two');
    await sent;
    expect(messages.draft('s')).toBe('two');
    expect(messages.problem('s')).toContain('one Up away');
    expect(messages.history('s')).toEqual(['one']);
  });

  it('is not said to be lost where nobody knows', async () => {
    const { messages } = box({ send_message: { id: '1', delivery: 'unsure', why: null } });
    messages.write('s', 'one');
    await messages.send(session, true);
    expect(messages.draft('s')).toBe('');
    expect(messages.problem('s')).toContain('may not have arrived');
  });
});

describe('a message that waits', () => {
  it('is taken back into the box, before what is there', async () => {
    const { messages, list } = box({ cancel_message: { id: '1', delivery: 'failed', why: null } });
    list.push(queued('1'), queued('2', { delivery: 'delivered' }));
    await messages.load('s');
    expect(messages.shown('s')).toHaveLength(1);
    messages.write('s', 'draft');
    await messages.edit(session, messages.shown('s')[0]!);
    expect(messages.draft('s')).toBe('text 1\ndraft');
    expect(messages.shown('s')).toEqual([]);
  });

  it('that is being typed already stays, and it is said why', async () => {
    const { messages, list } = box({
      cancel_message: new RequestError({ code: 'changed', message: 'It is being typed.' }),
    });
    list.push(queued('1'));
    await messages.load('s');
    await messages.edit(session, messages.shown('s')[0]!);
    expect(messages.draft('s')).toBe('');
    expect(messages.problem('s')).toBe('It is being typed.');
    expect(messages.shown('s')).toHaveLength(1);
  });

  it('that failed is put aside without asking the daemon', async () => {
    const { messages, list, requests } = box();
    list.push(queued('1', { delivery: 'failed', why: 'the session has ended' }));
    await messages.load('s');
    await messages.cancel(session, messages.shown('s')[0]!);
    expect(messages.shown('s')).toEqual([]);
    expect(requests.map(({ method }) => method)).toEqual(['list_messages']);
  });
});
