import type { RecordingLine } from '$lib/client/generated/protocol';

/** What is put on the screen, one after the other. */
export type Line = Exclude<RecordingLine, { is: 'end' }>;

/** How fast a recording can be played. */
export const SPEEDS = [0.5, 1, 2, 4, 8, 16] as const;

/** Pauses that can be cut to, in milliseconds. */
export const CUTS = [1_000, 2_000, 5_000, 10_000] as const;

/** Characters that wait to be shown, below which more is read. */
const LOW = 256 * 1024;

/** Most characters that are shown at once: the rest is late, and the clock waits for it. */
const AT_ONCE = 256 * 1024;

/** Moments that can be stepped back to. */
const STEPS = 500;

/** A pause that was cut short. */
export interface Cut {
  /** Where it ended, in milliseconds. */
  to: number;
  /** How much of it was passed over. */
  by: number;
}

/** Where a recording is, and what its screen shows next. Pure but for the time that it is told has passed. All times are milliseconds. */
export class Player {
  playing = false;
  speed = 1;
  /** Pauses are cut to so much; undefined keeps them. */
  longest: number | undefined = 2_000;
  /** The last pause that was cut, while that is still of interest. */
  cut: Cut | undefined;
  private place = 0;
  private lines: Line[] = [];
  /** Of the first of {@link lines} that was not shown yet. */
  private first = 0;
  private waiting = 0;
  /** Where to read on; null at the end, undefined before anything was read since the last jump. */
  private next: number | null | undefined;
  /** When something was printed last. */
  private printed = 0;
  /** Moments at which something was shown since the last jump, oldest first. */
  private shown: number[] = [];

  /** How long all of it takes, as far as is known. */
  length = 0;

  /** Where it is. */
  get at(): number {
    return Math.min(this.place, this.length);
  }

  /** Nothing follows. */
  get over(): boolean {
    return this.next === null && this.first >= this.lines.length;
  }

  /** What follows has not been read yet. */
  get starving(): boolean {
    return this.first >= this.lines.length && this.next !== null;
  }

  /** Jumps there: a picture has to follow. */
  go(at: number): void {
    this.place = Math.round(Math.min(Math.max(0, at), this.length));
    this.printed = this.place;
    this.lines = [];
    this.first = 0;
    this.waiting = 0;
    this.next = undefined;
    this.shown = [];
    this.cut = undefined;
  }

  /** More of it follows what was taken for its end. */
  grow(length: number): void {
    if (length <= this.length) return;
    if (this.next === null) this.next = this.length;
    this.length = length;
  }

  /** Takes what was read. */
  take(lines: readonly Line[], next: number | null): void {
    this.lines = [...this.lines.slice(this.first), ...lines];
    this.first = 0;
    for (const line of lines) {
      this.waiting += weight(line);
      // A session that runs prints while its recording is played.
      this.length = Math.max(this.length, line.at);
    }
    this.next = next;
  }

  /** Where to read on, where that is needed now. */
  get wants(): number | undefined {
    return this.waiting < LOW ? (this.next ?? undefined) : undefined;
  }

  /** Whether everything up to there has been read. */
  reaches(at: number): boolean {
    if (at < this.place || this.next === undefined) return false;
    return this.next === null || (this.lines.at(-1)?.at ?? -1) > at;
  }

  /** Time passes: what is due now. */
  pass(time: number): Line[] {
    if (!this.playing || this.starving) return this.due(this.place);
    const due = this.due(this.place + time * this.speed, true);
    if (this.over) {
      this.place = this.length;
      this.playing = false;
    }
    return due;
  }

  /** Goes on to there, as far as it has been read. */
  forward(at: number): Line[] {
    const due = this.due(Math.min(at, this.length), false, Infinity);
    this.printed = this.place;
    this.cut = undefined;
    return due;
  }

  /** Goes on to the next moment at which something is shown; nothing where that has not been read. */
  step(): Line[] {
    const next = this.lines[this.first];
    return next ? this.forward(next.at) : [];
  }

  /** The moment before what was shown last; unknown where that has not been passed since the last jump. */
  get before(): number | undefined {
    return this.shown.at(-2);
  }

  /** Milliseconds, of a person's own time, until something has to be shown. */
  get rest(): number {
    const next = this.lines[this.first];
    if (!next) return Infinity;
    const due = this.longest === undefined ? next.at : Math.min(next.at, this.printed + this.longest);
    return Math.max(0, due - this.place) / this.speed;
  }

  private due(until: number, cuts = false, most = AT_ONCE): Line[] {
    const due: Line[] = [];
    let target = Math.max(this.place, until);
    let size = 0;
    for (;;) {
      const line = this.lines[this.first];
      if (!line) break;
      if (line.at > target) {
        const whole = this.longest === undefined || !cuts;
        if (whole || target < this.printed + this.longest!) break;
        this.cut = { to: line.at, by: line.at - target };
        target = line.at;
      }
      if (size >= most) {
        target = Math.max(this.place, due.at(-1)?.at ?? this.place);
        break;
      }
      this.first += 1;
      size += weight(line);
      this.printed = Math.max(this.printed, line.at);
      due.push(line);
      if (this.shown.at(-1) !== line.at) this.shown.push(line.at);
    }
    if (this.shown.length > 2 * STEPS) this.shown = this.shown.slice(-STEPS);
    this.waiting -= size;
    // What was shown is not kept.
    if (this.first > 1_000) {
      this.lines = this.lines.slice(this.first);
      this.first = 0;
    }
    // Nothing is known of what follows: the clock stands still until it is.
    if (this.starving && this.next !== undefined)
      target = Math.min(target, Math.max(this.printed, this.place));
    this.place = Math.min(target, this.length);
    return due;
  }
}

function weight(line: Line): number {
  return line.is === 'resize' ? 16 : line.text.length + 16;
}
