import type { Client } from '$lib/client/client';
import type { Recording } from '$lib/client/generated/protocol';
import { explain } from '$lib/state/explain-error';
import { CUTS, Player, SPEEDS, type Line } from './player';
import { fromWall, points, stop, type Point } from './recording';
import { Source } from './source';

/** Bytes that are read at once: while it plays, and while a place is looked for. */
const PIECE = 512 * 1024;
const GLANCE = 32 * 1024;

/** Milliseconds of a frame that count at most: whatever held the window up longer was no part of the recording. */
const LONGEST_FRAME = 250;
/** What is due later than this is waited for without drawing frames. */
const NEAR = 40;
/** Steps in which the bar and the time move, of the whole. */
const STEPS = 1_500;

/** What shows the lines. */
export interface Stage {
  show(lines: readonly Line[]): void;
  readonly busy: boolean;
}

/** How a person likes to watch, and where each session's recording was left; for as long as the window is open. */
const habits = { speed: 1, longest: CUTS[1] as number | undefined, cut: CUTS[1] as number };
const left = new Map<string, number>();

/** Plays one session's recording. Nothing runs while it is paused, or while nobody can see it. */
export class Playback {
  state = $state<'loading' | 'ready' | 'empty' | 'failed'>('loading');
  problem = $state('');
  recording = $state.raw<Recording | undefined>();
  points = $state.raw<readonly Point[]>([]);
  /** Where it is, in milliseconds; moves in steps while it plays. */
  at = $state(0);
  length = $state(0);
  playing = $state(false);
  speed = $state(habits.speed);
  /** Pauses are cut to so much; undefined: they are played whole. */
  longest = $state<number | undefined>(habits.longest);
  /** Of the pause that was cut last, while it is of interest; milliseconds. */
  skipped = $state(0);
  /** The picture of the place that was gone to is not there yet. */
  seeking = $state(false);
  /** A session that runs was played to what was its end. */
  newest = $state(false);
  private readonly source: Source;
  private readonly player = new Player();
  private stage: Stage | undefined;
  private wanted: { at: number; glance: boolean } | undefined;
  private reading = false;
  /** Steps that wait for what is to be stepped to. */
  private steps = 0;
  private frame = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last = 0;
  private hidden = false;
  private disposed = false;

  constructor(
    client: Client,
    private readonly session: string,
    private readonly alive: () => boolean,
  ) {
    this.source = new Source(client, session);
    this.player.speed = habits.speed;
    this.player.longest = habits.longest;
  }

  /** Nothing follows. */
  get over(): boolean {
    return this.at >= this.length;
  }

  /** Finds out what there is, and shows what was there at a time of the wall's clock, else where it was left, else its beginning. */
  async load(wall: number | undefined, start: boolean): Promise<void> {
    this.state = 'loading';
    this.problem = '';
    if (!(await this.survey())) return;
    if (this.disposed || !this.recording) return;
    if (this.recording.bytes === 0) {
      this.state = 'empty';
      return;
    }
    this.state = 'ready';
    const at = wall === undefined ? left.get(this.session) : fromWall(this.recording, wall);
    this.seek(at ?? 0);
    if (at === undefined && start) this.play();
  }

  /** Where it is shown from now on; that knows nothing yet. */
  setStage(stage: Stage | undefined): void {
    this.stage = stage;
    if (stage && this.state === 'ready') this.jump(this.player.at, false);
  }

  /** The stage has room again. */
  drained(): void {
    this.run();
  }

  play(): void {
    if (this.state !== 'ready' || this.playing) return;
    if (this.player.over) {
      if (this.alive()) return void this.further();
      this.seek(0);
    }
    this.player.playing = this.playing = true;
    this.run();
  }

  pause(): void {
    this.player.playing = this.playing = false;
    this.rest();
    this.at = this.player.at;
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Goes to a place. A `glance` is one of many, while the person looks for the right one. */
  seek(at: number, glance = false): void {
    if (this.state !== 'ready') return;
    const place = Math.round(Math.min(Math.max(0, at), this.length));
    this.newest = false;
    if (this.wanted !== undefined || !this.player.reaches(place)) return this.jump(place, glance);
    this.put(this.player.forward(place));
    this.tell();
    void this.read();
    this.run();
  }

  private jump(place: number, glance: boolean): void {
    this.steps = 0;
    this.player.go(place);
    this.wanted = { at: place, glance };
    this.seeking = true;
    this.tell();
    void this.read();
  }

  /** The place that was looked for is found: it is gone on from there. */
  settle(): void {
    if (this.wanted) this.wanted.glance = false;
  }

  by(milliseconds: number): void {
    this.seek(this.player.at + milliseconds);
  }

  /** To the end as it is now: of a session that runs it may be further on than it was. */
  async end(): Promise<void> {
    if (this.alive()) await this.survey();
    if (!this.disposed) this.seek(this.length);
  }

  /** To the next moment at which something was printed, or the one before; paused. */
  step(later: boolean): void {
    this.pause();
    if (later) {
      // What has not been read yet is stepped to when it is.
      if (this.player.starving) this.steps += 1;
      this.put(this.player.step());
      this.tell();
      void this.read();
    } else this.seek(this.player.before ?? this.player.at - 100);
  }

  /** To the next ask or prompt, or the one before. */
  stop(later: boolean): Point | undefined {
    const found = stop(this.points, this.player.at, later);
    if (found) this.seek(found.at);
    return found;
  }

  setSpeed(speed: number): void {
    habits.speed = this.speed = this.player.speed = speed;
    this.run();
  }

  faster(by: 1 | -1): void {
    const here = SPEEDS.findIndex((speed) => speed >= this.speed);
    this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, here + by))] ?? 1);
  }

  setLongest(longest: number | undefined): void {
    habits.longest = this.longest = this.player.longest = longest;
    if (longest !== undefined) habits.cut = longest;
    this.run();
  }

  togglePauses(): void {
    this.setLongest(this.longest === undefined ? habits.cut : undefined);
  }

  /** Nobody can see it, or somebody can again. */
  hide(hidden: boolean): void {
    this.hidden = hidden;
    if (hidden) this.rest();
    else this.run();
  }

  dispose(): void {
    if (this.state === 'ready') left.set(this.session, this.player.at);
    this.disposed = true;
    this.stage = undefined;
    this.pause();
  }

  /** What there is, and how much of it. */
  private async survey(): Promise<boolean> {
    try {
      const [recording, messages] = await Promise.all([this.source.show(), this.source.messages()]);
      this.recording = recording;
      this.points = points(recording, messages, this.alive());
      this.player.grow(recording.length);
      this.length = this.player.length;
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  /** A session that runs may have printed more meanwhile. */
  private async further(): Promise<void> {
    const before = this.player.length;
    if (!(await this.survey()) || this.disposed) return;
    this.newest = this.length <= before;
    if (this.newest) return;
    this.player.playing = this.playing = true;
    void this.read();
    this.run();
  }

  private async read(): Promise<void> {
    if (this.reading) return;
    this.reading = true;
    try {
      for (;;) {
        const { wanted } = this;
        this.wanted = undefined;
        const from = wanted?.at ?? this.player.wants;
        if (from === undefined || this.disposed) break;
        const piece = await this.source.read(from, wanted !== undefined, wanted?.glance ? GLANCE : PIECE);
        if (this.disposed) break;
        // Somebody who looks for a place sees where they are on the way there.
        if (this.wanted) this.put(piece.lines.slice(0, 1));
        else this.took(piece.lines, piece.next);
      }
    } catch (error) {
      this.wanted = undefined;
      this.fail(error);
    } finally {
      this.reading = false;
      this.seeking = this.wanted !== undefined;
    }
  }

  private took(lines: Line[], next: number | null): void {
    this.player.take(lines, next);
    this.seeking = false;
    this.put(this.player.pass(0));
    for (; this.steps > 0 && !this.player.starving; this.steps -= 1) this.put(this.player.step());
    if (this.player.over) this.steps = 0;
    this.tell();
    this.run();
  }

  private put(lines: readonly Line[]): void {
    if (lines.length > 0) this.stage?.show(lines);
  }

  /** The next frame or moment, where one is needed at all. */
  private run(goesOn = false): void {
    const goes = goesOn || this.frame !== 0 || this.timer !== undefined;
    this.rest();
    if (!this.playing || this.hidden || this.disposed || this.stage?.busy || this.player.starving) return;
    const { rest } = this.player;
    // Where nothing ran no time of the recording passed, whatever was waited for.
    if (!goes) this.last = performance.now();
    const tick = () => {
      this.frame = 0;
      this.timer = undefined;
      this.tick(rest);
    };
    const step = Math.max(NEAR, Math.min(1_000, this.length / STEPS) / this.speed);
    const wait = Math.min(rest, step);
    if (wait > NEAR) this.timer = setTimeout(tick, wait);
    else this.frame = requestAnimationFrame(tick);
  }

  private tick(rest: number): void {
    const passed = Math.min(
      performance.now() - this.last,
      Math.max(LONGEST_FRAME, Math.min(rest, 1_000) + NEAR),
    );
    this.last = performance.now();
    this.put(this.player.pass(passed));
    this.tell();
    void this.read();
    this.run(true);
  }

  /** No frame and no timer is left. */
  private rest(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    this.frame = 0;
    this.timer = undefined;
  }

  private tell(): void {
    const { player } = this;
    this.length = player.length;
    const step = Math.min(1_000, this.length / STEPS);
    const moved = Math.abs(player.at - this.at) >= step || second(player.at) !== second(this.at);
    if (moved || !player.playing) this.at = player.at;
    if (this.playing !== player.playing) this.playing = player.playing;
    const { cut } = player;
    const skipped = cut && player.at - cut.to < 2_000 * player.speed ? cut.by : 0;
    if (skipped !== this.skipped) this.skipped = skipped;
  }

  private fail(error: unknown): void {
    if (this.disposed) return;
    this.pause();
    left.set(this.session, this.player.at);
    this.seeking = false;
    this.problem = explain(error);
    this.state = 'failed';
  }
}

function second(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000);
}
