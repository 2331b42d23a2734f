import type { AgentInfo, Exit, Session } from '../client/generated/protocol';

/** The words that a session is shown with: the protocol's, and `done` for idle and not looked at. */
export type Shown = Session['status'] | 'done';

export function shownStatus(session: Session): Shown {
  return session.status === 'idle' && session.unseen ? 'done' : session.status;
}

/** How a run ended, in a few words. */
export function ended(exit: Exit | null): string {
  if (!exit) return 'Ended';
  switch (exit.how) {
    case 'code':
      return exit.code === 0 ? 'Finished' : `Exit code ${exit.code}`;
    case 'signal':
      return `Killed by ${exit.name}`;
    case 'machine_restarted':
      return 'Machine restarted';
    case 'keeper_lost':
      return 'Its keeper was killed';
    case 'launch_failed':
      return 'Could not start';
  }
}

/** A path with the home directory written `~`. */
export function shortPath(path: string, home: string): string {
  if (!home || home === '/') return path;
  if (path === home) return '~';
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

export function baseName(path: string): string {
  return (
    path
      .replace(/[\\/]+$/, '')
      .split(/[\\/]/)
      .at(-1) || path
  );
}

export function agentName(id: string, agents: readonly AgentInfo[]): string {
  const known = agents.find((agent) => agent.id === id);
  return known?.name ?? (id ? id[0]?.toUpperCase() + id.slice(1) : 'Shell');
}

/** The status as words, with what is known of why. */
export function statusText(session: Session): string {
  const shown = shownStatus(session);
  if (shown === 'dead') return ended(session.exit);
  const word = shown[0]?.toUpperCase() + shown.slice(1);
  const more = session.activity ?? session.reason;
  return more ? `${word}: ${more}` : word;
}

/** The second line of a session in the list: how it ended, what it does, else what it is and where. */
export function secondLine(session: Session, agents: readonly AgentInfo[]): string {
  if (session.status === 'dead') return ended(session.exit);
  if (session.activity) return session.activity;
  const name =
    session.agent === 'shell' ? baseName(session.command[0] ?? 'shell') : agentName(session.agent, agents);
  return session.branch ? `${name} · ${session.branch}` : name;
}

/** How long ago, short; it changes once a minute at most. */
export function age(iso: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(iso)) / 60_000);
  if (!(minutes >= 1)) return 'now';
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours}h`;
  return `${Math.floor(hours / 24)}d`;
}

/** One part of a name, a path or an argument for a POSIX shell. */
export function shellQuote(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
