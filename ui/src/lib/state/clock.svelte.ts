import { createSubscriber } from 'svelte/reactivity';

/**
 * How often labels that count seconds move. Each change has a web view draw frames for a good part of a second: counted one by
 * one they took 0.9 % of a core in WebKit, in steps a fifth of it.
 */
const STEP = 5_000;
const MINUTE = 60_000;

/** Now, as labels like "3m" need it. Timers run only while somebody can see the window and a label needs them. */
class Clock {
  /** Moves once a minute. */
  now = $state(Date.now());
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** For labels that count seconds; one timer for all of them, and none where there are none. */
  private readonly everyStep = createSubscriber((update) => {
    let timer: ReturnType<typeof setInterval> | undefined;
    const run = () => {
      clearInterval(timer);
      if (!document.hidden) timer = setInterval(update, STEP);
    };
    const seen = () => {
      run();
      update();
    };
    run();
    document.addEventListener('visibilitychange', seen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  });

  constructor() {
    document.addEventListener('visibilitychange', () => this.tick());
    this.tick();
  }

  /** Milliseconds since then; counts seconds for the first minute, in steps, and minutes after it. */
  since(time: string | number): number {
    const from = typeof time === 'number' ? time : Date.parse(time);
    if (Date.now() - from < MINUTE) this.everyStep();
    else void this.now;
    return Math.max(0, Date.now() - from);
  }

  private tick(): void {
    clearTimeout(this.timer);
    if (document.hidden) return;
    this.now = Date.now();
    this.timer = setTimeout(() => this.tick(), MINUTE);
  }
}

export const clock = new Clock();
