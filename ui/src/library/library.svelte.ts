import type { Conversation, Hit, Indexing } from '$lib/client/generated/protocol';
import type { Belfry } from '$lib/state/belfry.svelte';
import { explain } from '$lib/state/explain-error';
import { isEntry, keyOf, rowsOf, type HitRow, type LineHit } from './hit-rows';
import { living, liveOf, type Place } from './live';
import { Pages } from './pages.svelte';
import { EVERYTHING, searches, searchOf, type Query } from './query';

/** Milliseconds without another letter after which is asked. */
const PAUSE = 80;
/** Milliseconds after which is looked again while the daemon reads. Nothing is asked while it does not. */
const LOOK = 1_000;
/** Hits of one page. */
const HITS = 60;

/** What is shown on the right: a conversation and a place in it, or a line of a terminal. */
export type Chosen = ChosenConversation | { kind: 'line'; key: string; hit: LineHit };

export interface ChosenConversation {
  kind: 'conversation';
  key: string;
  conversation: Conversation;
  at: { seq: number; subagent: string | null } | null;
}

/** What the page of conversations knows while it is open. */
export class Library {
  query = $state.raw<Query>(EVERYTHING);
  readonly pages: Pages;
  hits = $state.raw<readonly Hit[]>([]);
  /** How many places there are in all; and whether there are even more. */
  found = $state.raw<{ total: number; more: boolean }>({ total: 0, more: false });
  indexing = $state.raw<Indexing>({ done: 0, total: 0, busy: false });
  /** What is listed answers this question; none before the first answer. */
  answered = $state.raw<Query | null>(null);
  error = $state<string | null>(null);
  chosen = $state.raw<Chosen | null>(null);
  readonly rows = $derived<readonly HitRow[]>(rowsOf(this.hits));
  /** Hits are listed, and not conversations. */
  readonly searched = $derived(this.answered !== null && searches(this.answered));
  /** The answer is on its way. */
  readonly busy = $derived(this.answered !== this.query && this.error === null);
  private readonly alive = $derived.by(() => {
    const { all, elsewhere } = this.belfry.sessions;
    return living([...all.values(), ...elsewhere.values()]);
  });
  private round = 0;
  private pause: ReturnType<typeof setTimeout> | undefined;
  private look: ReturnType<typeof setTimeout> | undefined;
  private closed = false;
  /** Rows that show. */
  private seen = { from: 0, to: 0 };
  private moreAsked = 0;

  constructor(private readonly belfry: Belfry) {
    this.pages = new Pages(
      belfry.client,
      (indexing) => this.told(indexing),
      (error) => (this.error = explain(error)),
    );
  }

  /** Rows. */
  readonly count = $derived.by(() => (this.searched ? this.rows.length : this.pages.total));

  /** What a row is about; none where that is not here yet. */
  at(row: number): Chosen | null {
    if (!this.searched) {
      const conversation = this.pages.items[row];
      return conversation ? { kind: 'conversation', key: keyOf(conversation), conversation, at: null } : null;
    }
    const found = this.rows[row];
    if (!found) return null;
    const { key } = found;
    switch (found.kind) {
      case 'session':
      case 'line':
        return { kind: 'line', key, hit: found.hit };
      case 'head':
        return { kind: 'conversation', key, conversation: found.conversation, at: null };
      case 'hit': {
        const { conversation, seq, subagent } = found.hit;
        return { kind: 'conversation', key, conversation, at: seq === null ? null : { seq, subagent } };
      }
    }
  }

  /** The row of that key; -1 where there is none. */
  rowOf(key: string | null): number {
    if (key === null) return -1;
    return this.searched
      ? this.rows.findIndex((row) => row.key === key)
      : this.pages.items.findIndex((one) => one !== undefined && keyOf(one) === key);
  }

  live(conversation: Conversation): Place | null {
    return liveOf(conversation, this.alive, (id) => this.belfry.sessions.get(id));
  }

  /** Asks anew; a text only once nothing more is typed. */
  set(part: Partial<Query>): void {
    this.query = { ...this.query, ...part };
    clearTimeout(this.pause);
    if (part.text === undefined && part.file === undefined) return void this.load();
    this.pause = setTimeout(() => void this.load(), PAUSE);
  }

  /** Asks for what is wanted. What is listed stays until the answer is there. */
  async load(again = false): Promise<void> {
    clearTimeout(this.look);
    if (this.closed) return;
    const round = ++this.round;
    const { query } = this;
    try {
      if (searches(query)) await this.search(query, round, again);
      else if (await this.pages.load(query, again ? this.seen.from : 0)) this.answer(query, round);
    } catch (error) {
      if (round === this.round) this.error = explain(error);
    }
  }

  /** Rows that come into sight. */
  show(from: number, to: number): void {
    this.seen = { from, to };
    const { answered } = this;
    if (!answered) return;
    if (!this.searched) this.pages.need(answered, from, to);
    else if (to >= this.rows.length - 10) void this.more(answered);
  }

  close(): void {
    this.closed = true;
    this.round += 1;
    clearTimeout(this.pause);
    clearTimeout(this.look);
  }

  /** One was hidden, or is shown again. */
  hidden(which: Conversation, hidden: boolean): void {
    const key = keyOf(which);
    const is = (one: Conversation) => keyOf(one) === key;
    const changed = (one: Conversation) => (is(one) ? { ...one, hidden } : one);
    const { chosen } = this;
    const mine = chosen?.kind === 'conversation' && is(chosen.conversation);
    if (mine) this.chosen = { ...chosen, conversation: changed(chosen.conversation) };
    if (!hidden || this.query.hidden) {
      this.pages.change(changed);
      this.hits = this.hits.map((hit) =>
        isEntry(hit) ? { ...hit, conversation: changed(hit.conversation) } : hit,
      );
      if (!hidden) void this.load(true);
      return;
    }
    const row = this.rowOf(this.chosen?.key ?? null);
    this.pages.remove(is);
    this.hits = this.hits.filter((hit) => !isEntry(hit) || !is(hit.conversation));
    // The next one takes its place.
    if (mine) this.chosen = this.at(Math.min(Math.max(0, row), this.count - 1));
  }

  private async search(query: Query, round: number, again: boolean): Promise<void> {
    const most = again ? Math.max(HITS, Math.min(100, this.hits.length)) : HITS;
    const { found, indexing } = await this.belfry.client.request('hits', {
      method: 'search_text',
      params: searchOf(query, Date.now(), 0, most),
    });
    if (round !== this.round) return;
    this.hits = found.hits;
    this.found = { total: found.total, more: found.more };
    this.moreAsked = 0;
    this.told(indexing);
    this.answer(query, round);
  }

  /** The next page of hits. */
  private async more(query: Query): Promise<void> {
    const skip = this.hits.length;
    if (skip >= this.found.total || skip <= this.moreAsked) return;
    this.moreAsked = skip;
    const { round } = this;
    try {
      const params = searchOf(query, Date.now(), skip, HITS);
      const { found } = await this.belfry.client.request('hits', { method: 'search_text', params });
      if (round !== this.round) return;
      this.hits = [...this.hits, ...found.hits];
      if (found.hits.length === 0) this.found = { ...this.found, total: skip };
    } catch (error) {
      if (round === this.round) this.error = explain(error);
    }
  }

  private answer(query: Query, round: number): void {
    if (round !== this.round) return;
    const other = this.answered !== null && keyOfQuery(this.answered) !== keyOfQuery(query);
    this.answered = query;
    this.error = null;
    // Another text that is looked for: its best answer is what one wants to see. Else what was chosen stays where it is there.
    const row = this.rowOf(this.chosen?.key ?? null);
    if (row >= 0 && !(other && searches(query))) this.chosen = this.at(row);
    else if (other || this.chosen === null) this.chosen = this.at(0);
  }

  private told(indexing: Indexing): void {
    this.indexing = indexing;
    clearTimeout(this.look);
    if (!indexing.busy || this.closed) return;
    this.look = setTimeout(() => {
      if (!document.hidden) void this.load(true);
    }, LOOK);
  }
}

function keyOfQuery(query: Query): string {
  return JSON.stringify(query);
}
