import { createSubscriber } from 'svelte/reactivity';

/** Now, as labels like "3m" need it. Timers run only while somebody can see the window and a label needs them. */
class Clock {
  /** Moves once a minute. */
  now = $state(Date.now());
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** For labels that count seconds; one timer for all of them, and none where there are none. */
  private readonly everySecond = createSubscriber((update) => {
    const timer = setInterval(() => {
      if (!document.hidden) update();
    }, 1_000);
    return () => clearInterval(timer);
  });

  constructor() {
    document.addEventListener('visibilitychange', () => this.tick());
    this.tick();
  }

  /** Milliseconds since then; counts seconds for the first minute, and minutes after it. */
  since(time: string | number): number {
    const from = typeof time === 'number' ? time : Date.parse(time);
    if (Date.now() - from < 60_000) this.everySecond();
    else void this.now;
    return Math.max(0, Date.now() - from);
  }

  private tick(): void {
    clearTimeout(this.timer);
    if (document.hidden) return;
    this.now = Date.now();
    this.timer = setTimeout(() => this.tick(), 60_000);
  }
}

export const clock = new Clock();
