import type { Client } from '$lib/client/client';
import type { Conversation } from '$lib/client/generated/protocol';

/** What is known of a conversation as a whole: its title, its numbers, what of it could not be read. */
export class About {
  conversation = $state.raw<Conversation | null>(null);
  private round = 0;

  constructor(
    private readonly client: Client,
    private readonly agent: string,
    private readonly id: string,
  ) {}

  async load(): Promise<void> {
    const round = ++this.round;
    const params = {
      agents: [this.agent],
      id: this.id,
      directory: null,
      text: null,
      hidden: true,
      since: null,
      before: null,
      skip: 0,
      limit: 1,
    };
    // Where it has not been read yet, or the daemon cannot be asked, the numbers are not shown, or stay as they are.
    const found = await this.client
      .request('conversations', { method: 'list_conversations', params })
      .catch(() => null);
    const one = found?.conversations.find(({ id }) => id === this.id);
    if (one && round === this.round) this.conversation = one;
  }
}
