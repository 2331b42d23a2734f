import type { Evidence, Source, Weight } from '$lib/client/generated/protocol';

/** A source in words for somebody who has never heard of it: its name, and what it is. */
export const SOURCES: Record<Source, readonly [name: string, is: string]> = {
  process: ['Process', 'The program’s process'],
  program: ['Own report', 'What the program reports about itself on its terminal (OSC 7501)'],
  registry: ['Session file', 'The agent’s own file about its live sessions'],
  api: ['Agent’s API', 'The agent’s own interface for other programs'],
  hook: ['Hook', 'A command that the agent runs when something happens'],
  transcript: ['Transcript', 'The agent’s own file of the conversation'],
  title: ['Title', 'The terminal’s title, which the agent sets'],
  progress: ['Progress', 'The progress that the program reports (OSC 9;4)'],
  notification: ['Notification', 'A notification that the program sends, or its bell'],
  modes: ['Terminal modes', 'What the program has switched on in its terminal'],
  screen: ['Screen', 'What is on the screen: its dialog, its input box, its spinner'],
  foreground: ['Foreground', 'Which process has the terminal, and what it does'],
  shell: ['Shell', 'What the shell says of its commands (OSC 133)'],
  output: ['Output', 'How much the program prints'],
  report: ['Worker’s report', 'What a worker says of itself'],
};

export const WEIGHTS: Record<Weight, string> = {
  decided: 'decides',
  agrees: 'agrees',
  overruled: 'overruled',
  expired: 'too old to count',
  adds: 'adds to the picture',
};

const SAYS = {
  starting: 'starting',
  working: 'working',
  asking: 'asks something',
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
      says: says && SAYS[says],
      weight,
      verdict: why ? `${WEIGHTS[weight]}: ${why}` : WEIGHTS[weight],
      age: age_ms,
    };
  });
}

/** How old an observation is: tenths of a second while they tell something. */
export function old(milliseconds: number): string {
  if (milliseconds < 50) return 'just now';
  if (milliseconds < 10_000) return `${(milliseconds / 1_000).toFixed(1)} s ago`;
  const seconds = Math.round(milliseconds / 1_000);
  if (seconds < 120) return `${seconds} s ago`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`;
}

/** The time of day of a change, to the second. */
export function clockTime(iso: string): string {
  return new Date(iso).toLocaleTimeString([], {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hour12: false,
  });
}
