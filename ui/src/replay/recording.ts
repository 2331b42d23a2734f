import type { HoleReason, QueuedMessage, Recording } from '$lib/client/generated/protocol';

/** What can be seen on a time bar. */
export type PointKind = 'run' | 'end' | 'turn' | 'ask' | 'blocked' | 'message' | 'size' | 'hole';

/** A moment of a recording, in milliseconds of its own clock. */
export interface Point {
  at: number;
  kind: PointKind;
  /** What is to be said of it beside its kind. */
  text: string;
}

/** What a jump from mark to mark stops at. */
const STOPS: ReadonlySet<PointKind> = new Set<PointKind>(['turn', 'ask', 'blocked', 'message']);

/** A mark that is nearer than this is where one is: the one before it is meant. */
const HERE = 1_000;

/** What the clock on the wall showed there, in milliseconds since the epoch; unknown of a recording that does not tell. */
export function toWall(recording: Recording, at: number): number | undefined {
  const run = recording.runs.findLast(({ from }) => from <= at) ?? recording.runs[0];
  if (!run) return undefined;
  const place = Math.min(Math.max(at, run.from), run.to);
  const clock = recording.clocks.findLast((one) => one.at <= place && one.at >= run.from);
  return clock ? clock.wall + (place - clock.at) : Date.parse(run.began) + (place - run.from);
}

/** Where a time of the wall's clock is; the next place that there is, where nothing is of it. */
export function fromWall(recording: Recording, wall: number): number {
  const { clocks, length } = recording;
  const index = clocks.findLastIndex((one) => one.wall <= wall);
  const clock = clocks[index];
  if (!clock) return 0;
  return Math.min(clock.at + (wall - clock.wall), clocks[index + 1]?.at ?? length, length);
}

/** All that can be seen on its bar, in order. */
export function points(recording: Recording, messages: readonly QueuedMessage[], runs: boolean): Point[] {
  const list: Point[] = recording.marks.map(({ at, kind, text }) => ({ at, kind, text }));
  const last = recording.runs.at(-1);
  for (const run of recording.runs)
    if (!runs || run !== last) list.push({ at: run.to, kind: 'end', text: '' });
  for (const { text, delivery, queued_at } of messages) {
    const wall = Date.parse(queued_at);
    const start = toWall(recording, 0);
    // One of before what is kept is nowhere in it.
    if (delivery !== 'delivered' || start === undefined || wall < start) continue;
    list.push({ at: fromWall(recording, wall), kind: 'message', text: oneLine(text) });
  }
  // The first size is how it began, and no change.
  for (const { at, cols, rows } of recording.sizes.slice(1))
    list.push({ at, kind: 'size', text: `${cols} × ${rows}` });
  for (const { at, why } of recording.holes) list.push({ at, kind: 'hole', text: why });
  return list.sort((one, other) => one.at - other.at);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
}

/** The next ask or prompt, or the one before. */
export function stop(list: readonly Point[], at: number, later: boolean): Point | undefined {
  const stops = list.filter(({ kind }) => STOPS.has(kind));
  return later ? stops.find((one) => one.at > at) : stops.findLast((one) => one.at + HERE < at);
}

/** What one is behind: the latest that tells something of what is seen. */
export function latest(list: readonly Point[], at: number): Point | undefined {
  return list.findLast((one) => one.at <= at && (STOPS.has(one.kind) || one.kind === 'run'));
}

/** What is missing about there, shown for so long after it. */
export function holeAt(recording: Recording, at: number): { bytes: number; why: HoleReason } | undefined {
  return recording.holes.findLast((hole) => hole.at <= at && at - hole.at < 5_000);
}

/** The shape of what was printed: heights from 0 to 1, one for each part. A flood does not hide a few lines. */
export function heights(activity: readonly number[]): number[] {
  const most = Math.log1p(Math.max(...activity, 1));
  return activity.map((bytes) => (bytes > 0 ? Math.max(0.12, Math.log1p(bytes) / most) : 0));
}

/** `1:05`, `2:03:04`. */
export function digits(milliseconds: number): string {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1_000);
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
