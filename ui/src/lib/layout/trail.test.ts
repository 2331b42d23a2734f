import { expect, it } from 'vitest';
import { Trail } from './trail';

const all = () => true;

it('leads back and forward, past what is gone', () => {
  const trail = new Trail();
  for (const session of ['a', 'b', 'c']) trail.visit(session);
  expect(trail.step(-1, 'c', all)).toBe('b');
  trail.visit('b');
  expect(trail.step(-1, 'b', all)).toBe('a');
  trail.visit('a');
  expect(trail.step(-1, 'a', all)).toBeUndefined();
  expect(trail.step(1, 'a', (session) => session !== 'b')).toBe('c');
});

it('forgets what was forward once another way is taken', () => {
  const trail = new Trail();
  for (const session of ['a', 'b', 'c']) trail.visit(session);
  trail.step(-1, 'c', all);
  trail.visit('d');
  expect(trail.step(1, 'd', all)).toBeUndefined();
  expect(trail.step(-1, 'd', all)).toBe('b');
});

it('knows what was looked at last', () => {
  const trail = new Trail();
  for (const session of ['a', 'b', 'a', 'c']) trail.visit(session);
  expect(trail.recent).toEqual(['c', 'a', 'b']);
});
