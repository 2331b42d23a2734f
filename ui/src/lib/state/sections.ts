import type { Project, Session } from '../client/generated/protocol';
import { baseName, shortPath } from './describe';

export interface Section {
  /** The project's id, or the directory. */
  key: string;
  name: string;
  /** The directory, short; shown where two sections have one name, and on hover. */
  path: string;
  /** Another section has the same name. */
  ambiguous: boolean;
  sessions: Session[];
}

/**
 * The list at the left: projects in their own order, then directories by name. Within a section the person's order, and
 * the newest first where there is none. Nothing moves by itself, so that a click never lands on another session.
 */
export function sections(sessions: Iterable<Session>, projects: Iterable<Project>, home: string): Section[] {
  const known = new Map([...projects].map((project) => [project.id, project]));
  const found = new Map<string, Section & { position: number }>();
  for (const session of sessions) {
    const project = session.project ? known.get(session.project) : undefined;
    const key = project?.id ?? session.cwd;
    let section = found.get(key);
    if (!section) {
      const directory = project?.path ?? session.cwd;
      section = {
        key,
        name: project?.name ?? (directory === home ? '~' : baseName(directory)),
        path: shortPath(directory, home),
        ambiguous: false,
        sessions: [],
        position: project?.position ?? Number.POSITIVE_INFINITY,
      };
      found.set(key, section);
    }
    section.sessions.push(session);
  }
  const list = [...found.values()].sort(
    (a, b) => compare(a.position, b.position) || a.name.localeCompare(b.name) || compare(a.key, b.key),
  );
  const names = new Map<string, number>();
  for (const { name } of list) names.set(name, (names.get(name) ?? 0) + 1);
  for (const section of list) {
    section.ambiguous = (names.get(section.name) ?? 0) > 1;
    // Ids sort by creation.
    section.sessions.sort((a, b) => compare(a.position, b.position) || compare(b.id, a.id));
  }
  return list;
}

function compare<T>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
