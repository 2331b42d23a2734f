import { describe, expect, it } from 'vitest';
import {
  close,
  closePane,
  cyclePane,
  cycleTab,
  emptyLayout,
  findPane,
  focusedPane,
  focusedSession,
  moveTab,
  only,
  open,
  openBeside,
  paneOf,
  panes,
  splitEmpty,
  visibleSessions,
  type Layout,
  type Node,
} from './tree';
import { evenOut, growPane, moveDivider, placeDividers, placePanes } from './sizes';
import { drop } from './drop';
import { restoreLayout } from './stored';

/** What a layout looks like, short: `[a b*]` is a pane with b in front, `(x | y)` a row, `(x / y)` a column. */
function draw(layout: Layout): string {
  const node = (one: Node): string => {
    if (one.kind === 'split') return `(${one.children.map(node).join(one.axis === 'row' ? ' | ' : ' / ')})`;
    const tabs = one.tabs.map((tab) => (tab === one.active ? `${tab}*` : tab)).join(' ');
    return `${one.id === layout.focus ? '>' : ''}[${tabs}]`;
  };
  return node(layout.root);
}

function check(layout: Layout): void {
  const all = panes(layout.root);
  expect(new Set(all.map((pane) => pane.id)).size).toBe(all.length);
  const tabs = all.flatMap((pane) => pane.tabs);
  expect(new Set(tabs).size).toBe(tabs.length);
  expect(findPane(layout, layout.focus)).toBeDefined();
  for (const pane of all) {
    if (pane.tabs.length === 0) expect(pane.active).toBeNull();
    else expect(pane.tabs).toContain(pane.active);
  }
  const shares = (node: Node): void => {
    if (node.kind === 'pane') return;
    expect(node.children.length).toBe(node.shares.length);
    expect(node.children.length).toBeGreaterThan(1);
    expect(node.shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
    node.children.forEach(shares);
  };
  shares(layout.root);
  // No two panes lie over each other, and there is no room without one.
  const room = placePanes(layout.root).reduce((sum, { width, height }) => sum + width * height, 0);
  expect(room).toBeCloseTo(1);
  expect(placeDividers(layout.root).length).toBe(all.length - 1);
}

const ab = open(open(emptyLayout(), 'a', 'tab'), 'b', 'tab');

describe('opening', () => {
  it('takes the front tab, or a new one after it', () => {
    expect(draw(open(emptyLayout(), 'a', 'front'))).toBe('>[a*]');
    expect(draw(ab)).toBe('>[a b*]');
    expect(draw(open(ab, 'c', 'front'))).toBe('>[a c*]');
    expect(draw(open(open(ab, 'a', 'front'), 'c', 'tab'))).toBe('>[a c* b]');
  });

  it('shows a session where it is open already', () => {
    const two = openBeside(ab, 'c');
    expect(draw(open(two, 'a', 'tab'))).toBe('(>[a* b] | [c*])');
  });

  it('splits, and moves a session that is open elsewhere', () => {
    expect(draw(openBeside(ab, 'c'))).toBe('([a b*] | >[c*])');
    expect(draw(openBeside(ab, 'b'))).toBe('([a*] | >[b*])');
    expect(draw(openBeside(openBeside(ab, 'c'), 'd'))).toBe('([a b*] | [c*] | >[d*])');
    expect(draw(openBeside(openBeside(ab, 'c'), 'd', undefined, 'bottom'))).toBe('([a b*] | ([c*] / >[d*]))');
  });

  it('does not leave an empty pane beside the new one', () => {
    expect(draw(openBeside(emptyLayout(), 'a'))).toBe('>[a*]');
    expect(draw(openBeside(open(emptyLayout(), 'a', 'tab'), 'a'))).toBe('>[a*]');
  });
});

describe('closing', () => {
  it('brings the neighbour to the front', () => {
    expect(draw(close(open(ab, 'a', 'tab'), 'a'))).toBe('>[b*]');
    expect(draw(close(ab, 'b'))).toBe('>[a*]');
    expect(draw(close(ab, 'a'))).toBe('>[b*]');
  });

  it('closes the pane with its last tab, but never the last pane', () => {
    expect(draw(close(openBeside(ab, 'c'), 'c'))).toBe('>[a b*]');
    expect(draw(close(close(ab, 'a'), 'b'))).toBe('>[]');
    expect(draw(closePane(openBeside(ab, 'c'), 'p1'))).toBe('>[c*]'.replace('>', '>'));
  });

  it('gives the room of a closed pane to the others in proportion', () => {
    const three = openBeside(openBeside(ab, 'c'), 'd');
    const two = close(three, 'd');
    expect(two.root.kind === 'split' && two.root.shares).toEqual([2 / 3, 1 / 3]);
  });
});

describe('dividers', () => {
  it('move between limits', () => {
    const two = openBeside(ab, 'c');
    const id = two.root.id;
    const shares = (layout: Layout) =>
      layout.root.kind === 'split' && layout.root.shares.map((s) => +s.toFixed(3));
    expect(shares(moveDivider(two, id, 0, 0.3))).toEqual([0.3, 0.7]);
    expect(shares(moveDivider(two, id, 0, -1))).toEqual([0.1, 0.9]);
    expect(shares(moveDivider(two, id, 0, 2))).toEqual([0.9, 0.1]);
    expect(shares(moveDivider(two, id, 1, 0.3))).toEqual([0.5, 0.5]);
  });
});

describe('moving about', () => {
  it('moves tabs within a pane and between panes', () => {
    expect(draw(moveTab(ab, 'b', 'p1', 0))).toBe('>[b* a]');
    const two = openBeside(ab, 'c');
    expect(draw(moveTab(two, 'a', 'p2', 0))).toBe('([b*] | >[a* c])');
    expect(draw(moveTab(two, 'c', 'p1', 9))).toBe('>[a b c*]');
  });

  it('cycles tabs and panes', () => {
    expect(draw(cycleTab(ab, 1))).toBe('>[a* b]');
    expect(draw(cycleTab(ab, -1))).toBe('>[a* b]');
    const two = openBeside(ab, 'c');
    expect(focusedSession(cyclePane(two, 1))).toBe('b');
    expect(visibleSessions(two)).toEqual(['b', 'c']);
  });
});

describe('any sequence of operations', () => {
  it('keeps the layout sound', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      return seed % below;
    };
    const session = () => `s${random(12)}`;
    const pane = (layout: Layout) => panes(layout.root)[random(panes(layout.root).length)]?.id ?? 'none';
    const steps: ((layout: Layout) => Layout)[] = [
      (layout) => open(layout, session(), random(2) ? 'tab' : 'front'),
      (layout) => openBeside(layout, session(), pane(layout), random(2) ? 'right' : 'top'),
      (layout) => close(layout, session()),
      (layout) => closePane(layout, pane(layout)),
      (layout) => moveTab(layout, session(), pane(layout), random(4)),
      (layout) => moveDivider(layout, layout.root.id, random(3), random(100) / 100),
      (layout) => cycleTab(layout, 1),
      (layout) => cyclePane(layout, -1),
      (layout) => splitEmpty(layout, pane(layout), random(2) ? 'left' : 'bottom'),
      (layout) =>
        drop(layout, session(), { kind: 'edge', pane: pane(layout), edge: random(2) ? 'left' : 'bottom' }),
      (layout) => drop(layout, session(), { kind: 'middle', pane: pane(layout) }),
      (layout) => drop(layout, session(), { kind: 'tab', pane: pane(layout), index: random(5) }),
      (layout) => growPane(layout, pane(layout), random(2) ? 'row' : 'column', 0.05),
      (layout) => (random(8) ? layout : evenOut(layout)),
      (layout) => ({ ...layout, zoomed: random(2) === 0 && layout.root.kind === 'split' }),
    ];
    let layout = emptyLayout();
    for (let step = 0; step < 3000; step += 1) {
      layout = steps[random(steps.length)]?.(layout) ?? layout;
      check(layout);
      const restored = restoreLayout(JSON.parse(JSON.stringify(layout)), () => true);
      check(restored);
      if (panes(layout.root).some((one) => one.tabs.length > 0)) {
        expect(draw(restored)).toBe(draw(layout));
        expect(restored.zoomed).toBe(layout.zoomed);
      }
    }
  });
});

describe('a layout of some of its sessions', () => {
  it('has no others, and no panes for them', () => {
    const two = openBeside(ab, 'c');
    expect(draw(only(two, (session) => session !== 'c'))).toBe('>[a b*]');
    expect(draw(only(two, () => false))).toBe('>[]');
    expect(only(two, () => true)).toBe(two);
  });
});

describe('a layout that was kept', () => {
  const two = openBeside(ab, 'c');
  it('comes back as it was', () => {
    expect(draw(restoreLayout(JSON.parse(JSON.stringify(two)), () => true))).toBe(draw(two));
  });
  it('loses sessions that are gone, and panes that only had those', () => {
    expect(draw(restoreLayout(two, (session) => session !== 'c'))).toBe('>[a b*]');
    expect(draw(restoreLayout(two, () => false))).toBe('>[]');
  });
  it('gives new panes ids of their own', () => {
    const restored = restoreLayout(two, () => true);
    check(openBeside(restored, 'x'));
  });
  it.each([
    null,
    7,
    {},
    { root: { kind: 'pane' } },
    { root: { kind: 'split', id: 'x', axis: 'row', children: 3 } },
  ])('that is nonsense (%j) becomes an empty window', (stored) =>
    expect(draw(restoreLayout(stored, () => true))).toBe('>[]'),
  );
  it('with shares that make no sense is mended', () => {
    const bad = structuredClone(two) as unknown as { root: { shares: unknown[] } };
    bad.root.shares = [Number.NaN, -3];
    const restored = restoreLayout(bad, () => true);
    check(restored);
    expect(paneOf(restored, 'c')?.id).toBe('p2');
    expect(focusedPane(restored).id).toBe('p2');
  });
});
