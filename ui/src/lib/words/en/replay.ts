import type { HoleReason } from '../../client/generated/protocol';
import { number } from '../locale';
import { counted } from '../plural';

/** A session's recording, played again. */
export const replay = {
  replayOf: (name: string) => `Replay of ${name}`,
  terminalAsItWas: 'The terminal as it was',
  timeBar: 'Time',
  /** What a reader is told of a place: `1 min 5 s of 12 min, 14:03:22`. */
  place: (at: string, length: string, wall: string) => `${at} of ${length}${wall && `, ${wall}`}`,
  hoursMinutesSeconds: (hours: number, minutes: number, seconds: number) =>
    [
      hours > 0 && `${number(hours)} h`,
      minutes > 0 && `${number(minutes)} min`,
      (seconds > 0 || (hours === 0 && minutes === 0)) && `${number(seconds)} s`,
    ]
      .filter(Boolean)
      .join(' '),
  play: 'Play (Space)',
  pause: 'Pause (Space)',
  fromTheBeginning: 'From the beginning (Space)',
  goOnToTheNewest: 'Go on to the newest (Space)',
  previousMark: 'Previous ask or prompt (P)',
  nextMark: 'Next ask or prompt (N)',
  speed: (times: string) => `Speed: ${times}`,
  times: (speed: number) => `${number(speed, Number.isInteger(speed) ? 0 : 1)}×`,
  speedAndPauses: 'Speed and pauses',
  howFast: 'Speed',
  pauses: 'Pauses',
  skipThoseOver: (seconds: number) => `Skip those over ${number(seconds)} s`,
  playThemWhole: 'Play them whole',
  skipPauses: 'Skip pauses',
  pausesOverAreSkipped: (seconds: number) => `Pauses over ${number(seconds)} s are skipped (I)`,
  pausesArePlayed: 'Pauses are played whole (I)',
  skipped: (span: string) => `Skipped ${span}`,
  live: 'Live',
  backToTheLiveTerminal: 'Back to the live terminal',
  thisIsTheNewest: 'This is the newest: nothing was printed since.',
  inTheTranscript: 'See it in the transcript',
  export: 'Export…',
  exportWhole: 'Export the whole recording as an asciicast',
  exportNeedsCommand: 'This window cannot save files: `belfry export` can.',
  keys: 'Space plays and pauses · ← → 5 s · J L 10 s · , . one step · N P marks · < > speed · I pauses',
  reading: 'Reading the recording…',
  kinds: {
    run: 'Started',
    end: 'Ended',
    turn: 'Began to work',
    ask: 'Asked',
    blocked: 'Blocked',
    message: 'Message',
    size: 'Size',
    hole: 'Output is missing',
  },
  said: (kind: string, text: string) => (text ? `${kind}: ${text}` : kind),
  moreMarks: (count: number) => `and ${counted(count, 'mark', 'marks')} more`,
  size: (bytes: number) =>
    bytes < 1_000
      ? `${number(bytes)} B`
      : bytes < 1_000_000
        ? `${number(bytes / 1_000)} kB`
        : `${number(bytes / 1_000_000, 1)} MB`,
  why: {
    dropped: 'the oldest part is dropped when a recording reaches its limit (Settings, Privacy)',
    disk_full: 'the disk was full',
    damaged: 'the recording is damaged here',
  } satisfies Record<HoleReason, string>,
  missing: (size: string, why: string) => `${size} of output are missing here: ${why}.`,
  privateNote: 'Private: the recording is in memory only, and is gone with the session.',
  nothingToReplay: 'There is nothing to replay',
  printedNothingYet: 'It has printed nothing yet. What it prints is recorded, and can be played again here.',
  printedNothing: 'It has printed nothing, or its recording is gone.',
  privateIsGone: 'It is private: its recording was in memory only, and went when the machine started anew.',
  couldNotBeRead: 'The recording could not be read',
  couldNotBeDrawn: 'The terminal could not draw what was printed here. Go to another moment.',
  tryAgain: 'Try again',
  showTheTerminal: 'Show the terminal',
};
