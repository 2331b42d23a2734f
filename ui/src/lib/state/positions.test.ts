import { describe, expect, it } from 'vitest';
import { positioned, type Ordered } from './positions';

const list = (...positions: number[]): Ordered[] =>
  positions.map((position, at) => ({ id: 'abcdefgh'[at] as string, position }));

/** The order after the changes. */
function order(siblings: Ordered[], changes: Ordered[]): string {
  const all = new Map(siblings.map((one) => [one.id, one.position]));
  for (const { id, position } of changes) all.set(id, position);
  return [...all]
    .sort((a, b) => a[1] - b[1])
    .map(([id]) => id)
    .join('');
}

describe('a place in an order', () => {
  it.each([
    [['c'], 'a', 'cab'],
    [['a'], null, 'bca'],
    [['a'], 'c', 'bac'],
    [['x'], 'b', 'axbc'],
    [['x', 'y'], 'b', 'axybc'],
    [['c', 'a'], 'b', 'cab'],
    [['x'], 'gone', 'abcx'],
  ])('puts %j before %s: %s', (moved, before, expected) => {
    const siblings = list(1, 2, 3);
    const changes = positioned(siblings, moved, before);
    expect(changes.map(({ id }) => id)).toEqual(moved);
    expect(order(siblings, changes)).toBe(expected);
  });

  it('numbers all anew where there is no gap, and changes no more than needed', () => {
    const siblings = list(0, 0, 0, 4);
    const changes = positioned(siblings, ['d'], 'b');
    expect(order(siblings, changes)).toBe('adbc');
    const close = list(1, 1 + 1e-7, 3);
    expect(positioned(close, ['c'], 'b').map(({ id }) => id)).toEqual(['c', 'b']);
  });

  it('keeps the order however often something is put at one place', () => {
    let siblings = list(1, 2);
    for (let at = 0; at < 200; at += 1) {
      const id = `n${at}`;
      const changes = positioned(siblings, [id], 'b');
      const all = new Map([...siblings, ...changes].map((one) => [one.id, one.position]));
      siblings = [...all].map(([one, position]) => ({ id: one, position }));
      siblings.sort((a, b) => a.position - b.position);
    }
    expect(siblings.map(({ id }) => id)).toEqual([
      'a',
      ...Array.from({ length: 200 }, (_, at) => `n${at}`),
      'b',
    ]);
  });

  it('takes the first place where nothing is', () => {
    expect(positioned([], ['x', 'y'], null)).toEqual([
      { id: 'x', position: 1 },
      { id: 'y', position: 2 },
    ]);
  });
});
