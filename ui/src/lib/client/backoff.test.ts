import { expect, it } from 'vitest';
import { Backoff } from './backoff';

it('tries soon, then less and less often, and soon again after a success', () => {
  const backoff = new Backoff(() => 0.5);
  const waits = Array.from({ length: 9 }, () => backoff.next());
  expect(waits).toEqual([50, 100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  backoff.reset();
  expect(backoff.next()).toBe(50);
});

it('spreads the tries of many windows', () => {
  expect(new Backoff(() => 0).next()).toBe(38);
  expect(new Backoff(() => 1).next()).toBe(63);
});
