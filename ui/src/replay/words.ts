import type { HoleReason } from '$lib/client/generated/protocol';
import { oneLine, unhidden } from '$lib/state/ask-words';
import { say } from '$lib/words';
import { timeToSecond } from '$lib/words/locale';
import type { Point } from './recording';

/** What a mark says. What an agent or a program wrote hides nothing in it. */
export function pointText({ kind, text }: Point): string {
  const words = kind === 'hole' ? say.replay.why[text as HoleReason] : oneLine(unhidden(text));
  return say.replay.said(say.replay.kinds[kind], words);
}

/** A span as it is read aloud: `1 min 5 s`. */
export function spoken(milliseconds: number): string {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1_000);
  return say.replay.hoursMinutesSeconds(
    Math.floor(seconds / 3_600),
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  );
}

/** The time of the day there, to the second; nothing where nobody knows. */
export function timeOfDay(wall: number | undefined): string {
  return wall === undefined ? '' : timeToSecond(new Date(wall));
}
