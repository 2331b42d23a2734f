import { describe, expect, it } from 'vitest';
import type { Client } from '$lib/client/client';
import type { Conversation, List, Request } from '$lib/client/generated/protocol';
import { Pages } from './pages.svelte';
import { EVERYTHING } from './query';

/** A daemon with so many conversations; it answers when it is told to. */
function daemon(count: number, atOnce = 200) {
  const asked: { list: List; answer: () => void; fail: () => void }[] = [];
  const client = {
    request: (_: string, request: Request) =>
      new Promise((resolve, reject) => {
        const list = (request as { params: List }).params;
        const conversations = Array.from(
          { length: Math.max(0, Math.min(list.limit, atOnce, count - list.skip)) },
          (_, at) => ({ agent: 'claude', id: String(list.skip + at) }) as Conversation,
        );
        const indexing = { done: 0, total: 0, busy: false };
        asked.push({
          list,
          answer: () => resolve({ conversations, total: count, indexing }),
          fail: () => reject(new Error('gone')),
        });
      }),
  } as unknown as Client;
  return { client, asked };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('pages', () => {
  it('ask for what comes into sight, each once', async () => {
    const { client, asked } = daemon(10_000);
    const pages = new Pages(
      client,
      () => {},
      () => {},
    );
    const loaded = pages.load(EVERYTHING);
    asked[0]?.answer();
    expect(await loaded).toBe(true);
    expect(pages.total).toBe(10_000);
    pages.need(EVERYTHING, 0, 40);
    expect(asked).toHaveLength(1);
    pages.need(EVERYTHING, 5_095, 5_110);
    pages.need(EVERYTHING, 5_096, 5_111);
    expect(asked.slice(1).map(({ list }) => list.skip)).toEqual([5_000, 5_100]);
    asked.slice(1).forEach(({ answer }) => answer());
    await settled();
    expect(pages.items[5_105]?.id).toBe('5105');
    expect(pages.items[300]).toBeUndefined();
  });

  it('ask again from where a page ended that did not fit in one frame', async () => {
    const { client, asked } = daemon(90, 30);
    const pages = new Pages(
      client,
      () => {},
      () => {},
    );
    const loaded = pages.load(EVERYTHING);
    asked[0]?.answer();
    await loaded;
    pages.need(EVERYTHING, 25, 45);
    expect(asked[1]?.list.skip).toBe(30);
    asked[1]?.answer();
    await settled();
    expect(pages.items[44]?.id).toBe('44');
  });

  it('drop answers to what is not asked any more', async () => {
    const { client, asked } = daemon(10);
    const pages = new Pages(
      client,
      () => {},
      () => {},
    );
    const first = pages.load({ ...EVERYTHING, text: 'a' });
    const second = pages.load({ ...EVERYTHING, text: 'ab' });
    asked[1]?.answer();
    expect(await second).toBe(true);
    const { items } = pages;
    asked[0]?.answer();
    expect(await first).toBe(false);
    expect(pages.items).toBe(items);
  });

  it('tell of a page that did not come, and ask for it again', async () => {
    const { client, asked } = daemon(500);
    const failures: unknown[] = [];
    const pages = new Pages(
      client,
      () => {},
      (error) => failures.push(error),
    );
    const loaded = pages.load(EVERYTHING);
    asked[0]?.answer();
    await loaded;
    pages.need(EVERYTHING, 200, 210);
    asked[1]?.fail();
    await settled();
    expect(failures).toHaveLength(1);
    pages.need(EVERYTHING, 200, 210);
    expect(asked).toHaveLength(3);
  });
});
