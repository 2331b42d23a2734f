import type { Session } from '../client/generated/protocol';
import { shownStatus, type Shown } from './describe';
import { openedAt } from './needs';

/** How much each status wants the person, most first. */
const RANK: Record<Shown, number> = {
  waiting: 0,
  blocked: 1,
  done: 2,
  running: 3,
  starting: 3,
  unknown: 4,
  idle: 5,
  dead: 6,
};

/** Pinned first, then by attention: of what waits the oldest first, of the rest what changed last. */
export function byAttention(a: Session, b: Session): number {
  const [one, other] = [RANK[shownStatus(a)], RANK[shownStatus(b)]];
  if (a.pinned !== b.pinned) return a.pinned ? -1 : 1;
  if (one !== other) return one - other;
  const age = Date.parse(openedAt(a)) - Date.parse(openedAt(b));
  return (one <= RANK.blocked ? age : -age) || (a.id < b.id ? 1 : -1);
}

/** The order by attention, with those that were there before kept where they were: nothing moves under the pointer. */
export function heldOrder(sessions: readonly Session[], held: readonly string[] | null): Session[] {
  const ordered = [...sessions].sort(byAttention);
  if (!held) return ordered;
  const places = new Map(held.map((id, at) => [id, at]));
  const known = ordered.filter(({ id }) => places.has(id));
  known.sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
  return [...known, ...ordered.filter(({ id }) => !places.has(id))];
}
