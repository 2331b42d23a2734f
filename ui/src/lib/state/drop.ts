import type { Group } from '../client/generated/protocol';
import { parentOf, type Place, type Row } from './tree';

/** What is dragged in the list. */
export type Dragged =
  | { kind: 'sessions'; ids: readonly string[]; directories: readonly string[] }
  | { kind: 'group'; group: Group }
  | { kind: 'project'; id: string };

/** Where it goes: before a sibling, or behind all others. */
export type Drop =
  | { kind: 'sessions'; place: Place; before: string | null | 'first' }
  | { kind: 'group'; parent: string | null; before: string | null }
  | { kind: 'project'; before: string | null };

/** What shows where it goes. */
export type Mark = { kind: 'line'; top: number; level: number } | { kind: 'into'; key: string };

export interface Target {
  drop: Drop;
  mark: Mark;
}

/** Where a thing goes that is let go over a row; `down` says how far down in that row, from 0 to 1. */
export function target(
  rows: readonly Row[],
  at: number,
  down: number,
  dragged: Dragged,
  groups: ReadonlyMap<string, Group>,
): Target | null {
  const row = rows[at];
  if (!row) return null;
  if (dragged.kind === 'sessions') return forSessions(rows, row, at, down, dragged.directories);
  if (dragged.kind === 'group') return forGroup(rows, row, at, down, dragged.group, groups);
  return forProject(rows, row, at, down, dragged.id);
}

function forSessions(
  rows: readonly Row[],
  row: Row,
  at: number,
  down: number,
  directories: readonly string[],
): Target | null {
  const into = (place: Place, before: null | 'first'): Target => ({
    drop: { kind: 'sessions', place, before },
    mark: { kind: 'into', key: row.key },
  });
  const home = (directory: string) => directories.every((one) => one === directory);
  switch (row.kind) {
    case 'project':
      return into({ project: row.project.id, group: null }, 'first');
    case 'group':
      return into({ project: row.group.project, group: row.group.id }, 'first');
    case 'empty':
      return into({ project: row.project.id, group: null }, null);
    case 'directory':
      return home(row.directory) ? into({ project: null, group: null }, 'first') : null;
    case 'session': {
      const parent = rows.find(({ key }) => key === row.parent);
      if (row.shelved || !parent) return null;
      // What runs beside a session has no place of its own.
      if (parent.kind === 'session') return forSessions(rows, parent, rows.indexOf(parent), 1, directories);
      if (parent.kind === 'directory' && !home(parent.directory)) return null;
      const place: Place = {
        project:
          parent.kind === 'project'
            ? parent.project.id
            : parent.kind === 'group'
              ? parent.group.project
              : null,
        group: parent.kind === 'group' ? parent.group.id : null,
      };
      const upper = down < 0.5;
      let end = at + 1;
      while (rows[end]?.parent === row.key) end += 1;
      const last = rows[end - 1] ?? row;
      const next = rows[end];
      const following = next?.kind === 'session' && next.parent === row.parent ? next.session.id : null;
      return {
        drop: { kind: 'sessions', place, before: upper ? row.session.id : following },
        mark: { kind: 'line', top: upper ? row.top : last.top + last.height, level: row.level },
      };
    }
    default:
      return null;
  }
}

function forGroup(
  rows: readonly Row[],
  row: Row,
  at: number,
  down: number,
  group: Group,
  groups: ReadonlyMap<string, Group>,
): Target | null {
  const inside = (id: string | null): boolean => {
    for (let one = id ? groups.get(id) : undefined; one; one = parentOf(one, groups) ?? undefined)
      if (one.id === group.id) return true;
    return false;
  };
  const put = (parent: string | null, before: string | null, mark: Mark): Target | null =>
    inside(parent) ? null : { drop: { kind: 'group', parent, before }, mark };
  if (row.kind === 'project') {
    if (row.project.id !== group.project) return null;
    return put(null, null, { kind: 'into', key: row.key });
  }
  if (row.kind === 'group' && row.group.project === group.project) {
    if (row.group.id === group.id) return null;
    const parent = parentOf(row.group, groups)?.id ?? null;
    if (down < 0.3) return put(parent, row.group.id, { kind: 'line', top: row.top, level: row.level });
    const last = row.folded || rows[at + 1]?.level !== row.level + 1;
    if (down > 0.7 && last) {
      const following = rows.slice(at + 1).find((one) => one.level <= row.level);
      const before =
        following?.kind === 'group' && following.parent === row.parent ? following.group.id : null;
      return put(parent, before, { kind: 'line', top: row.top + row.height, level: row.level });
    }
    return put(row.group.id, null, { kind: 'into', key: row.key });
  }
  // Over what lies in a group or a project it goes into that.
  const above = rows.findIndex(({ key }) => key === row.parent);
  const parent = rows[above];
  return parent ? forGroup(rows, parent, above, 0.5, group, groups) : null;
}

function forProject(rows: readonly Row[], row: Row, at: number, down: number, id: string): Target | null {
  const own = rows.slice(0, at + 1).findLast((one) => one.kind === 'project');
  if (own?.kind !== 'project' || own.project.id === id) return null;
  if (row === own && down < 0.5)
    return {
      drop: { kind: 'project', before: own.project.id },
      mark: { kind: 'line', top: own.top, level: 1 },
    };
  const rest = rows.slice(rows.indexOf(own) + 1);
  const next = rest.find((one) => one.level === 1);
  const last = next ? next.top : (rows.at(-1)?.top ?? 0) + (rows.at(-1)?.height ?? 0);
  return {
    drop: { kind: 'project', before: next?.kind === 'project' ? next.project.id : null },
    mark: { kind: 'line', top: last, level: 1 },
  };
}

/** The rows that show in a part of the list, with some more before and behind; by binary search for the first. */
export function within(rows: readonly Row[], top: number, bottom: number): { from: number; to: number } {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle];
    if (row && row.top + row.height <= top) low = middle + 1;
    else high = middle;
  }
  let to = low;
  for (let row = rows[to]; row && row.top < bottom; row = rows[to]) to += 1;
  return { from: low, to };
}

/** The row at a height of the list. */
export function rowAt(rows: readonly Row[], y: number): number {
  const { from } = within(rows, y, y + 1);
  return from < rows.length ? from : -1;
}
