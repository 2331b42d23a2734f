import { emptyLayout, panes, type Layout, type Node } from './tree';

/** More panes or tabs than any window has are not believed. */
const MOST_PANES = 64;
const MOST_TABS = 500;

/**
 * Reads a layout as it was kept. It may come from another version, or name sessions that are gone: those are left out,
 * and what makes no sense becomes an empty window.
 */
export function restoreLayout(stored: unknown, exists: (session: string) => boolean): Layout {
  const ids = new Set<string>();
  const seen = new Set<string>();
  let next = 1;
  const read = (value: unknown, depth: number): Node | null => {
    if (!isRecord(value) || depth > 16 || ids.size > MOST_PANES * 2) return null;
    const id = value['id'];
    if (typeof id !== 'string' || ids.has(id)) return null;
    ids.add(id);
    next = Math.max(next, (Number.parseInt(id.slice(1), 10) || 0) + 1);
    if (value['kind'] === 'pane') {
      const list = Array.isArray(value['tabs']) ? (value['tabs'] as unknown[]).slice(0, MOST_TABS) : [];
      const tabs = list.filter(
        (tab): tab is string => typeof tab === 'string' && exists(tab) && !seen.has(tab),
      );
      tabs.forEach((tab) => seen.add(tab));
      // A pane that was kept empty waits for a session; one whose sessions are gone has nothing to show.
      if (tabs.length === 0 && list.length > 0) return null;
      const wanted = value['active'];
      const active = typeof wanted === 'string' && tabs.includes(wanted) ? wanted : (tabs[0] ?? null);
      return { kind: 'pane', id, tabs: [...new Set(tabs)], active };
    }
    const axis = value['axis'];
    if (value['kind'] !== 'split' || (axis !== 'row' && axis !== 'column')) return null;
    if (!Array.isArray(value['children']) || !Array.isArray(value['shares'])) return null;
    const kept: { child: Node; share: number }[] = [];
    const shares = value['shares'] as unknown[];
    (value['children'] as unknown[]).forEach((child, at) => {
      const share = shares[at];
      const node = read(child, depth + 1);
      const sound = typeof share === 'number' && Number.isFinite(share) && share > 0;
      if (node) kept.push({ child: node, share: sound ? share : 0.5 });
    });
    if (kept.length <= 1) return kept[0]?.child ?? null;
    const sum = kept.reduce((total, { share }) => total + share, 0);
    return {
      kind: 'split',
      id,
      axis,
      children: kept.map((k) => k.child),
      shares: kept.map((k) => k.share / sum),
    };
  };
  if (!isRecord(stored)) return emptyLayout();
  const root = read(stored['root'], 0);
  if (!root || panes(root).every((pane) => pane.tabs.length === 0)) return emptyLayout();
  const focus = stored['focus'];
  const all = panes(root);
  const focused = all.find((pane) => pane.id === focus) ?? all[0];
  const zoomed = stored['zoomed'] === true && root.kind === 'split';
  return focused ? { root, focus: focused.id, zoomed, next } : emptyLayout();
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
