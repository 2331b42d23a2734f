import type { Session } from '../client/generated/protocol';
import { say } from '../words';
import { sentence } from './explain-error';
import { nameOf } from './name';

/** What became of one thing done to several sessions. */
export interface Outcome {
  done: Session[];
  failed: { session: Session; why: string }[];
}

/** One session by its name, several by their number. */
export function subject(sessions: readonly Session[]): string {
  const [only] = sessions;
  return sessions.length === 1 && only ? nameOf(only) : say.bulk.sessions(sessions.length);
}

/** What was done, and what was not and why, in a sentence or two. */
export function told({ done, failed }: Outcome, what: string): string {
  const parts = done.length > 0 ? [say.bulk.told(subject(done), done.length, what)] : [];
  const [first] = failed;
  if (first) {
    const name = nameOf(first.session);
    const who = failed.length > 1 ? say.bulk.andMore(name, failed.length - 1) : name;
    parts.push(sentence(`${who}: ${first.why}`));
  }
  return parts.join(' ');
}
