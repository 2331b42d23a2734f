import type { Conversation, Group, Project, Session } from '$lib/client/generated/protocol';
import type { Listed } from '$lib/commands';
import type { EntryHit, LineHit } from '../library/hit-rows';
import { fuzzy, parts, type Part } from './fuzzy';
import { say } from '$lib/words';

/** What the palette can take one to. */
export type Goal =
  | { kind: 'session'; session: Session }
  | { kind: 'project'; project: Project }
  | { kind: 'group'; group: Group; project: Project | undefined }
  | { kind: 'command'; command: Listed }
  | { kind: 'layout'; name: string }
  | { kind: 'new'; cwd: string; name: string }
  | { kind: 'text'; session: Session; text: string }
  | { kind: 'conversation'; conversation: Conversation }
  /** Where something was said in a conversation, or shown by a terminal. */
  | { kind: 'entry'; hit: EntryHit; text: string }
  | { kind: 'line'; hit: LineHit; text: string }
  /** To the search in all that was said and shown. */
  | { kind: 'search'; text: string };

export interface Item {
  key: string;
  goal: Goal;
  parts: readonly Part[];
}

export interface Section {
  title: string;
  items: Item[];
}

/** What is known, in the order of interest where nothing is typed. */
export interface Known {
  /** The ones that were looked at last first. */
  sessions: readonly Session[];
  projects: readonly Project[];
  groups: readonly Group[];
  /** The ones that were used last first. */
  commands: readonly Listed[];
  layouts: readonly string[];
  /** What a session is called by besides its name. */
  about(session: Session): string;
}

/** Of what the list is: everything, commands only, or text in sessions. */
export type Mode = 'all' | 'commands' | 'text';

/** The mode that a typed text asks for, and what is looked for in it. */
export function modeOf(typed: string): { mode: Mode; text: string } {
  if (typed.startsWith('>')) return { mode: 'commands', text: typed.slice(1).trim() };
  if (typed.startsWith('#')) return { mode: 'text', text: typed.slice(1).trim() };
  return { mode: 'all', text: typed.trim() };
}

/** Only what lies in a project or a group. */
export interface Within {
  project: Project;
  group: Group | null;
}

/** Most of a kind that are listed, where something is typed and where nothing is. */
const MOST = { sessions: 8, projects: 5, groups: 5, commands: 10, layouts: 4 };
const RECENT = { sessions: 8, commands: 5, projects: 4 };

/** The palette's list for what was typed. */
export function sections(known: Known, typed: string, within: Within | null): Section[] {
  const { mode, text } = modeOf(typed);
  if (mode === 'text') return [];
  if (mode === 'commands')
    return filled([
      { title: say.palette.commandsTitle, items: commands(known, text, Infinity) },
      { title: say.palette.layouts, items: layouts(known, text, Infinity) },
    ]);
  if (within) return filled(inside(known, text, within));
  if (!text) {
    return filled([
      { title: say.palette.sessions, items: sessions(known.sessions, known, '', RECENT.sessions) },
      { title: say.palette.commandsTitle, items: commands(known, '', RECENT.commands) },
      { title: say.palette.projects, items: projects(known, '', RECENT.projects) },
    ]);
  }
  const list = filled([
    { title: say.palette.sessions, items: sessions(known.sessions, known, text, MOST.sessions) },
    { title: say.palette.newSession, items: starts(known, text) },
    { title: say.palette.projects, items: projects(known, text, MOST.projects) },
    { title: say.palette.groups, items: groups(known, text, MOST.groups) },
    { title: say.palette.commandsTitle, items: commands(known, text, MOST.commands) },
    { title: say.palette.layouts, items: layouts(known, text, MOST.layouts) },
  ]);
  // A command's own name beats letters that happen to be in a session's.
  if (/^new\b/i.test(text))
    list.sort(
      (a, b) => Number(b.title === say.palette.newSession) - Number(a.title === say.palette.newSession),
    );
  return list;
}

function filled(list: Section[]): Section[] {
  return list.filter(({ items }) => items.length > 0);
}

function inside(known: Known, text: string, { project, group }: Within): Section[] {
  const below = group ? withBelow(known.groups, group.id) : undefined;
  const own = known.sessions.filter(
    (session) => session.project === project.id && (!below || below.has(session.group ?? '')),
  );
  const start: Item = {
    key: 'new',
    goal: { kind: 'new', cwd: project.path, name: project.name },
    parts: [{ text: say.palette.newSessionInName(project.name), hit: false }],
  };
  return [
    { title: group?.name ?? project.name, items: sessions(own, known, text, 60) },
    { title: say.palette.newSession, items: text ? [] : [start] },
  ];
}

/** A group and all groups in it. */
function withBelow(all: readonly Group[], id: string): Set<string> {
  const found = new Set([id]);
  // A set that grows while it is walked is walked to its end.
  for (const one of found) for (const group of all) if (group.parent === one) found.add(group.id);
  return found;
}

function sessions(list: readonly Session[], known: Known, text: string, most: number): Item[] {
  return ranked(
    list,
    text,
    most,
    (session) => [session.name, known.about(session)],
    (session) => ({ key: session.id, goal: { kind: 'session', session } }),
  );
}

function projects(known: Known, text: string, most: number): Item[] {
  return ranked(
    known.projects,
    text,
    most,
    (project) => [project.name, project.path],
    (project) => ({ key: project.id, goal: { kind: 'project', project } }),
  );
}

function groups(known: Known, text: string, most: number): Item[] {
  const of = (group: Group) => known.projects.find(({ id }) => id === group.project);
  return ranked(
    known.groups,
    text,
    most,
    (group) => [group.name, of(group)?.name ?? ''],
    (group) => ({ key: group.id, goal: { kind: 'group', group, project: of(group) } }),
  );
}

function commands(known: Known, text: string, most: number): Item[] {
  return ranked(
    known.commands,
    text,
    most,
    (command) => [command.title, `${command.words ?? ''} ${say.commands.topics[command.topic]}`],
    (command) => ({ key: `command ${command.id}`, goal: { kind: 'command', command } }),
  );
}

function layouts(known: Known, text: string, most: number): Item[] {
  return ranked(
    known.layouts,
    text,
    most,
    (name) => [name, say.palette.layoutSwitchOpenArrangement],
    (name) => ({ key: `layout ${name}`, goal: { kind: 'layout', name } }),
  );
}

/** `new` and what follows it: in which project. */
function starts(known: Known, text: string): Item[] {
  const asked = /^new\b\s*(?:session\b)?\s*(?:in\b)?\s*(.*)$/i.exec(text);
  if (!asked) return [];
  return ranked(
    known.projects,
    asked[1] ?? '',
    MOST.projects,
    (project) => [project.name, project.path],
    (project) => ({
      key: `new ${project.id}`,
      goal: { kind: 'new', cwd: project.path, name: project.name },
    }),
  ).map((item) => ({ ...item, parts: [{ text: say.palette.newSessionIn, hit: false }, ...item.parts] }));
}

function ranked<T>(
  list: readonly T[],
  text: string,
  most: number,
  words: (one: T) => readonly [name: string, more: string],
  item: (one: T) => Omit<Item, 'parts'>,
): Item[] {
  if (!text) {
    return list.slice(0, most).map((one) => ({ ...item(one), parts: [{ text: words(one)[0], hit: false }] }));
  }
  const found = list.flatMap((one) => {
    const [name, more] = words(one);
    const hit = fuzzy(name, more, text);
    return hit ? [{ one, name, hit }] : [];
  });
  // Stable: what was used last stays first among equals.
  found.sort((a, b) => b.hit.score - a.hit.score);
  return found.slice(0, most).map(({ one, name, hit }) => ({ ...item(one), parts: parts(name, hit.hits) }));
}
