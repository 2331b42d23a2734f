import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Client, type ClientState } from './client';
import { RequestError } from './connection';
import type { DaemonMessage } from './generated/protocol';
import type { Link, LinkHandlers, Transport } from './transport';
import { TransportError } from './transport';

/** The daemon's side of a transport in memory. */
class Wire implements Transport {
  readonly client = 'browser';
  readonly sent: any[] = [];
  handlers: LinkHandlers | undefined;
  refuse: TransportError | undefined;
  connects = 0;

  async connect(handlers: LinkHandlers): Promise<Link> {
    this.connects += 1;
    if (this.refuse) throw this.refuse;
    this.handlers = handlers;
    return {
      send: (bytes) => {
        const kind = bytes[4];
        this.sent.push(
          kind === 0 ? JSON.parse(new TextDecoder().decode(bytes.subarray(5))) : { kind, bytes },
        );
      },
      close: () => {},
    };
  }

  say(message: DaemonMessage): void {
    const json = new TextEncoder().encode(JSON.stringify(message));
    this.frame(0, json);
  }

  frame(kind: number, payload: Uint8Array): void {
    const bytes = new Uint8Array(5 + payload.length);
    new DataView(bytes.buffer).setUint32(0, payload.length + 1, true);
    bytes[4] = kind;
    bytes.set(payload, 5);
    this.handlers?.onBytes(bytes);
  }

  /** Answers the last request. */
  reply(reply: any): void {
    this.say({ type: 'reply', id: this.sent.at(-1).id, reply });
  }
}

const welcome: DaemonMessage = {
  type: 'welcome',
  protocol: { major: 1, minor: 9 },
  version: '0.1.0',
  pid: 7,
  home: '/home/dev',
};
const nothing = { sessions: [], projects: [], groups: [], more: false };
const settle = () => vi.advanceTimersByTimeAsync(0);

let wire: Wire;
let client: Client;
let states: ClientState['kind'][];

async function connected(): Promise<void> {
  client.connect();
  await settle();
  wire.say(welcome);
  wire.reply({ kind: 'overview', value: nothing });
  await settle();
}

beforeEach(() => {
  vi.useFakeTimers();
  wire = new Wire();
  client = new Client(wire, '0.1.0');
  states = [];
  client.listen({ onState: ({ kind }) => states.push(kind) });
});
afterEach(() => {
  client.stop();
  vi.useRealTimers();
});

describe('client', () => {
  it('says hello, subscribes, and is connected once the overview is in', async () => {
    const overviews: unknown[] = [];
    client.listen({ onOverview: (overview) => overviews.push([overview, client.connected]) });
    await connected();
    expect(wire.sent[0]).toMatchObject({ type: 'hello', client: 'browser', protocol: { major: 1 } });
    expect(wire.sent[1].request).toEqual({ method: 'subscribe' });
    expect(overviews).toEqual([[nothing, false]]);
    expect(states).toEqual(['connected']);
  });

  it('gathers an overview that comes in pieces, and takes what follows for news', async () => {
    const told: unknown[] = [];
    client.listen({
      onOverview: ({ sessions }) => told.push(sessions.map(({ id }) => id)),
      onEvent: (event) => told.push(event.event),
    });
    client.connect();
    await settle();
    wire.say(welcome);
    const session = (id: string): any => ({ event: 'session', session: { id } });
    wire.reply({ kind: 'overview', value: { ...nothing, sessions: [{ id: 'a' }], more: true } });
    wire.say({ type: 'event', event: session('b') });
    await settle();
    expect([told, client.connected]).toEqual([[], false]);
    wire.say({ type: 'event', event: session('c') });
    wire.say({ type: 'event', event: { event: 'overview_end' } });
    wire.say({ type: 'event', event: session('d') });
    expect([told, client.connected]).toEqual([[['a', 'b', 'c'], 'session'], true]);
  });

  it('gives each answer to the request with its id', async () => {
    await connected();
    const first = client.request('setting', { method: 'get_setting', params: { name: 'a' } });
    const id = wire.sent.at(-1).id;
    const second = client.request('done', { method: 'ping' });
    wire.reply({ kind: 'done' });
    wire.say({ type: 'reply', id, reply: { kind: 'setting', value: 5 } });
    expect(await first).toBe(5);
    expect(await second).toBeUndefined();
  });

  it('tells failures with their code, and does not take an answer of another kind', async () => {
    await connected();
    const failed = client.request('done', { method: 'ping' });
    const error = { code: 'disk_full' as const, message: 'The disk is full.', kept: 'All of it.' };
    wire.say({ type: 'failed', id: wire.sent.at(-1).id, error });
    await expect(failed).rejects.toMatchObject({ code: 'disk_full', kept: 'All of it.' });
    const odd = client.request('done', { method: 'ping' });
    wire.reply({ kind: 'agents', value: [] });
    await expect(odd).rejects.toMatchObject({ code: 'internal' });
  });

  it('answers at once, before the frames that follow', async () => {
    await connected();
    const order: string[] = [];
    const view = client.takeView({ onOutput: () => order.push('output'), onEvent: () => {} });
    const size = { cols: 80, rows: 24 };
    const params = { session: 's', view, size, focus: false, credit: 1 };
    void client.request('view', { method: 'open_view', params }, () => order.push('reply'));
    wire.reply({ kind: 'view', value: { session: {}, size } });
    wire.frame(1, Uint8Array.from([view, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 65]));
    expect(order).toEqual(['reply', 'output']);
  });

  it('fails what waits when the link is lost, and connects again by itself', async () => {
    await connected();
    const waiting = client.request('done', { method: 'ping' });
    wire.handlers?.onLost('killed');
    await expect(waiting).rejects.toBeInstanceOf(RequestError);
    await expect(client.request('done', { method: 'ping' })).rejects.toMatchObject({ code: 'disconnected' });
    await vi.advanceTimersByTimeAsync(100);
    wire.say(welcome);
    wire.reply({ kind: 'overview', value: nothing });
    await settle();
    expect(states).toEqual(['connected', 'lost', 'connected']);
  });

  it('drops a stream that it cannot read, and starts anew', async () => {
    await connected();
    wire.frame(9, new Uint8Array());
    expect(client.state.kind).toBe('lost');
    await vi.advanceTimersByTimeAsync(100);
    expect(wire.connects).toBe(2);
  });

  it('gives up where trying again cannot help', async () => {
    client.connect();
    await settle();
    const error = { code: 'version' as const, message: 'The daemon is newer.', next: 'Restart the window.' };
    wire.say({ type: 'refused', error, protocol: { major: 2, minor: 0 } });
    expect(client.state).toEqual({
      kind: 'refused',
      why: 'The daemon is newer.',
      next: 'Restart the window.',
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(wire.connects).toBe(1);
    wire.refuse = new TransportError('wrong token', true);
    client.connect();
    await settle();
    expect(client.state).toMatchObject({ kind: 'refused', why: 'wrong token' });
  });

  it('ignores what a newer daemon says', async () => {
    await connected();
    wire.say({ type: 'novelty' } as never);
    wire.say({ type: 'event', event: { event: 'novelty' } as never });
    expect(client.connected).toBe(true);
  });
});
