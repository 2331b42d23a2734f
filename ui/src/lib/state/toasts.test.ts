import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Toasts } from './toasts.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const texts = (toasts: Toasts) => toasts.list.map(({ text }) => text);
const undo = { label: 'Undo', run: () => {} };

it('goes away by itself, later where something can be done about it', () => {
  const toasts = new Toasts();
  toasts.show('plain');
  toasts.show('undone', undo);
  vi.advanceTimersByTime(4_000);
  expect(texts(toasts)).toEqual(['undone']);
  vi.advanceTimersByTime(4_000);
  expect(texts(toasts)).toEqual([]);
});

it('has the newest first, the same once, and three at most: what is missed least goes', () => {
  const toasts = new Toasts();
  toasts.fail('failed');
  toasts.show('one');
  toasts.show('one');
  toasts.show('undone', undo);
  expect(texts(toasts)).toEqual(['undone', 'one', 'failed']);
  toasts.show('two');
  expect(texts(toasts)).toEqual(['two', 'undone', 'failed']);
  toasts.fail('worse');
  expect(texts(toasts)).toEqual(['worse', 'undone', 'failed']);
  toasts.fail('worst');
  expect(texts(toasts)).toEqual(['worst', 'worse', 'undone']);
});

it('stays while anybody holds it, and a moment longer', () => {
  const toasts = new Toasts();
  toasts.show('held');
  vi.advanceTimersByTime(3_900);
  toasts.hold('pointer');
  toasts.hold('keyboard');
  toasts.show('comes meanwhile');
  vi.advanceTimersByTime(60_000);
  toasts.release('pointer');
  vi.advanceTimersByTime(60_000);
  expect(texts(toasts)).toEqual(['comes meanwhile', 'held']);
  toasts.release('keyboard');
  vi.advanceTimersByTime(2_400);
  expect(texts(toasts)).toEqual(['comes meanwhile', 'held']);
  vi.advanceTimersByTime(200);
  expect(texts(toasts)).toEqual(['comes meanwhile']);
});

it('is dismissed, also while it is held', () => {
  const toasts = new Toasts();
  toasts.show('gone');
  toasts.hold('pointer');
  toasts.dismiss(toasts.list[0]?.id ?? 0);
  toasts.release('pointer');
  vi.advanceTimersByTime(60_000);
  expect(texts(toasts)).toEqual([]);
});
