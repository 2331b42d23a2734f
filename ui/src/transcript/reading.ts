import { createContext } from 'svelte';
import type { SvelteSet } from 'svelte/reactivity';
import type { Session } from '$lib/client/generated/protocol';

/** What the parts of a transcript know of the whole. */
export interface Reading {
  readonly agent: string;
  readonly id: string;
  readonly session: Session | undefined;
  /** Parts that somebody has opened: they stay so when they are scrolled away and back. */
  readonly opened: SvelteSet<string>;
  /** Shows what a subagent did in place of the conversation. */
  inside(subagent: string): void;
  /** Shows a moment in the replay; nothing where the session has none. */
  readonly replay: ((at: string) => void) | undefined;
}

export const [getReading, setReading] = createContext<Reading>();
