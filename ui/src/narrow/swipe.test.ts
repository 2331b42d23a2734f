import { expect, it } from 'vitest';
import { swiped } from './swipe';

it('tells a swipe from scrolling and from a tap', () => {
  const from = { x: 5, y: 300 };
  expect(swiped(from, { x: 120, y: 310 })).toBe('in');
  expect(swiped(from, { x: 40, y: 300 })).toBeNull();
  expect(swiped(from, { x: 120, y: 500 })).toBeNull();
  expect(swiped({ x: 200, y: 300 }, { x: 320, y: 300 })).toBeNull();
  expect(swiped({ x: 200, y: 300 }, { x: 90, y: 280 })).toBe('out');
});
