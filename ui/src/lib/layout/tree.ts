/**
 * The panes of a window as a tree of splits. Pure: every function returns a new layout, or the same one where nothing
 * changes. A session is open in one tab at most.
 */

export interface Pane {
  kind: 'pane';
  id: string;
  /** Sessions, in the order of their tabs. */
  tabs: readonly string[];
  /** The session that is shown; null in an empty pane. */
  active: string | null;
}

export interface Split {
  kind: 'split';
  id: string;
  /** `row`: side by side. `column`: one above the other. */
  axis: 'row' | 'column';
  children: readonly Node[];
  /** The children's shares of the room; their sum is 1. */
  shares: readonly number[];
}

export type Node = Pane | Split;

export interface Layout {
  root: Node;
  /** The pane that has the person's attention. */
  focus: string;
  /** That pane has the whole room for itself. */
  zoomed: boolean;
  /** For the next id. */
  next: number;
}

/** Smallest share that a divider leaves to a side. */
export const SMALLEST_SHARE = 0.1;

export function emptyLayout(): Layout {
  return { root: { kind: 'pane', id: 'p1', tabs: [], active: null }, focus: 'p1', zoomed: false, next: 2 };
}

export function panes(node: Node): Pane[] {
  return node.kind === 'pane' ? [node] : node.children.flatMap(panes);
}

export function findPane(layout: Layout, id: string): Pane | undefined {
  return panes(layout.root).find((pane) => pane.id === id);
}

/** The pane where a session is open. */
export function paneOf(layout: Layout, session: string): Pane | undefined {
  return panes(layout.root).find((pane) => pane.tabs.includes(session));
}

export function focusedPane(layout: Layout): Pane {
  const all = panes(layout.root);
  const found = all.find((pane) => pane.id === layout.focus) ?? all[0];
  if (!found) throw new Error('A layout without panes.');
  return found;
}

/** The session in front in the focused pane. */
export function focusedSession(layout: Layout): string | null {
  return focusedPane(layout).active;
}

/** The sessions that can be seen. */
export function visibleSessions(layout: Layout): string[] {
  return panes(layout.root).flatMap((pane) => pane.active ?? []);
}

function mapPane(node: Node, id: string, change: (pane: Pane) => Pane): Node {
  if (node.kind === 'pane') return node.id === id ? change(node) : node;
  const children = node.children.map((child) => mapPane(child, id, change));
  return children.every((child, at) => child === node.children[at]) ? node : { ...node, children };
}

function withPane(layout: Layout, id: string, change: (pane: Pane) => Pane): Layout {
  return { ...layout, root: mapPane(layout.root, id, change) };
}

export function focusPane(layout: Layout, id: string): Layout {
  return layout.focus === id || !findPane(layout, id) ? layout : { ...layout, focus: id };
}

export type Where =
  /** In place of the focused pane's front tab. */
  | 'front'
  /** In a tab of its own. */
  | 'tab';

/** Shows a session: where it is open already, else in the focused pane. */
export function open(layout: Layout, session: string, where: Where): Layout {
  const there = paneOf(layout, session);
  if (there)
    return { ...withPane(layout, there.id, (pane) => ({ ...pane, active: session })), focus: there.id };
  const pane = focusedPane(layout);
  const at = pane.active === null ? -1 : pane.tabs.indexOf(pane.active);
  const tabs = [...pane.tabs];
  if (where === 'front' && at >= 0) tabs[at] = session;
  else tabs.splice(at + 1, 0, session);
  return { ...withPane(layout, pane.id, (old) => ({ ...old, tabs, active: session })), focus: pane.id };
}

/** Where something goes, seen from a pane. */
export type Edge = 'left' | 'right' | 'top' | 'bottom';

/** Opens a session in a new pane beside (or under) another one; a session that is open elsewhere moves there. */
export function openBeside(
  layout: Layout,
  session: string,
  besideId = layout.focus,
  edge: Edge = 'right',
): Layout {
  const from = paneOf(layout, session);
  if (from && from.tabs.length === 1) {
    // Alone in its pane: it has what it asks for, unless it is the only pane there is.
    return { ...layout, focus: from.id, zoomed: false };
  }
  return moveBeside(layout, session, besideId, edge);
}

/** Puts a session into a pane of its own at an edge of another pane, wherever it was. */
export function moveBeside(layout: Layout, session: string, besideId: string, edge: Edge): Layout {
  const from = paneOf(layout, session);
  const alone = from !== undefined && from.tabs.length === 1;
  if (alone && from.id === besideId) return focusPane(layout, from.id);
  const freed = !from
    ? layout
    : alone
      ? closePane(layout, from.id)
      : withPane(layout, from.id, (pane) => without(pane, session));
  const target = findPane(freed, besideId) ?? focusedPane(freed);
  if (target.tabs.length === 0) return open({ ...freed, focus: target.id, zoomed: false }, session, 'tab');
  // A pane that moves whole stays the same pane.
  const id = alone ? from.id : `p${freed.next}`;
  return insert(freed, { kind: 'pane', id, tabs: [session], active: session }, target.id, edge);
}

/** An empty pane at an edge of another one; that one itself where it is empty. */
export function splitEmpty(layout: Layout, besideId: string, edge: Edge): Layout {
  const target = findPane(layout, besideId);
  if (!target || target.tabs.length === 0) return layout;
  return insert(layout, { kind: 'pane', id: `p${layout.next}`, tabs: [], active: null }, besideId, edge);
}

function insert(layout: Layout, pane: Pane, besideId: string, edge: Edge): Layout {
  const axis = edge === 'left' || edge === 'right' ? 'row' : 'column';
  const before = edge === 'left' || edge === 'top';
  const root = insertBeside(layout.root, besideId, pane, axis, before, `s${layout.next + 1}`);
  return { root, focus: pane.id, zoomed: false, next: layout.next + 2 };
}

function insertBeside(
  node: Node,
  target: string,
  pane: Pane,
  axis: Split['axis'],
  before: boolean,
  splitId: string,
): Node {
  if (node.kind === 'pane') {
    if (node.id !== target) return node;
    const children = before ? [pane, node] : [node, pane];
    return { kind: 'split', id: splitId, axis, children, shares: [0.5, 0.5] };
  }
  const at = node.children.findIndex((child) => child.kind === 'pane' && child.id === target);
  if (at >= 0 && node.axis === axis) {
    const share = (node.shares[at] ?? 0) / 2;
    const children = node.children.toSpliced(before ? at : at + 1, 0, pane);
    const shares = node.shares.toSpliced(at, 1, share, share);
    return { ...node, children, shares };
  }
  return {
    ...node,
    children: node.children.map((child) => insertBeside(child, target, pane, axis, before, splitId)),
  };
}

/** A pane without a session; the tab to the right comes to the front, or the last one. */
function without(pane: Pane, session: string): Pane {
  const at = pane.tabs.indexOf(session);
  if (at < 0) return pane;
  const tabs = pane.tabs.toSpliced(at, 1);
  const active = pane.active === session ? (tabs[at] ?? tabs.at(-1) ?? null) : pane.active;
  return { ...pane, tabs, active };
}

/** Closes a session's tab, and its pane where that was the last tab and another pane is left. */
export function close(layout: Layout, session: string): Layout {
  const pane = paneOf(layout, session);
  if (!pane) return layout;
  const rest = withPane(layout, pane.id, (old) => without(old, session));
  return pane.tabs.length > 1 ? rest : closePane(rest, pane.id);
}

/** The layout without the tabs of sessions that are not `wanted`. */
export function only(layout: Layout, wanted: (session: string) => boolean): Layout {
  const unwanted = panes(layout.root).flatMap((pane) => pane.tabs.filter((session) => !wanted(session)));
  return unwanted.reduce(close, layout);
}

/** Closes a pane with all its tabs. The last pane is emptied instead. */
export function closePane(layout: Layout, id: string): Layout {
  const all = panes(layout.root);
  const at = all.findIndex((pane) => pane.id === id);
  if (at < 0) return layout;
  if (all.length === 1) return withPane(layout, id, (pane) => ({ ...pane, tabs: [], active: null }));
  const root = prune(layout.root, id);
  if (!root) return layout;
  const heir = all[at - 1] ?? all[at + 1];
  const focus = layout.focus === id && heir ? heir.id : layout.focus;
  return { ...layout, root, focus, zoomed: layout.zoomed && root.kind === 'split' };
}

function prune(node: Node, id: string): Node | null {
  if (node.kind === 'pane') return node.id === id ? null : node;
  const kept: { child: Node; share: number }[] = [];
  node.children.forEach((child, at) => {
    const pruned = prune(child, id);
    if (pruned) kept.push({ child: pruned, share: node.shares[at] ?? 0 });
  });
  const [only] = kept;
  if (kept.length === 1 && only) return only.child;
  if (kept.length === 0) return null;
  const sum = kept.reduce((total, { share }) => total + share, 0);
  return { ...node, children: kept.map(({ child }) => child), shares: kept.map(({ share }) => share / sum) };
}

/** Moves a tab within its pane, or to another pane. */
export function moveTab(layout: Layout, session: string, toPane: string, index: number): Layout {
  const from = paneOf(layout, session);
  const to = findPane(layout, toPane);
  if (!from || !to) return layout;
  const taken = withPane(layout, from.id, (pane) => without(pane, session));
  const put = withPane(taken, toPane, (pane) => ({
    ...pane,
    tabs: pane.tabs.toSpliced(Math.max(0, Math.min(index, pane.tabs.length)), 0, session),
    active: session,
  }));
  const left = from.id !== toPane && from.tabs.length === 1 ? closePane(put, from.id) : put;
  return { ...left, focus: toPane };
}

/** The tab after (or before) the front one in the focused pane. */
export function cycleTab(layout: Layout, by: 1 | -1): Layout {
  const pane = focusedPane(layout);
  if (pane.active === null || pane.tabs.length < 2) return layout;
  const at = (pane.tabs.indexOf(pane.active) + by + pane.tabs.length) % pane.tabs.length;
  return withPane(layout, pane.id, (old) => ({ ...old, active: old.tabs[at] ?? old.active }));
}

/** The pane after (or before) the focused one. */
export function cyclePane(layout: Layout, by: 1 | -1): Layout {
  const all = panes(layout.root);
  const at = all.findIndex((pane) => pane.id === focusedPane(layout).id);
  const next = all[(at + by + all.length) % all.length];
  return next ? focusPane(layout, next.id) : layout;
}
