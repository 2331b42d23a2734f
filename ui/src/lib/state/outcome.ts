import type { Session } from '../client/generated/protocol';
import { sentence } from './explain-error';

/** What became of one thing done to several sessions. */
export interface Outcome {
  done: Session[];
  failed: { session: Session; why: string }[];
}

/** One session by its name, several by their number. */
export function subject(sessions: readonly Session[]): string {
  const [only] = sessions;
  return sessions.length === 1 && only ? only.name : `${sessions.length} sessions`;
}

export function are(sessions: readonly Session[]): 'is' | 'are' {
  return sessions.length === 1 ? 'is' : 'are';
}

/** What was done, and what was not and why, in a sentence or two. */
export function told({ done, failed }: Outcome, what: string): string {
  const parts = done.length > 0 ? [`${subject(done)} ${are(done)} ${what}.`] : [];
  const [first] = failed;
  if (first) {
    const others = failed.length > 1 ? ` (and ${failed.length - 1} more)` : '';
    parts.push(sentence(`${first.session.name}${others}: ${first.why}`));
  }
  return parts.join(' ');
}
