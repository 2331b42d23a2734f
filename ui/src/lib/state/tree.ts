import type { Group, Project, Session } from '../client/generated/protocol';
import { baseName, shortPath, shownStatus, type Shown } from './describe';
import { say } from '../words';

/** Pixels of each kind of row. Fixed, so that the place of a row is known without drawing those before it. */
export const HEIGHT = {
  label: 30,
  project: 28,
  directory: 28,
  group: 26,
  session: 44,
  empty: 28,
  shelf: 28,
} as const;

/** What a row is, without its place. */
export type Content =
  /** A line of words between parts; not an item. */
  | { kind: 'label'; text: string }
  | { kind: 'project'; project: Project; count: number; folded: boolean; path: string; ambiguous: boolean }
  /** Sessions of a directory that is no project. */
  | {
      kind: 'directory';
      directory: string;
      name: string;
      path: string;
      count: number;
      folded: boolean;
      ambiguous: boolean;
    }
  | { kind: 'group'; group: Group; count: number; folded: boolean }
  | { kind: 'session'; session: Session; shelved: boolean }
  /** Stands for what is not there yet in a project. */
  | { kind: 'empty'; project: Project }
  /** What was put away. */
  | { kind: 'shelf'; shelf: 'archive' | 'trash'; count: number; folded: boolean };

/** Of what lies in a row, the status that wants the person most; nothing where none does. */
export type Wants = Extract<Shown, 'waiting' | 'blocked' | 'done'> | null;

export type Row = Content & {
  /** Stays the same as long as the thing does. */
  key: string;
  /** The row that it is folded under. */
  parent: string | null;
  /** As assistive technology counts: 1 at the top. */
  level: number;
  /** Place among its siblings, from 1, and how many they are; 0 for what is no item. */
  at: number;
  of: number;
  top: number;
  height: number;
  wants: Wants;
};
export type SessionRowOf = Extract<Row, { kind: 'session' }>;

/** Where a session is put. */
export interface Place {
  project: string | null;
  group: string | null;
}

export interface Known {
  sessions: readonly Session[];
  projects: Iterable<Project>;
  groups: Iterable<Group>;
  home: string;
  /** Keys of rows that are not as they are by themselves: shelves folded, all else unfolded. */
  folds: ReadonlySet<string>;
  /** Only these sessions; with it, what has none is left out and nothing is folded. */
  fits?: ((session: Session) => boolean) | undefined;
}

interface Node {
  content: Content;
  key: string;
  children: Node[];
}

/** The list as a tree: projects, in them groups and sessions, then directories that are none. */
export function treeRows(known: Known): Row[] {
  const builder = new Builder(known);
  const projects = builder.projects();
  const directories = builder.directories();
  if (projects.length > 0 && directories.length > 0)
    directories.unshift({
      key: 'label',
      content: { kind: 'label', text: say.list.otherDirectories },
      children: [],
    });
  return placed([...projects, ...directories, ...builder.shelves()]);
}

/** The list without projects, in the order given. */
export function flatRows(known: Known, ordered: readonly Session[]): Row[] {
  const wanted = known.fits ? ordered.filter(known.fits) : ordered;
  return placed([...wanted.map((session) => sessionNode(session)), ...new Builder(known).shelves()]);
}

/** Sessions of one place, as the list shows them: pinned first, then the person's order, then the newest. */
export function bySiblings(a: Session, b: Session): number {
  // Ids sort by creation.
  return Number(b.pinned) - Number(a.pinned) || compare(a.position, b.position) || compare(b.id, a.id);
}

/** Projects and groups: the person's order, else the oldest first. */
export function byPosition<T extends { id: string; position: number }>(a: T, b: T): number {
  return compare(a.position, b.position) || compare(a.id, b.id);
}

/** Where a session is, as far as that place is known. */
export function placeOf(
  session: Session,
  projects: ReadonlyMap<string, Project>,
  groups: ReadonlyMap<string, Group>,
): Place {
  const project = session.project && projects.has(session.project) ? session.project : null;
  const group = session.group && groups.get(session.group)?.project === project ? session.group : null;
  return { project, group: project === null ? null : group };
}

/** The group that a group is shown in. What lies in a circle, in a damaged database, lies at the top. */
export function parentOf(group: Group, groups: ReadonlyMap<string, Group>): Group | null {
  const above = (one: Group): Group | null => {
    const parent = one.parent ? groups.get(one.parent) : undefined;
    return parent && parent.project === one.project ? parent : null;
  };
  const seen = new Set([group.id]);
  for (let at = above(group); at; at = above(at)) {
    if (seen.has(at.id)) return null;
    seen.add(at.id);
  }
  return above(group);
}

/** A project's groups in the order of the list, with how deep each lies. */
export function groupsOf(
  project: string,
  groups: ReadonlyMap<string, Group>,
): { group: Group; depth: number }[] {
  const mine = [...groups.values()].filter((group) => group.project === project).sort(byPosition);
  const under = (parent: Group | null, depth: number): { group: Group; depth: number }[] =>
    mine
      .filter((group) => parentOf(group, groups) === parent)
      .flatMap((group) => [{ group, depth }, ...under(group, depth + 1)]);
  return under(null, 0);
}

export function sessionKey(id: string): string {
  return `s:${id}`;
}

/** The same row's element. Sessions have the id that the rest of the window knows them by. */
export function elementId(key: string): string {
  return key.startsWith('s:') ? `session-${key.slice(2)}` : `row-${key}`;
}

/** Whether a row can be folded. */
export function folds(row: Row): row is Row & { folded: boolean } {
  return 'folded' in row;
}

class Builder {
  private readonly projectsById: Map<string, Project>;
  private readonly groupsById: Map<string, Group>;
  private readonly byPlace = new Map<string, Session[]>();
  /** What runs beside a session, by that session. */
  private readonly beside: ReadonlyMap<string, readonly Session[]>;

  constructor(private readonly known: Known) {
    this.projectsById = new Map([...known.projects].map((project) => [project.id, project]));
    this.groupsById = new Map([...known.groups].map((group) => [group.id, group]));
    this.beside = runsBeside(known.sessions);
    for (const session of known.sessions) {
      if (session.trashed_at || session.archived_at || session.runs_for) continue;
      if (known.fits && !known.fits(session)) continue;
      const place = placeOf(session, this.projectsById, this.groupsById);
      const key = place.group ?? place.project ?? `d:${session.cwd}`;
      const list = this.byPlace.get(key);
      if (list) list.push(session);
      else this.byPlace.set(key, [session]);
    }
  }

  projects(): Node[] {
    const { home } = this.known;
    const list = [...this.projectsById.values()].sort(byPosition);
    const names = tally(list.map(({ name }) => name));
    return list.flatMap((project) => {
      const key = `p:${project.id}`;
      const children = [...this.groups(project, null), ...this.sessions(project.id)];
      if (children.length === 0 && this.known.fits) return [];
      if (children.length === 0)
        children.push({ key: `${key} empty`, content: { kind: 'empty', project }, children: [] });
      const content: Content = {
        kind: 'project',
        project,
        count: count(children),
        folded: this.folded(key),
        path: shortPath(project.path, home),
        ambiguous: (names.get(project.name) ?? 0) > 1,
      };
      return [{ key, content, children }];
    });
  }

  directories(): Node[] {
    const { home } = this.known;
    const found = [...this.byPlace.keys()].filter((key) => key.startsWith('d:')).map((key) => key.slice(2));
    const list = found.map((directory) => ({
      directory,
      name: directory === home ? '~' : baseName(directory),
    }));
    list.sort((a, b) => a.name.localeCompare(b.name) || compare(a.directory, b.directory));
    const names = tally(list.map(({ name }) => name));
    return list.map(({ directory, name }): Node => {
      const key = `d:${directory}`;
      const children = this.sessions(key);
      return {
        key,
        children,
        content: {
          kind: 'directory',
          directory,
          name,
          path: shortPath(directory, home),
          count: children.length,
          folded: this.folded(key),
          ambiguous: (names.get(name) ?? 0) > 1,
        },
      };
    });
  }

  shelves(): Node[] {
    const { sessions, fits } = this.known;
    const away = sessions.filter(
      (session) =>
        (session.trashed_at || session.archived_at) && !session.runs_for && (!fits || fits(session)),
    );
    const newest = (a: Session, b: Session) =>
      compare(b.trashed_at ?? b.archived_at ?? '', a.trashed_at ?? a.archived_at ?? '') ||
      compare(b.id, a.id);
    return (['archive', 'trash'] as const).flatMap((shelf) => {
      const list = away.filter((session) => (shelf === 'trash') === (session.trashed_at !== null));
      if (list.length === 0) return [];
      const children = list.sort(newest).map((session) => sessionNode(session, true));
      // A filter does not unfold them: what was put away does not come in between.
      const folded = !this.known.folds.has(shelf);
      return [{ key: shelf, content: { kind: 'shelf', shelf, count: list.length, folded }, children }];
    });
  }

  private groups(project: Project, parent: Group | null): Node[] {
    const mine = [...this.groupsById.values()].filter(
      (group) => group.project === project.id && parentOf(group, this.groupsById) === parent,
    );
    return mine.sort(byPosition).flatMap((group) => {
      const key = `g:${group.id}`;
      const children = [...this.groups(project, group), ...this.sessions(group.id)];
      if (children.length === 0 && this.known.fits) return [];
      const content: Content = { kind: 'group', group, count: count(children), folded: this.folded(key) };
      return [{ key, content, children }];
    });
  }

  private sessions(place: string): Node[] {
    return (this.byPlace.get(place) ?? []).sort(bySiblings).map((session) => ({
      ...sessionNode(session),
      children: (this.beside.get(session.id) ?? []).map((run) => sessionNode(run)),
    }));
  }

  private folded(key: string): boolean {
    return !this.known.fits && this.known.folds.has(key);
  }
}

function sessionNode(session: Session, shelved = false): Node {
  return { key: sessionKey(session.id), content: { kind: 'session', session, shelved }, children: [] };
}

/**
 * Commands that run beside sessions, by the session in whose workspace they do, the oldest first. A script that ended well has
 * nothing more to say.
 */
export function runsBeside(sessions: Iterable<Session>): Map<string, Session[]> {
  const found = new Map<string, Session[]>();
  for (const session of sessions) {
    const { runs_for: beside, status, exit } = session;
    if (!beside || session.trashed_at || session.archived_at) continue;
    const script = beside.name === 'setup' || beside.name === 'teardown';
    if (script && status === 'dead' && exit?.how === 'code' && exit.code === 0) continue;
    const list = found.get(beside.session);
    if (list) list.push(session);
    else found.set(beside.session, [session]);
  }
  for (const list of found.values()) list.sort((a, b) => compare(a.id, b.id));
  return found;
}

/** The rows that show, one under the other. */
function placed(nodes: readonly Node[]): Row[] {
  const rows: Row[] = [];
  let top = 0;
  const put = (siblings: readonly Node[], level: number, parent: string | null): void => {
    const of = siblings.filter(isItem).length;
    let at = 0;
    for (const node of siblings) {
      const { kind } = node.content;
      const item = isItem(node);
      if (item) at += 1;
      const height = HEIGHT[kind];
      rows.push({
        ...node.content,
        key: node.key,
        parent,
        level,
        at: item ? at : 0,
        of: item ? of : 0,
        top,
        height,
        wants: wants(node),
      });
      top += height;
      if (!('folded' in node.content && node.content.folded)) put(node.children, level + 1, node.key);
    }
  };
  put(nodes, 1, null);
  return rows;
}

/** A list that was folded away still says that somebody in it calls. */
function wants({ content, children }: Node): Wants {
  if (content.kind === 'shelf') return null;
  const found = new Set<Shown | null>(children.map(wants));
  if (content.kind === 'session') found.add(shownStatus(content.session));
  return (['waiting', 'blocked', 'done'] as const).find((status) => found.has(status)) ?? null;
}

function isItem({ content }: Node): boolean {
  return content.kind !== 'label' && content.kind !== 'empty';
}

function count(nodes: readonly Node[]): number {
  return nodes.reduce(
    (sum, { content }) => sum + ('count' in content ? content.count : content.kind === 'session' ? 1 : 0),
    0,
  );
}

function tally(names: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const name of names) found.set(name, (found.get(name) ?? 0) + 1);
  return found;
}

function compare<T>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
