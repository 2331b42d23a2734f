import { SvelteMap } from 'svelte/reactivity';
import type { Ask, Choice, Session } from '../client/generated/protocol';
import { RequestError } from '../client/connection';
import { needsConfirming, wantsSecret } from './ask-words';
import type { Belfry } from './belfry.svelte';
import { explain, sentence } from './explain-error';
import { needs } from './needs';
import { say } from '../words';

/** Milliseconds after which a question that has just come takes an answer: what is pressed before was meant for another. */
export const SETTLE = 400;
/** Milliseconds between the two presses of a confirmation at least: a double click is one press. */
export const SECOND_PRESS = 350;
/** Milliseconds after which a first press is forgotten. */
const ARMED = 5_000;

/** How far the person is with one question. */
export interface Answering {
  /** Which question: its id and fingerprint. */
  readonly ask: string;
  /** It has been there, and in its place, for long enough to be read: an answer is taken. */
  settled: boolean;
  /** The choice that is on its way, or an empty key for a text alone. */
  busy: string | null;
  /** The choice that waits for its second press. */
  armed: { key: string; at: number } | null;
  /** The choice whose field for a text is open; an empty key for the question's own. */
  writing: string | null;
  text: string;
  /** The text is not to be shown. */
  readonly secret: boolean;
}

/** What became of an answer that did not arrive. */
export interface Note {
  text: string;
  at: number;
}

/** The open questions of all sessions, and the answers to them. */
export class Asks {
  readonly needs = $derived.by(() => needs(this.belfry.sessions.listed));
  /** The session whose question is shown whole over its pane. */
  panel = $state<string | null>(null);
  private readonly states = new SvelteMap<string, Answering>();
  private readonly notes = new SvelteMap<string, Note>();
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(private readonly belfry: Belfry) {}

  /** A session as the daemon tells it now. */
  take(session: Session): void {
    const { id, ask } = session;
    const shown = session.status === 'waiting' && !session.trashed_at ? ask : null;
    const known = this.states.get(id);
    if (shown) {
      const key = keyOf(shown);
      if (known?.ask === key) return;
      const state = $state<Answering>({
        ask: key,
        settled: false,
        busy: null,
        armed: null,
        writing: null,
        secret: wantsSecret(shown),
        text: '',
      });
      // A text that was being written is not thrown away because the question was drawn anew; a password is.
      if (known && !known.secret && !state.secret) state.text = known.text;
      if (known?.writing === '' && shown.takes_text) state.writing = '';
      this.states.set(id, state);
      this.settle(id);
      return;
    }
    this.forget(id, session.name);
  }

  /** Takes no answer to a question before it could be read. */
  private settle(id: string): void {
    const state = this.states.get(id);
    if (!state) return;
    state.settled = false;
    clearTimeout(this.timers.get(id));
    this.timers.set(
      id,
      setTimeout(() => (state.settled = true), SETTLE),
    );
  }

  /** A session is gone, or asks nothing any more. */
  forget(id: string, name?: string): void {
    if (!this.states.delete(id)) return;
    clearTimeout(this.timers.get(id));
    this.timers.delete(id);
    // The others move up: what is pressed now may be meant for the one that was there.
    for (const other of this.states.keys()) this.settle(other);
    if (this.panel === id) this.panel = null;
    const note = this.notes.get(id);
    this.notes.delete(id);
    // The card that would have told it is gone as well.
    if (note && name && performance.now() - note.at < ARMED) this.belfry.toasts.fail(`${name}: ${note.text}`);
  }

  /** Only these sessions are left. */
  keep(sessions: readonly Session[]): void {
    const left = new Set(sessions.map(({ id }) => id));
    for (const id of [...this.states.keys()]) if (!left.has(id)) this.forget(id);
    for (const session of sessions) this.take(session);
  }

  state(id: string): Answering | undefined {
    return this.states.get(id);
  }

  note(id: string): string | undefined {
    return this.notes.get(id)?.text;
  }

  dismissNote(id: string): void {
    this.notes.delete(id);
  }

  /** What a press on a choice does: nothing, asks for a second press, opens the field for its text, or answers. */
  press(session: Session, choice: Choice): void {
    const state = this.ready(session);
    const { ask } = session;
    if (!state || !ask) return;
    const now = performance.now();
    if (choice.takes_text && state.writing !== choice.key) {
      state.armed = null;
      state.writing = choice.key;
      return;
    }
    if (needsConfirming(ask, choice)) {
      const { armed } = state;
      const again = armed?.key === choice.key && now - armed.at < ARMED;
      if (again && now - armed.at < SECOND_PRESS) return;
      if (!again) {
        state.armed = { key: choice.key, at: now };
        setTimeout(() => {
          if (state.armed?.at === now) state.armed = null;
        }, ARMED);
        return;
      }
    }
    void this.answer(session, choice.key, choice.takes_text ? state.text : null);
  }

  /** Opens the field for the question's own text. */
  write(session: Session): void {
    const state = this.states.get(session.id);
    if (state && !state.busy) state.writing = '';
  }

  stopWriting(session: Session): void {
    const state = this.states.get(session.id);
    if (state) state.writing = null;
  }

  /** Sends the text that was written, with the choice that it belongs to. */
  submit(session: Session): void {
    const state = this.ready(session);
    const { ask } = session;
    if (!state || !ask || state.writing === null) return;
    if (state.writing === '') return void this.answer(session, null, state.text);
    const choice = ask.choices.find(({ key }) => key === state.writing);
    if (!choice) return;
    const text = state.text.trim();
    if (!text && !choice.refuses) return;
    void this.answer(session, choice.key, text || null);
  }

  private ready(session: Session): Answering | undefined {
    const state = this.states.get(session.id);
    const { ask } = session;
    if (!state?.settled || !ask?.answerable || state.busy !== null || state.ask !== keyOf(ask))
      return undefined;
    return state;
  }

  private async answer(session: Session, choice: string | null, text: string | null): Promise<void> {
    const { id, ask, name } = session;
    const state = this.states.get(id);
    if (!ask || !state) return;
    const { client } = this.belfry;
    const { connected } = client;
    this.notes.delete(id);
    state.busy = choice ?? '';
    state.armed = null;
    try {
      const params = { session: id, choice, text, fingerprint: ask.fingerprint };
      await client.request('session', { method: 'answer_ask', params });
      state.text = '';
      state.writing = null;
    } catch (error) {
      const note = { text: told(error, connected), at: performance.now() };
      if (this.states.has(id)) this.notes.set(id, note);
      else this.belfry.toasts.fail(`${name}: ${note.text}`);
    } finally {
      state.busy = null;
    }
  }
}

function keyOf(ask: Ask): string {
  return `${ask.id} ${ask.fingerprint}`;
}

/** What happened to an answer, what was kept, and what to do. */
function told(error: unknown, wasConnected: boolean): string {
  if (!(error instanceof RequestError)) return explain(error);
  if (error.code === 'disconnected') {
    return wasConnected ? say.asks.theConnectionWasLostWhileTheAnswer : say.asks.nothingWasSent;
  }
  if (error.code === 'changed' && !error.kept) {
    const why = sentence(say.asks.nothingWasSentMessage(uncapitalised(error.message)));
    return [why, sentence(error.next)].filter(Boolean).join(' ');
  }
  return explain(error);
}

function uncapitalised(text: string): string {
  // Not a name or an abbreviation.
  return /^[A-Z][a-z]+ /.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
