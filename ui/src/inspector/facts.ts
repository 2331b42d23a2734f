import type { AgentInfo, Session } from '$lib/client/generated/protocol';
import { agentName, ended, shellQuote, shortPath } from '$lib/state/describe';
import { moment as localMoment } from '$lib/words/locale';

export interface Fact {
  name: string;
  value: string;
  mono?: boolean;
  /** All of it, where the value is short. */
  title?: string;
}

const WORKSPACES = {
  directory: 'the directory itself',
  worktree: 'worktree',
  clone: 'clone',
  scratch: 'scratch repository',
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
    { name: 'Name', value: session.name },
    session.title ? { name: 'Title', value: session.title } : null,
    { name: 'Agent', value: agentName(session.agent, around.agents) },
    session.model ? { name: 'Model', value: session.model } : null,
    { name: 'Command', value: session.command.map(shellQuote).join(' '), mono: true },
    { name: 'Directory', value: shortPath(session.cwd, around.home), title: session.cwd, mono: true },
    around.project ? { name: 'Project', value: around.project } : null,
    around.group ? { name: 'Group', value: around.group } : null,
    { name: 'Works in', value: WORKSPACES[session.workspace] },
    session.branch ? { name: 'Branch', value: session.branch, mono: true } : null,
    session.conversation_id ? { name: 'Conversation', value: session.conversation_id, mono: true } : null,
    around.startedBy ? { name: 'Started by', value: around.startedBy } : null,
    session.env_names.length > 0 && {
      name: 'Variables',
      value: session.env_names.join(', '),
      mono: true,
    },
    session.private && { name: 'Private', value: 'nothing of it is on disk' },
    { name: 'Size', value: `${session.cols} × ${session.rows}` },
    { name: 'Windows on it', value: String(session.views) },
    session.pid !== null && { name: 'Process', value: String(session.pid), mono: true },
    session.exit && { name: 'End', value: ended(session.exit) },
    { name: 'Started', value: moment(session.created_at) },
    { name: 'Last activity', value: moment(session.last_activity_at) },
    session.last_seen_at !== null && { name: 'Last looked at', value: moment(session.last_seen_at) },
    session.snoozed_until !== null && { name: 'Snoozed until', value: moment(session.snoozed_until) },
    session.runs.length > 1 && { name: 'Runs', value: String(session.runs.length) },
    { name: 'Id', value: session.id, mono: true },
  ];
  return list.filter((fact) => typeof fact === 'object' && fact !== null);
}
