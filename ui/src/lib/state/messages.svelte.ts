import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import type { QueuedMessage, Session } from '../client/generated/protocol';
import type { Belfry } from './belfry.svelte';
import { explain, sentence } from './explain-error';
import { say } from '../words';

/** Texts of one session that are kept for the Up key. */
const REMEMBERED = 50;

/** A message that is shown above the box. */
export type Shown = Omit<QueuedMessage, 'id'> & { id: string | null };

/** Texts for sessions: those that are being written, those that wait, and those that went before. */
export class Messages {
  /** What is in each session's box. In this window only: it may hold secrets. */
  readonly drafts = new SvelteMap<string, string>();
  /** Sessions whose list is folded out. */
  readonly unfolded = new SvelteSet<string>();
  /** The session whose box was asked for, where it is not there by itself or a question has its place. */
  wanted = $state<string | null>(null);
  private readonly lists = new SvelteMap<string, readonly QueuedMessage[]>();
  /** On their way to the daemon. */
  private readonly leaving = new SvelteMap<string, readonly Shown[]>();
  private readonly dismissed = new SvelteSet<string>();
  private readonly problems = new SvelteMap<string, string>();
  private readonly earlier = new Map<string, string[]>();
  private readonly rounds = new Map<string, number>();

  constructor(private readonly belfry: Belfry) {}

  draft(id: string): string {
    return this.drafts.get(id) ?? '';
  }

  write(id: string, text: string): void {
    if (text) this.drafts.set(id, text);
    else this.drafts.delete(id);
  }

  /** Why the last text did not go out. */
  problem(id: string): string | undefined {
    return this.problems.get(id);
  }

  clearProblem(id: string): void {
    this.problems.delete(id);
  }

  /** What has not arrived, oldest first: waiting, being typed, failed, or nobody knows. */
  shown(id: string): Shown[] {
    const listed = (this.lists.get(id) ?? []).filter(
      (one) => one.delivery !== 'delivered' && !this.dismissed.has(one.id),
    );
    return [...listed, ...(this.leaving.get(id) ?? [])];
  }

  /** Texts of before, newest last. */
  history(id: string): string[] {
    const arrived = (this.lists.get(id) ?? []).filter((one) => one.delivery === 'delivered');
    const all = [...arrived.map((one) => one.text), ...(this.earlier.get(id) ?? [])];
    return all.filter((text, at) => all.indexOf(text, at + 1) < 0);
  }

  async load(id: string): Promise<void> {
    const round = (this.rounds.get(id) ?? 0) + 1;
    this.rounds.set(id, round);
    const list = await this.belfry.client
      .request('messages', { method: 'list_messages', params: { session: id } })
      .catch(() => null);
    if (list && this.rounds.get(id) === round) this.lists.set(id, list);
  }

  /** A message is further than it was, as the daemon tells it. */
  heard(id: string, message: QueuedMessage): void {
    const list = this.lists.get(id);
    // What nobody looks at is asked for when somebody does.
    if (!list) return;
    const at = list.findIndex((one) => one.id === message.id);
    this.lists.set(id, at < 0 ? [...list, message] : list.toSpliced(at, 1, message));
  }

  /** Sends what is in the box: when the session is free, or `now`, whatever it does. */
  async send(session: Session, now: boolean): Promise<void> {
    const { id } = session;
    const text = this.draft(id);
    if (!text.trim()) return;
    this.problems.delete(id);
    this.remember(id, text);
    this.drafts.delete(id);
    const leaving: Shown = {
      id: null,
      text,
      delivery: 'sending',
      why: null,
      queued_at: new Date().toISOString(),
    };
    this.leaving.set(id, [...(this.leaving.get(id) ?? []), leaving]);
    try {
      const sent = await this.belfry.client.request('message', {
        method: 'send_message',
        params: { session: id, text, now },
      });
      if (sent.delivery === 'failed') this.refuse(id, text, sentence(sent.why ?? say.messages.itWasNotTyped));
      if (sent.delivery === 'unsure') this.refuse(id, '', say.messages.itMayNotHaveArrived);
    } catch (error) {
      this.refuse(id, text, explain(error));
    }
    await this.load(id);
    const left = (this.leaving.get(id) ?? []).filter((one) => one !== leaving);
    if (left.length > 0) this.leaving.set(id, left);
    else this.leaving.delete(id);
  }

  /** Takes back a message that still waits. */
  async cancel(session: Session, message: Shown): Promise<boolean> {
    if (message.id === null) return false;
    if (message.delivery === 'failed' || message.delivery === 'unsure') {
      this.dismissed.add(message.id);
      return true;
    }
    let taken = true;
    try {
      await this.belfry.client.request('message', {
        method: 'cancel_message',
        params: { message: message.id },
      });
      this.dismissed.add(message.id);
    } catch (error) {
      taken = false;
      this.problems.set(session.id, explain(error));
    }
    void this.load(session.id);
    return taken;
  }

  /** Takes a message back and puts its text into the box, before what is there. */
  async edit(session: Session, message: Shown): Promise<void> {
    if (!(await this.cancel(session, message))) return;
    const now = this.draft(session.id);
    this.write(session.id, now ? `${message.text}\n${now}` : message.text);
  }

  forget(id: string): void {
    for (const map of [this.drafts, this.lists, this.leaving, this.problems, this.earlier, this.rounds])
      map.delete(id);
    this.unfolded.delete(id);
    if (this.wanted === id) this.wanted = null;
  }

  private remember(id: string, text: string): void {
    const earlier = (this.earlier.get(id) ?? []).filter((one) => one !== text);
    this.earlier.set(id, [...earlier, text].slice(-REMEMBERED));
  }

  /** The text goes back into the box where nothing else is in it; it is one Up away otherwise. */
  private refuse(id: string, text: string, why: string): void {
    const back = text !== '' && !this.draft(id);
    if (back) this.write(id, text);
    const kept =
      text === '' ? '' : back ? say.messages.theTextIsInTheBoxAgain : say.messages.theTextIsOneUpAway;
    this.problems.set(id, why + kept);
  }
}
