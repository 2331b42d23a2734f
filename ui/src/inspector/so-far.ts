import type { Happened, Session, Status, StatusChange } from '$lib/client/generated/protocol';

/** Where a session's time went. Milliseconds; without parts of which nothing is known. */
export interface SoFar {
  /** From when on it is known. */
  since: string;
  /** That is its very start. */
  whole: boolean;
  working: number;
  /** For the person: an answer, or what holds it up. */
  waiting: number;
  idle: number;
  /** Questions that it asked, and those of them that a person answered. */
  asked: number;
  answered: number;
}

const KINDS: Partial<Record<Status, 'working' | 'waiting' | 'idle'>> = {
  running: 'working',
  waiting: 'waiting',
  blocked: 'waiting',
  idle: 'idle',
};

/**
 * Reckoned from its history, newest first; nothing where that tells nothing. `most` is how many entries there are at most:
 * where there are as many, or older ones were thrown away, it begins with the oldest that is there.
 */
export function soFar(
  session: Session,
  history: readonly Happened[],
  now: number,
  most: number,
): SoFar | null {
  const changes = history.filter(
    (one): one is StatusChange & { happened: 'status' } => one.happened === 'status',
  );
  const oldest = changes.at(-1);
  if (!oldest) return null;
  // A session begins by starting.
  const whole = history.length < most && oldest.from === 'starting';
  const since = whole ? session.created_at : oldest.at;
  const sums = { working: 0, waiting: 0, idle: 0 };
  const times = [
    ...changes.map(({ at }) => Date.parse(at)).toReversed(),
    Math.max(now, Date.parse(oldest.at)),
  ];
  changes.toReversed().forEach(({ to }, index) => {
    const kind = KINDS[to];
    const [from, until] = [times[index], times[index + 1]];
    if (kind && from !== undefined && until !== undefined) sums[kind] += Math.max(0, until - from);
  });
  const asks = history.filter((one) => one.happened === 'ask');
  const answered = asks.filter(({ outcome }) => outcome === 'answered' || outcome === 'in_terminal');
  return { since, whole, ...sums, asked: asks.length, answered: answered.length };
}
