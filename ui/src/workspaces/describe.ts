import type { Losses, LostFiles, Session, Workspace } from '$lib/client/generated/protocol';
import { baseName } from '$lib/state/describe';
import { say } from '$lib/words';
import { number } from '$lib/words/locale';

const words = say.workspaces;

/** Bytes as a person reads them; a power of ten each, as disks are sold and shown. */
export function size(bytes: number): string {
  if (bytes >= 1e9) return words.gigabytes(number(bytes / 1e9, 1));
  if (bytes >= 1e6) return words.megabytes(number(Math.round(bytes / 1e6)));
  return words.kilobytes(number(Math.max(bytes > 0 ? 1 : 0, Math.round(bytes / 1e3))));
}

/** What it is called: by its branch, else by its directory. */
export function nameOf({ branch, path }: Workspace): string {
  return branch ?? baseName(path);
}

export function kindOf({ id, kind }: Workspace): string {
  return id === null ? words.notOurs : words.kind[kind];
}

/** Belfry made it, it is there, and nobody works in it. */
export function isOrphan({ id, sessions, state }: Workspace): boolean {
  return (
    id !== null &&
    sessions.length === 0 &&
    state.is !== 'removed' &&
    state.is !== 'warm' &&
    state.is !== 'making'
  );
}

export type Shown = 'all' | 'orphans' | 'removed' | 'others';

export function fits(workspace: Workspace, shown: Shown): boolean {
  switch (shown) {
    case 'all':
      return true;
    case 'orphans':
      return isOrphan(workspace);
    case 'removed':
      return workspace.state.is === 'removed';
    case 'others':
      return workspace.id === null;
  }
}

/** Whether what was typed is in anything that is shown of it. */
export function found(workspace: Workspace, names: readonly string[], text: string): boolean {
  const all = [workspace.path, workspace.branch, workspace.base, workspace.repository, ...names]
    .filter(Boolean)
    .join('\n')
    .toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => all.includes(word));
}

/** One kind of what would be lost. */
export interface Loss {
  key: string;
  name: string;
  count: string;
  first: readonly string[];
  /** How many are not named. */
  more: number;
}

/** Names of each kind that are shown. */
const FIRST = 5;

/** What would be lost, kind by kind; those of which there is nothing are left out. */
export function lossList(losses: Losses): Loss[] {
  const files = (key: string, name: string, { count, bytes, first }: LostFiles): Loss => ({
    key,
    name,
    count: words.files(count, size(bytes)),
    first: first.slice(0, FIRST),
    more: count - Math.min(FIRST, first.length),
  });
  const named = (
    key: string,
    name: string,
    list: readonly string[],
    count: number,
    counted: string,
  ): Loss => ({
    key,
    name,
    count: counted,
    first: list.slice(0, FIRST),
    more: count - Math.min(FIRST, list.length),
  });
  const { unpushed, unpushed_count: commits, stashes, repositories } = losses;
  return [
    ...(losses.uncommitted.count > 0 ? [files('uncommitted', words.uncommitted, losses.uncommitted)] : []),
    ...(losses.untracked.count > 0 ? [files('untracked', words.untracked, losses.untracked)] : []),
    ...(commits > 0 ? [named('unpushed', words.unpushed, unpushed, commits, words.commits(commits))] : []),
    ...(stashes.length > 0
      ? [named('stashes', words.stashes, stashes, stashes.length, number(stashes.length))]
      : []),
    ...(losses.ignored.count > 0 ? [files('ignored', words.ignored, losses.ignored)] : []),
    ...(repositories.length > 0
      ? [
          named(
            'repositories',
            words.repositories,
            repositories,
            repositories.length,
            number(repositories.length),
          ),
        ]
      : []),
  ];
}

/** Names of the sessions that work in it. */
export function sessionNames(workspace: Workspace, all: ReadonlyMap<string, Session>): string[] {
  return workspace.sessions.flatMap((id) => {
    const session = all.get(id);
    if (!session) return [];
    return session.trashed_at ? [words.inTrash(session.name)] : [session.name];
  });
}
