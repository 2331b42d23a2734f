import type { Client } from '$lib/client/client';
import type { Conversation, Hit } from '$lib/client/generated/protocol';
import { EVERYTHING, listOf, searchOf, searches } from '../library/query';
import type { Mode } from './items';

/** Milliseconds without another letter after which the daemon is asked. */
const PAUSE = 90;
/** Conversations that are offered beside sessions and commands; and places that a text is found at. */
const CONVERSATIONS = 5;
const HITS = 40;

/** What the daemon finds for the palette: conversations by what they are called, and places where something was said. */
export class Finds {
  conversations = $state.raw<readonly Conversation[]>([]);
  hits = $state.raw<readonly Hit[]>([]);
  busy = $state(false);
  private round = 0;
  private pause: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly client: Client) {}

  /** Asks for what belongs to a text; `taken` changes what is listed, after the answer that is still wanted. */
  ask(mode: Mode, text: string, taken: (change: () => void) => void): void {
    this.cancel();
    const query = { ...EVERYTHING, text };
    const wanted = mode !== 'commands' && searches(query);
    // What was found for a letter less is the better guess than nothing, but not in another list.
    if (!wanted || mode === 'text') this.conversations = [];
    if (!wanted || mode === 'all') this.hits = [];
    if (!wanted) return;
    const { round } = this;
    this.busy = mode === 'text';
    this.pause = setTimeout(() => {
      const found = mode === 'text' ? this.search(query) : this.list(query);
      found
        .then((take) => round === this.round && taken(take))
        // Sessions and commands are listed all the same.
        .catch(() => {})
        .finally(() => {
          if (round === this.round) this.busy = false;
        });
    }, PAUSE);
  }

  cancel(): void {
    this.round += 1;
    clearTimeout(this.pause);
    this.busy = false;
  }

  private async list(query: typeof EVERYTHING): Promise<() => void> {
    const params = listOf(query, Date.now(), 0, CONVERSATIONS);
    const { conversations } = await this.client.request('conversations', {
      method: 'list_conversations',
      params,
    });
    return () => (this.conversations = conversations);
  }

  private async search(query: typeof EVERYTHING): Promise<() => void> {
    const params = searchOf(query, Date.now(), 0, HITS);
    const { found } = await this.client.request('hits', { method: 'search_text', params });
    return () => (this.hits = found.hits);
  }
}
