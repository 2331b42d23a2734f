import { SvelteSet } from 'svelte/reactivity';
import type { Session } from '../client/generated/protocol';
import type { Belfry } from './belfry.svelte';

/** Several sessions that are dealt with together. */
export class Selection {
  private readonly ids = new SvelteSet<string>();
  /** Where a range begins. */
  private anchor: string | null = null;
  /** Those that are still there, in the order of their creation. */
  readonly sessions: readonly Session[] = $derived.by(() => {
    const chosen = [...this.ids].map((id) => this.belfry.sessions.get(id));
    return chosen.filter((one): one is Session => one !== undefined && one.trashed_at === null);
  });

  constructor(private readonly belfry: Pick<Belfry, 'sessions'>) {}

  get any(): boolean {
    return this.sessions.length > 0;
  }

  has(id: string): boolean {
    return this.ids.has(id);
  }

  toggle(id: string): void {
    if (!this.ids.delete(id)) this.ids.add(id);
    this.anchor = id;
  }

  /** From where the selection began to here, in the order that is shown; `from` is where it begins when there is none. */
  extend(order: readonly string[], to: string, from: string | null): void {
    const anchor = this.anchor !== null && this.any ? this.anchor : (from ?? to);
    this.ids.clear();
    for (const id of range(order, anchor, to)) this.ids.add(id);
    this.anchor = anchor;
  }

  all(order: readonly string[]): void {
    for (const id of order) this.ids.add(id);
    this.anchor ??= order[0] ?? null;
  }

  clear(): void {
    this.ids.clear();
    this.anchor = null;
  }
}

/** Everything from one to the other, both with it, in whatever direction. */
export function range(order: readonly string[], from: string, to: string): string[] {
  const [a, b] = [order.indexOf(from), order.indexOf(to)];
  if (b < 0) return [];
  if (a < 0) return [to];
  return order.slice(Math.min(a, b), Math.max(a, b) + 1);
}
