import type { AgentInfo, Session } from '$lib/client/generated/protocol';
import type { Belfry } from '$lib/state/belfry.svelte';
import { agentName, shortPath } from '$lib/state/describe';
import { explain } from '$lib/state/explain-error';
import { say } from '$lib/words';

/** Something that can be done with a session that Belfry did not start; with why not, where it cannot. */
export interface Deed {
  id: 'adopt' | 'end' | 'continue';
  label: string;
  /** What it does. */
  why: string;
  /** Why it cannot be done just now. */
  not?: string | undefined;
  run: () => Promise<boolean>;
}

/** The newest first, those that ask before the others. */
export function ordered(sessions: Iterable<Session>): Session[] {
  const asks = (session: Session) => Number(session.status === 'waiting' || session.status === 'blocked');
  return [...sessions].sort((a, b) => asks(b) - asks(a) || (a.id < b.id ? 1 : -1));
}

/** The first line of a row: where it works. */
export function directory(session: Session, home: string): string {
  return shortPath(session.cwd, home);
}

/** Its place, without what the words around it say already. */
export function placeWords(session: Session, agents: readonly AgentInfo[]): string {
  return say.elsewhere.agentIn(
    agentName(session.agent, agents),
    session.local?.place ?? say.elsewhere.notKnown,
  );
}

/** Whether a click makes it a session of the list. */
export function adoptable(session: Session): boolean {
  return session.local?.can.includes('adopt') ?? false;
}

/** Makes it a session of the list, and shows it. */
export async function adopt(
  belfry: Belfry,
  session: Session,
  where: 'pane' | 'tab' = 'pane',
): Promise<boolean> {
  const { client, sessions, toasts } = belfry;
  try {
    const made = await client.request('session', { method: 'adopt_session', params: { target: session.id } });
    sessions.elsewhere.delete(session.id);
    sessions.all.set(made.id, sessions.get(made.id) ?? made);
    if (where === 'tab') belfry.show(made.id, 'tab');
    else belfry.show(made.id);
    return true;
  } catch (error) {
    toasts.fail(explain(error));
    return false;
  }
}

async function end(belfry: Belfry, session: Session): Promise<boolean> {
  const { client, dialogs, toasts } = belfry;
  const { pid } = session;
  if (pid === null) return false;
  const agreed = await dialogs.ask({
    title: say.elsewhere.endName(session.name),
    text: say.elsewhere.endText(session.local?.place ?? say.elsewhere.notKnown),
    agree: say.elsewhere.end,
    danger: true,
  });
  if (!agreed) return false;
  try {
    await client.request('session', { method: 'end_local', params: { session: session.id, pid } });
    toasts.show(say.elsewhere.hasEnded(session.name));
  } catch (error) {
    toasts.fail(explain(error));
  }
  return false;
}

/** Goes on with its conversation in a session of the list. */
async function goOn(belfry: Belfry, session: Session): Promise<boolean> {
  const { client, sessions, toasts } = belfry;
  const conversation = session.conversation_id;
  if (conversation === null) return false;
  try {
    const { agent, cwd } = session;
    const params = { agent, id: conversation, cwd, name: null, fork: false, handover: false, base_env: null };
    const made = await client.request('session', { method: 'resume_conversation', params });
    sessions.all.set(made.id, sessions.get(made.id) ?? made);
    belfry.show(made.id);
    return true;
  } catch (error) {
    toasts.fail(explain(error));
    return false;
  }
}

/** What can be done with it, in the order of the card. */
export function deeds(belfry: Belfry, session: Session): Deed[] {
  const words = say.elsewhere;
  const dead = session.status === 'dead';
  const all: (Deed | false)[] = [
    adoptable(session) && {
      id: 'adopt',
      label: words.adopt,
      why: words.adoptWhy,
      run: () => adopt(belfry, session),
    },
    {
      id: 'continue',
      label: words.continueHere,
      why: '',
      not: !dead ? words.endFirst : session.conversation_id === null ? words.noConversation : undefined,
      run: () => goOn(belfry, session),
    },
    {
      id: 'end',
      label: words.end,
      why: words.endWhy,
      not: dead ? words.cannotEnd : undefined,
      run: () => end(belfry, session),
    },
  ];
  return all.filter((deed) => deed !== false);
}
