import type { Client } from '$lib/client/client';
import type { Conversation, Indexing } from '$lib/client/generated/protocol';
import { listOf, type Query } from './query';

/** Conversations that are asked for at once. */
const PAGE = 100;

/** The list of conversations, of which only what was looked at is here. */
export class Pages {
  /** By their place; what was not asked for yet is missing. */
  items = $state.raw<readonly (Conversation | undefined)[]>([]);
  total = $state(0);
  private readonly asked = new Set<number>();
  private round = 0;

  constructor(
    private readonly client: Client,
    private readonly told: (indexing: Indexing) => void,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Begins anew; what is shown stays until the answer is there. Resolves to false where another question has overtaken this one. */
  async load(query: Query, around = 0): Promise<boolean> {
    const round = ++this.round;
    this.asked.clear();
    const skip = Math.max(0, around - PAGE / 2);
    const { conversations, total, indexing } = await this.ask(query, skip);
    if (round !== this.round) return false;
    const items = new Array<Conversation | undefined>(total).fill(undefined);
    conversations.forEach((one, at) => (items[skip + at] = one));
    this.items = items;
    this.total = total;
    this.told(indexing);
    return true;
  }

  /** Asks for those between two places that are not here. */
  need(query: Query, from: number, to: number): void {
    const { round } = this;
    for (let at = from; at < Math.min(to, this.total); at += 1) {
      if (this.items[at]) continue;
      const skip = at - (at % PAGE);
      // A page that came with fewer than were asked for is asked for from where it ended.
      const start = this.items[skip] ? at : skip;
      if (this.asked.has(start)) return;
      this.asked.add(start);
      this.ask(query, start).then(
        ({ conversations, indexing }) => {
          if (round !== this.round) return;
          const items = [...this.items];
          conversations.forEach((one, index) => {
            if (start + index < items.length) items[start + index] = one;
          });
          this.items = items;
          this.told(indexing);
        },
        (error: unknown) => {
          this.asked.delete(start);
          if (round === this.round) this.failed(error);
        },
      );
      at = start + PAGE - 1;
    }
  }

  /** Changes one that is here. */
  change(changed: (one: Conversation) => Conversation): void {
    this.items = this.items.map((one) => one && changed(one));
  }

  /** Takes one out. */
  remove(fits: (one: Conversation) => boolean): void {
    const items = this.items.filter((one) => !one || !fits(one));
    this.total -= this.items.length - items.length;
    this.items = items;
    this.asked.clear();
  }

  private ask(query: Query, skip: number) {
    const params = listOf(query, Date.now(), skip, PAGE);
    return this.client.request('conversations', { method: 'list_conversations', params });
  }
}
