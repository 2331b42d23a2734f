import type { Happened } from '../client/generated/protocol';
import type { Belfry } from './belfry.svelte';
import { explain } from './explain-error';

/** As many as the daemon gives at once. */
export const MOST_HISTORY = 500;

/** What happened to one session; asked for anew when the session changes, and only while somebody looks. */
export class History {
  list = $state.raw<readonly Happened[] | null>(null);
  problem = $state<string | null>(null);
  private session: string | null = null;
  private round = 0;

  constructor(private readonly belfry: Pick<Belfry, 'client'>) {}

  async load(session: string, limit: number): Promise<void> {
    const round = ++this.round;
    if (session !== this.session) this.list = null;
    this.session = session;
    try {
      const list = await this.belfry.client.request('history', {
        method: 'list_history',
        params: { session, limit },
      });
      if (round !== this.round) return;
      this.list = list;
      this.problem = null;
    } catch (error) {
      if (round === this.round) this.problem = explain(error);
    }
  }
}
