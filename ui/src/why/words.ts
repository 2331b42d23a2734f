import type { Evidence, Source, Weight } from '$lib/client/generated/protocol';
import { say } from '$lib/words';
import { timeToSecond } from '$lib/words/locale';

/**
 * A source in words for somebody who has never heard of it: its name, which `belfry explain` says too, and what it is.
 */
export const SOURCES: Record<Source, readonly [name: string, is: string]> = {
  process: [say.why.itsProcess, say.why.theProgramsProcess],
  program: [say.why.itsOwnReport, say.why.whatTheProgramReportsAboutItselfOn],
  registry: [say.why.itsSessionFile, say.why.theAgentsOwnFileAboutItsLive],
  api: [say.why.itsInterface, say.why.theAgentsOwnInterfaceForOtherPrograms],
  hook: [say.why.itsHooks, say.why.aCommandThatTheAgentRunsWhen],
  transcript: [say.why.itsTranscript, say.why.theAgentsOwnFileOfTheConversation],
  title: [say.why.terminalTitle, say.why.theTerminalsTitle],
  progress: [say.why.progressReport, say.why.theProgressThatTheProgramReports],
  notification: [say.why.notification, say.why.aNotificationThatTheProgramSends],
  modes: [say.why.terminalModes, say.why.whatTheProgramHasSwitchedOnIn],
  screen: [say.why.itsScreen, say.why.whatIsOnTheScreen],
  foreground: [say.why.programInFront, say.why.whichProcessHasTheTerminal],
  shell: [say.why.shellsMarks, say.why.whatTheShellSaysOfItsCommands],
  output: [say.why.amountOfOutput, say.why.howMuchTheProgramPrints],
  report: [say.why.workersWord, say.why.whatAWorkerSaysOfItself],
};

export const WEIGHTS: Record<Weight, string> = {
  decided: say.why.decides,
  agrees: say.why.agrees,
  overruled: say.why.overruled,
  expired: say.why.tooOld,
  adds: say.why.addsToIt,
};

const SAYS = {
  starting: say.status.word.starting,
  working: say.why.working,
  asking: say.why.asking,
  idle: say.why.atItsPrompt,
  done: say.why.turnOver,
  failed: say.why.failed,
  blocked: say.why.cannotGoOn,
  gone: say.why.gone,
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
