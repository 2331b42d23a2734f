import { RequestError } from '../client/connection';
import type { AgentInfo, Session } from '../client/generated/protocol';
import { say } from '../words';
import { hibernated, isAlive } from './alive';
import type { Belfry } from './belfry.svelte';
import { explain, sentence } from './explain-error';

const words = say.conversations;

/** Why a session that has ended, or not, cannot be resumed just now; nothing where it can. */
export function cannotResume(session: Session, agents: readonly AgentInfo[]): string | undefined {
  if (isAlive(session)) return words.running;
  const agent = agents.find(({ id }) => id === session.agent);
  if (session.agent === 'shell') return words.noConversation;
  return agent && !agent.can.resume ? words.cannotResume(agent.name) : undefined;
}

/** Why a session cannot be put to sleep just now, as far as can be told from here; nothing where it can. */
export function cannotSleep(session: Session, agents: readonly AgentInfo[]): string | undefined {
  const says = say.hibernate;
  if (hibernated(session)) return says.sleepsAlready;
  if (session.status === 'dead') return say.commands.itHasEnded;
  if (session.agent === 'shell') return says.noConversation;
  const agent = agents.find(({ id }) => id === session.agent);
  if (agent && !agent.can.resume) return says.cannot(agent.name);
  return session.status === 'idle' ? undefined : says.notIdle;
}

/** Why a session cannot be forked, nor handed over. */
export function cannotFork(session: Session): string | undefined {
  if (session.agent === 'shell') return words.noConversation;
  return session.conversation_id === null && session.status !== 'dead' ? words.nothingSaid : undefined;
}

/** Those that ended with the machine, and were not put away. */
export function lost(sessions: Iterable<Session>): Session[] {
  return [...sessions].filter(
    (one) =>
      one.status === 'dead' &&
      one.exit?.how === 'machine_restarted' &&
      one.archived_at === null &&
      one.trashed_at === null,
  );
}

/** Going on in conversations. Failures are told, not thrown. */
export class Conversations {
  constructor(private readonly belfry: Belfry) {}

  /** Goes on in the session's conversation; where its agent has none, its program starts again. */
  async goOn(session: Session): Promise<void> {
    if (isAlive(session)) return;
    const { client, toasts, dialogs, actions, agents } = this.belfry;
    if (cannotResume(session, agents)) return actions.restart(session);
    try {
      const params = { session: session.id, cwd: null, base_env: null };
      await client.request('session', { method: 'resume_session', params });
    } catch (error) {
      if (!(error instanceof RequestError) || error.code !== 'conversation_gone') {
        return toasts.fail(explain(error));
      }
      const agreed = await dialogs.ask({
        title: words.gone(session.name),
        text: words.goneText(sentence(error.message)),
        agree: words.anew,
      });
      if (agreed) await actions.restart(session);
    }
  }

  /** Resumes several, in turn; the daemon sees to that. */
  async resumeAll(sessions: readonly Session[]): Promise<void> {
    const { client, toasts } = this.belfry;
    try {
      const params = { sessions: sessions.map(({ id }) => id), base_env: null };
      const resumed = await client.request('sessions', { method: 'resume_all', params });
      toasts.show(words.resuming(resumed.length));
    } catch (error) {
      toasts.fail(explain(error));
    }
  }

  /** Starts another session that knows all that was said, and shows it. */
  async fork(session: Session): Promise<void> {
    const { client, sessions, toasts, dialogs, agents } = this.belfry;
    const agent = agents.find(({ id }) => id === session.agent);
    const handover = agent !== undefined && !agent.can.fork;
    if (handover) {
      const agreed = await dialogs.ask({
        title: words.handover(agent.name),
        text: words.handoverText,
        agree: words.handoverAgree,
      });
      if (!agreed) return;
    }
    try {
      const params = { session: session.id, name: null, at: null, handover, base_env: null };
      const made = await client.request('session', { method: 'fork_session', params });
      sessions.all.set(made.id, sessions.get(made.id) ?? made);
      this.belfry.show(made.id, 'tab');
    } catch (error) {
      toasts.fail(explain(error));
    }
  }
}
