import type { Client } from '$lib/client/client';
import type { AgentInfo } from '$lib/client/generated/protocol';
import { EVERYTHING, listOf } from './query';

/** Milliseconds after which is counted again while the daemon reads. */
const AGAIN = 1_000;

/** How many conversations of which agents are on this machine. */
export class Already {
  /** By agent's id, those that have some. */
  counts = $state.raw<ReadonlyMap<string, number>>(new Map());
  busy = $state(false);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private over = false;

  constructor(private readonly client: Client) {}

  readonly total = $derived([...this.counts.values()].reduce((sum, count) => sum + count, 0));

  async count(agents: readonly AgentInfo[]): Promise<void> {
    clearTimeout(this.timer);
    const asked = agents.filter(({ can }) => can.history).map(({ id }) => id);
    const told = await Promise.all(asked.map((agent) => this.of(agent))).catch(() => null);
    if (!told || this.over) return;
    this.counts = new Map(told.flatMap(({ agent, total }) => (total > 0 ? [[agent, total] as const] : [])));
    this.busy = told.some(({ indexing }) => indexing.busy);
    if (this.busy) this.timer = setTimeout(() => void this.count(agents), AGAIN);
  }

  stop(): void {
    this.over = true;
    clearTimeout(this.timer);
  }

  private async of(agent: string) {
    const params = listOf({ ...EVERYTHING, agents: [agent] }, Date.now(), 0, 0);
    const answer = await this.client.request('conversations', { method: 'list_conversations', params });
    return { agent, total: answer.total, indexing: answer.indexing };
  }
}
