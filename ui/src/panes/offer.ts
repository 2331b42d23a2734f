import type { Session } from '$lib/client/generated/protocol';
import { needs } from '$lib/state/needs';

/**
 * Sessions for an empty pane: those that need the person, oldest question first, then those that were looked at last, then
 * the newest; ended ones after all that live.
 */
export function offer(sessions: readonly Session[], recent: readonly string[]): Session[] {
  const wanted = [...needs(sessions).map(({ id }) => id), ...recent];
  const places = new Map([...new Set(wanted)].map((id, at) => [id, at]));
  const calls = new Set(needs(sessions).map(({ id }) => id));
  const rank = (session: Session) => (calls.has(session.id) ? -1 : session.status === 'dead' ? 1 : 0);
  const place = (session: Session) => places.get(session.id) ?? wanted.length;
  return [...sessions].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      place(a) - place(b) ||
      (a.last_activity_at === b.last_activity_at ? 0 : a.last_activity_at < b.last_activity_at ? 1 : -1) ||
      (a.id < b.id ? 1 : -1),
  );
}
