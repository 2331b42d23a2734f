import { describe, expect, it } from 'vitest';
import { evenOut, growPane, moveDivider, placeDividers, placePanes } from './sizes';
import { emptyLayout, open, openBeside, type Layout } from './tree';

const one = open(emptyLayout(), 'a', 'tab');
/** `(a | (b / c))` */
const three = openBeside(openBeside(one, 'b'), 'c', undefined, 'bottom');
const places = (layout: Layout) =>
  placePanes(layout.root).map(({ pane, left, top, width, height }) => [
    pane.active,
    left,
    top,
    width,
    height,
  ]);

describe('panes', () => {
  it('lie beside each other, as the tree says', () => {
    expect(places(three)).toEqual([
      ['a', 0, 0, 0.5, 1],
      ['b', 0.5, 0, 0.5, 0.5],
      ['c', 0.5, 0.5, 0.5, 0.5],
    ]);
  });

  it('are parted by lines that know what they part', () => {
    const [down, across] = placeDividers(three.root);
    expect(down).toMatchObject({ left: 0.5, top: 0, width: 0, height: 1, both: { left: 0, width: 1 } });
    expect(across).toMatchObject({ left: 0.5, top: 0.5, width: 0.5, height: 0, both: { top: 0, height: 1 } });
  });
});

describe('room', () => {
  it('is given from one neighbour to the other', () => {
    const [, b, c] = places(growPane(three, three.focus, 'column', 0.1));
    expect([b?.[4], c?.[4]]).toEqual([0.4, 0.6]);
    const [a] = places(growPane(three, three.focus, 'row', 0.1));
    expect(a?.[3]).toBeCloseTo(0.4);
    expect(places(growPane(three, 'p1', 'row', 0.1))[0]?.[3]).toBeCloseTo(0.6);
    expect(growPane(three, 'p1', 'column', 0.1)).toBe(three);
  });

  it('is shared out evenly again', () => {
    const moved = moveDivider(openBeside(openBeside(one, 'b'), 'c'), 's3', 0, 0.2);
    const widths = (layout: Layout) => placePanes(layout.root).map(({ width }) => +width.toFixed(3));
    expect(widths(moved)).not.toEqual([0.333, 0.333, 0.333]);
    expect(widths(evenOut(moved, 's3'))).toEqual([0.333, 0.333, 0.333]);
    expect(widths(evenOut(moved, 'other'))).toEqual(widths(moved));
  });
});
