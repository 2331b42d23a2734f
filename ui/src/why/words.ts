import type { Evidence, Source, Weight } from '$lib/client/generated/protocol';
import { say } from '$lib/words';
import { timeToSecond } from '$lib/words/locale';

/**
 * A source in words for somebody who has never heard of it: its name, which `belfry explain` says too, and what it is.
 */
export const SOURCES: Record<Source, readonly [name: string, is: string]> = {
  process: ['Its process', 'The program’s process'],
  program: ['Its own report', 'What the program reports about itself on its terminal (OSC 7501)'],
  registry: ['Its session file', 'The agent’s own file about its live sessions'],
  api: ['Its interface', 'The agent’s own interface for other programs'],
  hook: ['Its hooks', 'A command that the agent runs when something happens'],
  transcript: ['Its transcript', 'The agent’s own file of the conversation'],
  title: ['Terminal title', 'The terminal’s title, which the agent sets'],
  progress: ['Progress report', 'The progress that the program reports (OSC 9;4)'],
  notification: ['Notification', 'A notification that the program sends, or its bell'],
  modes: ['Terminal modes', 'What the program has switched on in its terminal'],
  screen: ['Its screen', 'What is on the screen: its dialog, its input box, its spinner'],
  foreground: ['Program in front', 'Which process has the terminal, and what it does'],
  shell: ['Shell’s marks', 'What the shell says of its commands (OSC 133)'],
  output: ['Amount of output', 'How much the program prints'],
  report: ['Worker’s word', 'What a worker says of itself'],
};

export const WEIGHTS: Record<Weight, string> = {
  decided: 'decides',
  agrees: 'agrees',
  overruled: 'overruled',
  expired: 'too old',
  adds: 'adds to it',
};

const SAYS = {
  starting: 'starting',
  working: 'working',
  asking: 'asking',
  idle: 'at its prompt',
  done: 'turn over',
  failed: 'failed',
  blocked: 'cannot go on',
  gone: 'gone',
} as const;

export interface Line {
  name: string;
  is: string;
  /** What was seen; code stands in backticks. */
  what: string;
  says: string | null;
  weight: Weight;
  verdict: string;
  age: number;
}

/** Observations as lines to be read: what was seen, how old, and what became of it. */
export function lines(evidence: readonly Evidence[]): Line[] {
  return evidence.map(({ source, says, what, age_ms, weight, why }) => {
    const [name, is] = SOURCES[source] ?? [source, ''];
    return {
      name,
      is,
      what,
      // What was seen may say so already.
      says: says && SAYS[says] !== what ? SAYS[says] : null,
      weight,
      verdict: why ? `${WEIGHTS[weight]}: ${why}` : WEIGHTS[weight],
      age: age_ms,
    };
  });
}

/** A source's name by its word; a newer daemon may know more of them. */
export function sourceName(word: string): string {
  return SOURCES[word as Source]?.[0] ?? word;
}

/** How old an observation is: tenths of a second while they tell something. */
export function old(milliseconds: number): string {
  const { ago, justNow, tenths, seconds: inSeconds, minutes: inMinutes, hours } = say.time;
  if (milliseconds < 50) return justNow;
  if (milliseconds < 10_000) return ago(tenths(milliseconds / 1_000));
  const seconds = Math.round(milliseconds / 1_000);
  if (seconds < 120) return ago(inSeconds(seconds));
  const minutes = Math.round(seconds / 60);
  return ago(minutes < 120 ? inMinutes(minutes) : hours(Math.round(minutes / 60)));
}

/** The time of day of a change, to the second. */
export function clockTime(iso: string): string {
  return timeToSecond(new Date(iso));
}
