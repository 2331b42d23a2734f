import { RequestError } from '$lib/client/connection';
import type { Conversation, Session } from '$lib/client/generated/protocol';
import type { Belfry } from '$lib/state/belfry.svelte';
import { explain } from '$lib/state/explain-error';
import { shownName } from '$lib/words/names';
import { say } from '$lib/words';
import { adopt, adoptable } from '../sidebar/elsewhere/elsewhere';
import type { Place } from './live';

/** Why something could not be done, and what is left to do then. */
export interface Trouble {
  kind: 'live' | 'gone' | 'directory' | 'other';
  text: string;
  /** The session in which it goes on, where the window knows it. */
  session: Session | undefined;
}

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

const KINDS: Partial<Record<RequestError['code'], Trouble['kind']>> = {
  conversation_live: 'live',
  conversation_gone: 'gone',
  bad_directory: 'directory',
};

export function titleOf({ title }: Conversation): string {
  return shownName(title, say.library.untitled);
}

/** What kind of failure it is. */
export function troubleOf(error: unknown, known: (id: string) => Session | undefined): Trouble {
  const kind = (error instanceof RequestError && KINDS[error.code]) || 'other';
  // Where it goes on is said in words, with a command that names the session.
  const id = kind === 'live' && error instanceof RequestError ? ID.exec(error.next ?? '')?.[0] : undefined;
  const session = id === undefined ? undefined : known(id);
  // The command is for a terminal; here there is a button.
  const told = session && error instanceof RequestError ? new RequestError({ ...bare(error) }) : error;
  return { kind, text: explain(told), session };
}

function bare({ code, message }: RequestError) {
  return { code, message };
}

/** Why it cannot be resumed by any means; nothing where it can. */
export function cannotResume({ agents }: Belfry, { agent }: Conversation): string | undefined {
  const found = agents.find(({ id }) => id === agent);
  return found && !found.can.resume ? say.library.cannotResume(found.name) : undefined;
}

/** The session that is in it, or was last, and is in no other one by now. */
function sessionOf({ sessions }: Belfry, { session, id }: Conversation): Session | undefined {
  const found = sessions.get(session);
  return found && sessions.has(found.id) && found.conversation_id === id ? found : undefined;
}

/** Whether the window can show where a conversation goes on. */
export function canShow(session: Session | undefined): session is Session {
  return session !== undefined && (session.kind !== 'local' || adoptable(session));
}

/** What a person can do with a conversation. `done` takes the page of conversations away. */
export class Deeds {
  constructor(
    private readonly belfry: Belfry,
    private readonly done: () => void,
  ) {}

  /** Goes on in it, or in a copy, in that directory or its own. Tells what is in the way. */
  async resume(
    conversation: Conversation,
    cwd: string | null = null,
    { fork = false, handover = false } = {},
  ): Promise<Trouble | null> {
    const { client, sessions } = this.belfry;
    try {
      const { agent, id } = conversation;
      const params = { agent, id, cwd, name: null, fork, handover, base_env: null };
      const made = await client.request('session', { method: 'resume_conversation', params });
      sessions.all.set(made.id, sessions.get(made.id) ?? made);
      this.done();
      this.belfry.show(made.id, fork || handover ? 'tab' : 'front');
      return null;
    } catch (error) {
      return troubleOf(error, (id) => sessions.get(id));
    }
  }

  /** Shows a moment of what a session's terminal showed. */
  replay(session: string, time: number): void {
    this.done();
    this.belfry.faces.show(session, 'replay', { time });
  }

  /** Looks for a text in a session's terminal. */
  findIn(session: string, text: string): void {
    this.done();
    this.belfry.show(session);
    this.belfry.find(session, text);
  }

  /** Shows where it goes on. */
  async go({ session }: Pick<Place, 'session'>): Promise<void> {
    if (!session) return;
    this.done();
    if (session.kind === 'local') await adopt(this.belfry, session);
    else this.belfry.show(session.id);
  }

  /** A new session that knows all that was said. */
  async fork(conversation: Conversation, cwd: string | null = null): Promise<Trouble | null> {
    const session = sessionOf(this.belfry, conversation);
    if (!session) {
      const handover = !this.hasFork(conversation);
      return this.resume(conversation, cwd, { fork: !handover, handover });
    }
    this.done();
    await this.belfry.conversations.fork(session);
    return null;
  }

  /** Resolves to whether it is so now. */
  /** What forking it is called: an agent without a fork of its own hands over. */
  forkLabel(conversation: Conversation): string {
    return this.hasFork(conversation) ? say.library.fork : say.library.handOver;
  }

  /** Whether a fork is its agent's own; else a new conversation reads what was said. */
  private hasFork({ agent }: Conversation): boolean {
    return this.belfry.agents.find(({ id }) => id === agent)?.can.fork ?? true;
  }

  async hide(conversation: Conversation, hidden: boolean, then: (hidden: boolean) => void): Promise<void> {
    const { client, toasts } = this.belfry;
    try {
      const { agent, id } = conversation;
      await client.request('done', { method: 'hide_conversation', params: { agent, id, hidden } });
      then(hidden);
      if (!hidden) return;
      const run = () => void this.hide(conversation, false, then);
      toasts.show(say.library.hasBeenHidden(titleOf(conversation)), { label: say.library.undo, run });
    } catch (error) {
      toasts.fail(explain(error));
    }
  }

  async copyId({ id }: Conversation): Promise<void> {
    const { surroundings, toasts } = this.belfry;
    try {
      await surroundings.writeClipboard(id);
      toasts.show(say.library.copied);
    } catch {
      toasts.fail(say.commands.theClipboardCouldNotBeWritten);
    }
  }

  async openFolder({ cwd }: Conversation): Promise<void> {
    try {
      if (cwd !== null) await this.belfry.surroundings.openDirectory?.(cwd);
    } catch (error) {
      this.belfry.toasts.fail(explain(error));
    }
  }

  /** A new session with the same agent, in the same directory, where it has one. */
  startThere({ agent, cwd }: Conversation): void {
    const { dialogs } = this.belfry;
    this.done();
    dialogs.startWith = agent;
    dialogs.newSession(cwd);
  }
}
