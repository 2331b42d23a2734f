/** How the room is shared between panes. Pure, like the tree. */

import { panes, SMALLEST_SHARE, type Layout, type Node, type Pane, type Split } from './tree';

/** A part of the room, each side as a share of the whole. */
export interface Place {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface PlacedPane extends Place {
  pane: Pane;
}

export interface PlacedDivider extends Place {
  split: Split;
  /** It parts this child of the split from the next one. */
  at: number;
  /** The room of the two that it parts. */
  both: Place;
}

const WHOLE: Place = { left: 0, top: 0, width: 1, height: 1 };

/**
 * Where each pane is. Flat, and not nested as the tree is: a pane whose neighbours change stays the same element, and the
 * terminal in it is neither drawn anew nor opened again.
 */
export function placePanes(node: Node, place: Place = WHOLE): PlacedPane[] {
  if (node.kind === 'pane') return [{ pane: node, ...place }];
  return parts(node, place).flatMap((part, at) => {
    const child = node.children[at];
    return child ? placePanes(child, part) : [];
  });
}

/** Where the dividers are: lines, without width. */
export function placeDividers(node: Node, place: Place = WHOLE): PlacedDivider[] {
  if (node.kind === 'pane') return [];
  const all = parts(node, place);
  return node.children.flatMap((child, at) => {
    const [part, before] = [all[at], all[at - 1]];
    if (!part) return [];
    const below = placeDividers(child, part);
    if (!before) return below;
    const row = node.axis === 'row';
    const both = row
      ? { ...before, width: before.width + part.width }
      : { ...before, height: before.height + part.height };
    const line = row ? { ...part, width: 0 } : { ...part, height: 0 };
    return [{ ...line, split: node, at: at - 1, both }, ...below];
  });
}

function parts(split: Split, place: Place): Place[] {
  let gone = 0;
  return split.shares.map((share) => {
    const from = gone;
    gone += share;
    return split.axis === 'row'
      ? { ...place, left: place.left + from * place.width, width: share * place.width }
      : { ...place, top: place.top + from * place.height, height: share * place.height };
  });
}

function mapSplits(node: Node, change: (split: Split) => Split): Node {
  if (node.kind === 'pane') return node;
  const changed = change(node);
  return { ...changed, children: changed.children.map((child) => mapSplits(child, change)) };
}

/** Moves the divider after a split's child: `share` is that child's share of the two that the divider parts. */
export function moveDivider(layout: Layout, splitId: string, at: number, share: number): Layout {
  const change = (split: Split): Split => {
    const [one, two] = [split.shares[at], split.shares[at + 1]];
    if (split.id !== splitId || one === undefined || two === undefined) return split;
    const sum = one + two;
    const smallest = Math.min(SMALLEST_SHARE, sum / 2);
    const first = Math.min(sum - smallest, Math.max(smallest, share * sum));
    return { ...split, shares: split.shares.toSpliced(at, 2, first, sum - first) };
  };
  return { ...layout, root: mapSplits(layout.root, change) };
}

/** Gives all that one split (or, without one, every split) shares out the same room. */
export function evenOut(layout: Layout, splitId?: string): Layout {
  const change = (split: Split): Split =>
    splitId === undefined || split.id === splitId
      ? { ...split, shares: split.shares.map(() => 1 / split.shares.length) }
      : split;
  return { ...layout, root: mapSplits(layout.root, change) };
}

/** Makes a pane wider or higher by a share of what it and its neighbour have, where it has one in that direction. */
export function growPane(layout: Layout, paneId: string, axis: Split['axis'], by: number): Layout {
  const found = nearest(layout.root, paneId, axis);
  if (!found) return layout;
  const { split, at } = found;
  const last = at === split.shares.length - 1;
  const divider = last ? at - 1 : at;
  const [one = 0, two = 0] = split.shares.slice(divider, divider + 2);
  const share = one / (one + two || 1);
  return moveDivider(layout, split.id, divider, last ? share - by : share + by);
}

/** The innermost split of that axis around a pane, and which of its children has the pane. */
function nearest(node: Node, paneId: string, axis: Split['axis']): { split: Split; at: number } | undefined {
  if (node.kind === 'pane') return undefined;
  const at = node.children.findIndex((child) => panes(child).some((pane) => pane.id === paneId));
  const child = node.children[at];
  if (!child) return undefined;
  return nearest(child, paneId, axis) ?? (node.axis === axis ? { split: node, at } : undefined);
}
