import type { Session } from '$lib/client/generated/protocol';

/** The sessions that were looked at last, and the newest where there are not enough; in an order that stays. */
export function latest(
  sessions: readonly Session[],
  recent: readonly string[],
  front: string | null,
  count: number,
): Session[] {
  const places = new Map(recent.map((id, at) => [id, at]));
  const rank = (session: Session) =>
    session.id === front ? -1 : (places.get(session.id) ?? Number.POSITIVE_INFINITY);
  const by = (a: Session, b: Session) => {
    const [one, other] = [rank(a), rank(b)];
    return one === other ? (a.last_activity_at < b.last_activity_at ? 1 : -1) : one - other;
  };
  // Ids sort by creation: a button is where it was, whatever was pressed.
  return [...sessions]
    .sort(by)
    .slice(0, count)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
