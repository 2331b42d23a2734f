/** Where a tab that is dragged would go. Pure: rectangles in, a target out. */

import { findPane, moveBeside, moveTab, open, paneOf, type Edge, type Layout } from './tree';

export type Target =
  /** Among a pane's tabs, before the one with that index (counted without the tab itself). */
  | { kind: 'tab'; pane: string; index: number }
  /** Into the pane, as its front tab. */
  | { kind: 'middle'; pane: string }
  /** Into a new pane at that edge. */
  | { kind: 'edge'; pane: string; edge: Edge };

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Share of a pane's width or height from its edge inwards that means the edge, and its bounds in pixels. */
const EDGE = { share: 0.28, least: 36, most: 180 };

/** The zone of a pane under a point: the nearest edge, or the middle. */
export function zone(box: Box, x: number, y: number): Edge | 'middle' {
  const across = reach(box.width);
  const down = reach(box.height);
  const near: [Edge, number][] = [
    ['left', (x - box.left) / across],
    ['right', (box.left + box.width - x) / across],
    ['top', (y - box.top) / down],
    ['bottom', (box.top + box.height - y) / down],
  ];
  const [edge, distance] = near.reduce((best, one) => (one[1] < best[1] ? one : best));
  return distance < 1 ? edge : 'middle';
}

function reach(length: number): number {
  return Math.min(EDGE.most, length / 2, Math.max(EDGE.least, length * EDGE.share));
}

/** The part of a pane that a session would have, as the preview shows it. */
export function previewed(box: Box, where: Edge | 'middle'): Box {
  const { left, top, width, height } = box;
  switch (where) {
    case 'middle':
      return box;
    case 'left':
      return { left, top, width: width / 2, height };
    case 'right':
      return { left: left + width / 2, top, width: width / 2, height };
    case 'top':
      return { left, top, width, height: height / 2 };
    case 'bottom':
      return { left, top: top + height / 2, width, height: height / 2 };
  }
}

/** Which place among tabs a point means: those whose middle lies before it are passed; `back` where tabs run to the left. */
export function tabIndex(tabs: readonly { left: number; width: number }[], x: number, back = false): number {
  return tabs.filter(({ left, width }) => (back ? left + width / 2 > x : left + width / 2 < x)).length;
}

/** The layout after a session was dropped; the same one where that changes nothing. */
export function drop(layout: Layout, session: string, target: Target): Layout {
  const to = findPane(layout, target.pane);
  if (!to) return layout;
  const from = paneOf(layout, session);
  switch (target.kind) {
    case 'edge':
      return from?.id === to.id && from.tabs.length === 1
        ? layout
        : moveBeside(layout, session, to.id, target.edge);
    case 'middle':
      if (!from) return open({ ...layout, focus: to.id }, session, 'tab');
      return from.id === to.id ? layout : moveTab(layout, session, to.id, to.tabs.length);
    case 'tab': {
      if (from?.id === to.id && from.tabs.indexOf(session) === target.index) return layout;
      if (from) return moveTab(layout, session, to.id, target.index);
      const opened = open({ ...layout, focus: to.id }, session, 'tab');
      return moveTab(opened, session, to.id, target.index);
    }
  }
}
