import { describe, expect, it } from 'vitest';
import { drop, previewed, tabIndex, zone } from './drop';
import { emptyLayout, open, openBeside, panes } from './tree';

const box = { left: 100, top: 50, width: 400, height: 300 };

describe('a point in a pane', () => {
  it.each([
    [110, 200, 'left'],
    [490, 200, 'right'],
    [300, 60, 'top'],
    [300, 340, 'bottom'],
    [300, 200, 'middle'],
    // In a corner the nearer edge counts.
    [102, 70, 'left'],
    [130, 52, 'top'],
  ] as const)('%i, %i means %s', (x, y, where) => expect(zone(box, x, y)).toBe(where));

  it('shows what the session would cover', () => {
    expect(previewed(box, 'right')).toEqual({ left: 300, top: 50, width: 200, height: 300 });
    expect(previewed(box, 'top')).toEqual({ left: 100, top: 50, width: 400, height: 150 });
    expect(previewed(box, 'middle')).toEqual(box);
  });

  it('leaves a middle in the smallest pane', () => {
    const small = { left: 0, top: 0, width: 80, height: 60 };
    expect(zone(small, 2, 30)).toBe('left');
    expect(zone({ left: 0, top: 0, width: 400, height: 400 }, 200, 200)).toBe('middle');
  });
});

it('a point over tabs means the place between two', () => {
  const tabs = [
    { left: 0, width: 100 },
    { left: 100, width: 60 },
  ];
  expect([10, 60, 120, 150].map((x) => tabIndex(tabs, x))).toEqual([0, 1, 1, 2]);
});

describe('dropped', () => {
  const ab = open(open(emptyLayout(), 'a', 'tab'), 'b', 'tab');
  const two = openBeside(ab, 'c');
  const shape = (layout: typeof ab) => panes(layout.root).map((pane) => pane.tabs.join(' '));

  it('at an edge a tab has a pane of its own', () => {
    expect(shape(drop(ab, 'a', { kind: 'edge', pane: 'p1', edge: 'left' }))).toEqual(['a', 'b']);
    expect(shape(drop(ab, 'a', { kind: 'edge', pane: 'p1', edge: 'bottom' }))).toEqual(['b', 'a']);
  });

  it('a pane with one tab moves whole, and stays the same pane', () => {
    const moved = drop(two, 'c', { kind: 'edge', pane: 'p1', edge: 'top' });
    expect(shape(moved)).toEqual(['c', 'a b']);
    expect(panes(moved.root)[0]?.id).toBe('p2');
    expect(moved.root).toMatchObject({ kind: 'split', axis: 'column' });
  });

  it('at its own place nothing changes', () => {
    expect(drop(two, 'c', { kind: 'edge', pane: 'p2', edge: 'top' })).toBe(two);
    expect(drop(two, 'c', { kind: 'middle', pane: 'p2' })).toBe(two);
    expect(drop(two, 'b', { kind: 'tab', pane: 'p1', index: 1 })).toBe(two);
  });

  it('in the middle and among tabs it joins the others', () => {
    expect(shape(drop(two, 'a', { kind: 'middle', pane: 'p2' }))).toEqual(['b', 'c a']);
    expect(shape(drop(two, 'c', { kind: 'tab', pane: 'p1', index: 1 }))).toEqual(['a c b']);
  });

  it('a session that was not open is opened there', () => {
    expect(shape(drop(two, 'x', { kind: 'edge', pane: 'p2', edge: 'right' }))).toEqual(['a b', 'c', 'x']);
    expect(shape(drop(two, 'x', { kind: 'tab', pane: 'p1', index: 0 }))).toEqual(['x a b', 'c']);
    expect(shape(drop(two, 'x', { kind: 'middle', pane: 'p1' }))).toEqual(['a b x', 'c']);
  });
});
