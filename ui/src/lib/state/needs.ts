import type { Session } from '../client/generated/protocol';

/** The sessions that need the person: open questions first, the oldest on top, then what cannot go on. */
export function needs(sessions: Iterable<Session>): Session[] {
  const asks: Session[] = [];
  const blocked: Session[] = [];
  for (const session of sessions) {
    if (session.status === 'waiting') asks.push(session);
    else if (session.status === 'blocked') blocked.push(session);
  }
  const oldest = (a: Session, b: Session) =>
    Date.parse(openedAt(a)) - Date.parse(openedAt(b)) || (a.id < b.id ? -1 : 1);
  return [...asks.sort(oldest), ...blocked.sort(oldest)];
}

/** Since when it needs somebody. */
export function openedAt(session: Session): string {
  return session.ask?.opened_at ?? session.since;
}
