import type { Session } from '$lib/client/generated/protocol';
import { needs } from '$lib/state/needs';

/** Most that are shown at once: more cannot be read, and each is a live terminal. */
export const MOST = 16;
/** Pixels that one needs at least. */
const LEAST = { width: 190, height: 120 };

/** Sessions for the grid: what needs the person, what is open, what was looked at, the rest by how new it is; ended ones last. */
export function gridOrder(
  sessions: readonly Session[],
  open: readonly string[],
  recent: readonly string[],
): string[] {
  const wanted = [...needs(sessions).map(({ id }) => id), ...open, ...recent];
  const place = new Map([...new Set(wanted)].map((id, at) => [id, at]));
  const rank = (session: Session) => place.get(session.id) ?? wanted.length;
  return [...sessions]
    .sort(
      (a, b) =>
        Number(a.status === 'dead') - Number(b.status === 'dead') ||
        rank(a) - rank(b) ||
        (a.last_activity_at < b.last_activity_at ? 1 : -1),
    )
    .map(({ id }) => id);
}

/** Columns for so many in a room of that size, as square as the room allows. */
export function columns(count: number, width: number, height: number): number {
  if (count < 2) return 1;
  let best = { cols: 1, size: 0 };
  const most = Math.max(1, Math.floor(width / LEAST.width));
  for (let cols = 1; cols <= Math.min(count, most, 4); cols += 1) {
    const rows = Math.ceil(count / cols);
    // Terminals are about 1.4 times as wide as they are high; the smaller side limits how large they are drawn.
    const size = Math.min(width / cols, (height / rows) * 1.4);
    if (size > best.size) best = { cols, size };
  }
  return best.cols;
}

/** Where an arrow key leads from a place in the grid. */
export function arrow(key: string, at: number, cols: number, count: number): number | undefined {
  const to = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at - cols,
    ArrowDown: at + cols,
    Home: 0,
    End: count - 1,
  }[key];
  if (to === undefined) return undefined;
  // Down from above a short last row goes to its end.
  if (key === 'ArrowDown' && to >= count && Math.floor(at / cols) < Math.floor((count - 1) / cols))
    return count - 1;
  return to >= 0 && to < count ? to : at;
}
