import { createContext } from 'svelte';
import { elementId, folds, type Row } from '$lib/state/tree';
import type { MenuPlace } from '../parts/menu';

/** What a row asks of the tree that it is in. */
export interface TreeOf {
  focus(key: string): void;
  menu(row: Row, at: MenuPlace): void;
}

export const [getTree, setTree] = createContext<TreeOf>();

/** What every item says of itself. Rows that are out of sight are not in the document: places are said, not counted. */
export function treeitem(row: Row, active: string | null) {
  return {
    id: elementId(row.key),
    role: 'treeitem',
    tabindex: row.key === active ? 0 : -1,
    'aria-level': row.level,
    'aria-posinset': row.at,
    'aria-setsize': row.of,
    'aria-expanded': folds(row) ? !row.folded : undefined,
    'data-key': row.key,
  } as const;
}
