import { expect, it } from 'vitest';
import { nextOf } from './next';

it('goes round, and says where there is nowhere to go', () => {
  expect(nextOf(['a', 'b'], 'a')).toBe('b');
  expect(nextOf(['a', 'b'], 'b')).toBe('a');
  expect(nextOf(['a', 'b'], 'x')).toBe('a');
  expect(nextOf(['a'], 'a')).toBeUndefined();
  expect(nextOf([], null)).toBeUndefined();
});
