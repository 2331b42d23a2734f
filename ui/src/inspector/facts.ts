import type { AgentInfo, Session } from '$lib/client/generated/protocol';
import { agentName, ended, shellQuote, shortPath } from '$lib/state/describe';
import { moment as localMoment } from '$lib/words/locale';
import { say } from '$lib/words';

export interface Fact {
  name: string;
  value: string;
  mono?: boolean;
  /** All of it, where the value is short. */
  title?: string;
}

const WORKSPACES = {
  directory: say.inspector.theDirectoryItself,
  worktree: say.inspector.worktree,
  clone: say.inspector.clone,
  scratch: say.inspector.scratchRepository,
} as const;

/** A moment as the person's calendar and clock write it. */
export function moment(iso: string): string {
  return localMoment(new Date(iso));
}

export interface Around {
  agents: readonly AgentInfo[];
  home: string;
  project: string | undefined;
  group: string | undefined;
  startedBy: string | undefined;
}

/** Everything in a session's record, in words; what is not there is left out. */
export function facts(session: Session, around: Around): Fact[] {
  const list: (Fact | false | null | undefined)[] = [
    { name: say.inspector.name, value: session.name },
    session.title ? { name: say.inspector.title, value: session.title } : null,
    { name: say.inspector.agent, value: agentName(session.agent, around.agents) },
    session.model ? { name: say.inspector.model, value: session.model } : null,
    { name: say.inspector.command, value: session.command.map(shellQuote).join(' '), mono: true },
    {
      name: say.inspector.directory,
      value: shortPath(session.cwd, around.home),
      title: session.cwd,
      mono: true,
    },
    around.project ? { name: say.inspector.project, value: around.project } : null,
    around.group ? { name: say.inspector.group, value: around.group } : null,
    { name: say.inspector.worksIn, value: WORKSPACES[session.workspace] },
    session.branch ? { name: say.inspector.branch, value: session.branch, mono: true } : null,
    session.conversation_id
      ? { name: say.inspector.conversation, value: session.conversation_id, mono: true }
      : null,
    around.startedBy ? { name: say.inspector.startedBy, value: around.startedBy } : null,
    session.env_names.length > 0 && {
      name: say.inspector.variables,
      value: session.env_names.join(', '),
      mono: true,
    },
    session.private && { name: say.inspector.private, value: say.inspector.nothingOfItIsOnDisk },
    { name: say.inspector.size, value: `${session.cols} × ${session.rows}` },
    { name: say.inspector.windowsOnIt, value: String(session.views) },
    session.pid !== null && { name: say.inspector.process, value: String(session.pid), mono: true },
    session.exit && { name: say.inspector.end, value: ended(session.exit) },
    { name: say.inspector.started, value: moment(session.created_at) },
    { name: say.inspector.lastActivity, value: moment(session.last_activity_at) },
    session.last_seen_at !== null && {
      name: say.inspector.lastLookedAt,
      value: moment(session.last_seen_at),
    },
    session.snoozed_until !== null && {
      name: say.inspector.snoozedUntil,
      value: moment(session.snoozed_until),
    },
    session.runs.length > 1 && { name: say.inspector.runs, value: String(session.runs.length) },
    { name: say.inspector.id, value: session.id, mono: true },
  ];
  return list.filter((fact) => typeof fact === 'object' && fact !== null);
}
