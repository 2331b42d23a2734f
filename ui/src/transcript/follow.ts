import type { Session } from '$lib/client/generated/protocol';
import type { Belfry } from '$lib/state/belfry.svelte';

/** Milliseconds from a sign that something was said to the question what, between two of them, and to a last one. */
const SOON = 250;
const PAUSE = 1000;
const LATE = 2500;
/** Of the time, at most one part in so many is spent on reading. */
const SHARE = 10;

/**
 * Asks what is new soon after there was a sign of it, and once more a while after the last one: agents print before they write
 * down. Nothing is asked while nobody sees the window, and nothing where all is quiet.
 */
export class Follow {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ended = 0;
  private busy = false;
  private rung = false;
  private waits = false;
  private over = false;
  private planned: 'soon' | 'late' | null = null;

  constructor(
    private readonly ask: () => Promise<unknown>,
    /** Milliseconds between two questions. */
    private readonly pause = PAUSE,
  ) {
    document.addEventListener('visibilitychange', this.seen);
  }

  /** Something happened. */
  readonly ring = (): void => {
    if (document.hidden) this.waits = true;
    else if (this.busy) this.rung = true;
    else this.after(Math.max(SOON, this.ended + this.pause - performance.now()), true);
  };

  stop(): void {
    this.over = true;
    clearTimeout(this.timer);
    document.removeEventListener('visibilitychange', this.seen);
  }

  private readonly seen = () => {
    if (!document.hidden && this.waits) this.ring();
  };

  /** The first sign of several has its time; one that is waited for late gives way to it. */
  private after(milliseconds: number, soon: boolean): void {
    if (this.planned === 'soon' || this.over) return;
    clearTimeout(this.timer);
    this.planned = soon ? 'soon' : 'late';
    this.timer = setTimeout(() => void this.run(soon), milliseconds);
  }

  private async run(soon: boolean): Promise<void> {
    this.planned = null;
    if (document.hidden) {
      this.waits = true;
      return;
    }
    this.waits = false;
    this.busy = true;
    const began = performance.now();
    await this.ask();
    this.busy = false;
    const now = performance.now();
    // A conversation that takes long to read is read more rarely.
    this.ended = now + Math.max(0, (now - began) * SHARE - this.pause);
    if (this.rung) {
      this.rung = false;
      this.ring();
    } else if (soon) this.after(Math.max(LATE, this.pause), false);
  }
}

/** Rings for what a session's terminal prints; takes that back. */
export function heard({ views }: Pick<Belfry, 'views'>, session: Session, ring: () => void): () => void {
  const view = views.get(session.id);
  if (!view) return () => {};
  let terminal = view.terminal;
  let listening = terminal.onWriteParsed(ring);
  // A screen that is made anew brings a terminal of its own.
  const stop = view.listen(() => {
    if (view.terminal === terminal) return;
    listening.dispose();
    terminal = view.terminal;
    listening = terminal.onWriteParsed(ring);
  });
  return () => {
    stop();
    listening.dispose();
  };
}
