import type { AskKind, AskOutcome, Happened, Status } from '$lib/client/generated/protocol';
import { capitalised, worded } from '$lib/state/describe';
import { oneLine, unhidden } from '$lib/state/ask-words';
import { day as localDay, timeOfDay } from '$lib/words/locale';
import { say } from '$lib/words';

/** One line of what happened. */
export interface Entry {
  key: string;
  /** When, as the daemon wrote it. */
  at: string;
  status: Status;
  title: string;
  /** More of it: what was asked about, what became of it. */
  lines: readonly string[];
  /** What it rests on. */
  source: string | null;
}

const ASKS: Record<AskKind, string> = {
  approval: say.inspector.askedToGoOn,
  plan: say.inspector.askedAboutItsPlan,
  question: say.inspector.askedAQuestion,
  trust: say.inspector.askedForTrust,
  login: say.inspector.askedForALogin,
  choice: say.inspector.askedForAChoice,
  enter: say.inspector.askedForEnter,
  input: say.inspector.askedForInput,
};

const ENDED: Record<AskOutcome, string> = {
  answered: say.inspector.answered,
  in_terminal: say.inspector.answeredInTheTerminal,
  gone: say.inspector.wentAwayByItself,
  ended: say.inspector.itsProgramEnded,
};

/** What happened, newest first, as lines to be read. */
export function entries(history: readonly Happened[]): Entry[] {
  return history.map((one, index) => {
    const key = `${one.happened} ${one.at} ${index}`;
    if (one.happened === 'status') {
      const word = capitalised(say.status.word[one.to]);
      const title = one.reason ? worded(word, oneLine(unhidden(one.reason))) : word;
      return { key, at: one.at, status: one.to, title, lines: [], source: one.source };
    }
    const lines: string[] = [];
    if (one.about) lines.push(`\`${oneLine(unhidden(one.about))}\``);
    else if (one.text) lines.push(oneLine(unhidden(one.text)));
    if (one.outcome) {
      const by = one.answered_by ? say.inspector.by(one.answered_by) : '';
      lines.push(
        `${ENDED[one.outcome]}${one.answer ? `: ${one.answer}` : ''}${one.outcome === 'answered' ? by : ''}`,
      );
    } else lines.push(say.inspector.stillOpen);
    return { key, at: one.at, status: 'waiting', title: ASKS[one.kind], lines, source: null };
  });
}

export interface Day {
  name: string;
  entries: Entry[];
}

/** The lines by day, as the person's calendar has it. */
export function days(list: readonly Entry[], now: number): Day[] {
  const found: Day[] = [];
  for (const entry of list) {
    const name = dayName(new Date(entry.at), new Date(now));
    const last = found.at(-1);
    if (last?.name === name) last.entries.push(entry);
    else found.push({ name, entries: [entry] });
  }
  return found;
}

function dayName(day: Date, now: Date): string {
  const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  // By the calendar: a day with a change of the clock is not 24 hours long.
  const before = Math.round((midnight(now) - midnight(day)) / 86_400_000);
  if (before === 0) return say.time.today;
  if (before === 1) return say.time.yesterday;
  return localDay(day, day.getFullYear() !== now.getFullYear());
}

/** The time of day, to the minute. */
export function minute(iso: string): string {
  return timeOfDay(new Date(iso));
}
