import type { Conversation, Session } from '$lib/client/generated/protocol';
import { isAlive } from '$lib/state/alive';
import { keyOf } from './hit-rows';

/** Where a conversation goes on just now. */
export interface Place {
  /** For the person: a session's name, `tmux main:1.0`. */
  words: string;
  pid: number | null;
  /** The session of the list, or one that runs elsewhere; none where the window does not know it. */
  session: Session | undefined;
}

/** Sessions that live, by the conversation that they are in. */
export function living(sessions: Iterable<Session>): Map<string, Session> {
  const found = new Map<string, Session>();
  for (const session of sessions) {
    if (!isAlive(session) || session.conversation_id === null) continue;
    const key = keyOf({ agent: session.agent, id: session.conversation_id });
    // What the list has is nearer than what runs elsewhere.
    if (!found.has(key)) found.set(key, session);
  }
  return found;
}

/**
 * Where it goes on. What the window hears of sessions is newer than what it was told with the conversation.
 */
export function liveOf(
  conversation: Conversation,
  alive: ReadonlyMap<string, Session>,
  known: (id: string) => Session | undefined,
): Place | null {
  const session = alive.get(keyOf(conversation));
  if (session) {
    const words = session.kind === 'local' ? (session.local?.place ?? session.name) : session.name;
    return { words, pid: session.pid, session };
  }
  const { live } = conversation;
  if (!live || (live.session !== null && known(live.session))) return null;
  return { words: live.place, pid: live.pid, session: undefined };
}
