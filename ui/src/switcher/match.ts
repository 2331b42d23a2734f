import type { Session } from '$lib/client/generated/protocol';

export interface Match {
  session: Session;
  /** The name, with what was typed marked. */
  parts: { text: string; hit: boolean }[];
}

/** Sessions for what was typed: the name's start, then a word's start, then anywhere in name, directory or agent. */
export function matches(sessions: readonly Session[], typed: string): Match[] {
  const wanted = typed.trim().toLowerCase();
  const newest = [...sessions].sort((a, b) => (a.last_activity_at < b.last_activity_at ? 1 : -1));
  if (!wanted) return newest.map((session) => ({ session, parts: [{ text: session.name, hit: false }] }));
  return newest
    .map((session) => ({ session, rank: rank(session, wanted) }))
    .filter(({ rank: found }) => found < 9)
    .sort((a, b) => a.rank - b.rank)
    .map(({ session }) => ({ session, parts: mark(session.name, wanted) }));
}

function rank(session: Session, wanted: string): number {
  const name = session.name.toLowerCase();
  const at = name.indexOf(wanted);
  if (at === 0) return 0;
  if (at > 0) return /[\p{L}\p{N}]/u.test(name[at - 1] ?? '') ? 2 : 1;
  const rest = `${session.cwd} ${session.agent} ${session.branch ?? ''}`.toLowerCase();
  return rest.includes(wanted) ? 3 : 9;
}

function mark(name: string, wanted: string): Match['parts'] {
  const at = name.toLowerCase().indexOf(wanted);
  if (at < 0) return [{ text: name, hit: false }];
  return [
    { text: name.slice(0, at), hit: false },
    { text: name.slice(at, at + wanted.length), hit: true },
    { text: name.slice(at + wanted.length), hit: false },
  ].filter((part) => part.text);
}
