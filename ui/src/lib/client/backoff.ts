/** Milliseconds before the first try to reconnect: a daemon that was killed is back within this or a few times this. */
const FIRST = 50;
/** Longest wait between two tries, in milliseconds. */
const LONGEST = 5_000;

/** Waits between tries to reconnect: doubling, up to a limit, with some spread so that many windows do not try as one. */
export class Backoff {
  private tries = 0;

  constructor(private readonly random: () => number = Math.random) {}

  /** Milliseconds to wait before the next try. */
  next(): number {
    const base = Math.min(LONGEST, FIRST * 2 ** this.tries);
    this.tries += 1;
    return Math.round(base * (0.75 + this.random() / 2));
  }

  reset(): void {
    this.tries = 0;
  }
}
