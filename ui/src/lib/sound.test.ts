import { expect, test } from 'vitest';
import type { Notification, NotificationKind } from './client/generated/protocol';
import { soundOf } from './sound';

function notification(part: Partial<Notification> = {}): Notification {
  return {
    id: '1',
    session: null,
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

test('each kind has its own sound', () => {
  const kinds: NotificationKind[] = ['waiting', 'blocked', 'done', 'died'];
  const files = kinds.map((kind) => soundOf(notification({ kind }), 100)?.file);
  expect(files).toEqual(kinds.map((kind) => `./sounds/${kind}.wav`));
});

test('half the volume is a quarter of the pressure, and none is silence', () => {
  expect(soundOf(notification(), 100)?.volume).toBe(1);
  expect(soundOf(notification(), 50)?.volume).toBe(0.25);
  expect(soundOf(notification(), 400)?.volume).toBe(1);
  expect(soundOf(notification(), 0)).toBeUndefined();
});

test('what is to be quiet is', () => {
  expect(soundOf(notification({ sound: false }), 60)).toBeUndefined();
  expect(soundOf(notification({ quiet: true }), 60)).toBeUndefined();
});
