import { expect, test } from 'vitest';
import type { Client, ClientListener } from '$lib/client/client';
import type { Notification } from '$lib/client/generated/protocol';
import { Notifications } from './notifications.svelte';

function notification(id: string, part: Partial<Notification> = {}): Notification {
  return {
    id,
    session: 's',
    kind: 'waiting',
    title: 'One',
    text: '',
    ask: null,
    at: '2026-01-01T00:00:00Z',
    read: false,
    over: false,
    quiet: false,
    many: false,
    sound: true,
    ...part,
  };
}

function bell(kept: Notification[] = []) {
  const asked: unknown[] = [];
  let listener: ClientListener = {};
  const client = {
    connected: true,
    listen: (one: ClientListener) => (listener = one),
    request: (_: string, request: unknown) => {
      asked.push(request);
      return Promise.resolve(kept);
    },
  };
  const list = new Notifications(client as unknown as Client);
  return { list, asked, hear: (event: object) => listener.onEvent?.(event as never) };
}

const ids = (list: readonly Notification[]) => list.map(({ id }) => id);

test('what was kept comes newest first, and what comes goes before it, once', async () => {
  const { list, hear } = bell([notification('1', { read: true }), notification('2')]);
  await Promise.resolve();
  await Promise.resolve();
  expect(ids(list.list)).toEqual(['2', '1']);
  hear({ event: 'notification', notification: notification('3') });
  hear({ event: 'notification', notification: notification('3') });
  expect(ids(list.list)).toEqual(['3', '2', '1']);
  expect(list.unread).toBe(2);
});

test('a trial is not kept', () => {
  const { list, hear } = bell();
  hear({ event: 'notification', notification: notification('1', { session: null }) });
  expect(list.list).toEqual([]);
});

test('what is gone is over, and what was seen is read up to there', () => {
  const { list, hear } = bell();
  for (const id of ['1', '2', '3']) hear({ event: 'notification', notification: notification(id) });
  hear({ event: 'notification_gone', id: '2' });
  expect(list.list.map(({ over }) => over)).toEqual([false, true, false]);
  hear({ event: 'notifications_read', up_to: '2' });
  expect(list.list.map(({ read }) => read)).toEqual([false, true, true]);
});

test('marking names the newest that was there', () => {
  const { list, asked, hear } = bell();
  list.markRead();
  expect(asked).toHaveLength(1);
  hear({ event: 'notification', notification: notification('1') });
  hear({ event: 'notification', notification: notification('2') });
  list.markRead();
  expect(asked[1]).toEqual({ method: 'mark_notifications_read', params: { up_to: '2' } });
});
