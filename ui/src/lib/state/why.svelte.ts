import type { Explanation } from '../client/generated/protocol';
import type { Belfry } from './belfry.svelte';
import { explain } from './explain-error';

/** Milliseconds that a pointer rests on a status before its explanation shows, and that it may be off it again. */
const REST = 500;
const LINGER = 250;

export interface Anchor {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The explanation of one session's status, where one is shown. */
export class Why {
  open = $state.raw<{ session: string; at: Anchor; held: boolean } | null>(null);
  told = $state.raw<{ explanation: Explanation; at: number } | null>(null);
  problem = $state<string | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private round = 0;

  constructor(private readonly belfry: Belfry) {}

  /** The pointer came to a status. */
  rest(session: string, on: Element): void {
    clearTimeout(this.timer);
    if (this.open?.held) return;
    if (this.open?.session === session) return;
    this.timer = setTimeout(() => this.show(session, on, false), REST);
  }

  /** It left the status, or what explains it. */
  leave(): void {
    clearTimeout(this.timer);
    if (this.open && !this.open.held) this.timer = setTimeout(() => this.close(), LINGER);
  }

  /** It came to the explanation. */
  stay(): void {
    clearTimeout(this.timer);
  }

  /** Shows it at once; `held` has the keyboard and stays until it is closed. */
  show(session: string, on: Element, held = true): void {
    clearTimeout(this.timer);
    const { left, right, top, bottom } = on.getBoundingClientRect();
    if (this.open?.session !== session) this.told = null;
    this.problem = null;
    this.open = { session, at: { left, right, top, bottom }, held };
    void this.load();
  }

  close(): void {
    clearTimeout(this.timer);
    this.round += 1;
    this.open = null;
    this.told = null;
  }

  async load(): Promise<void> {
    const session = this.open?.session;
    if (!session) return;
    const round = ++this.round;
    try {
      const explanation = await this.belfry.client.request('explanation', {
        method: 'explain_session',
        params: { session },
      });
      if (round !== this.round) return;
      this.told = { explanation, at: Date.now() };
      this.problem = null;
    } catch (error) {
      if (round === this.round) this.problem = explain(error);
    }
  }
}
