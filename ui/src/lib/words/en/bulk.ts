import { number } from '../locale';
import { counted, form } from '../plural';

/** What was done to sessions, as it is told. */
export const bulk = {
  sessions: (count: number) => counted(count, 'session', 'sessions'),
  /** `who` is one session's name, or how many they are. */
  told: (who: string, count: number, what: string) => `${who} ${form(count, 'is', 'are')} ${what}.`,
  andMore: (name: string, others: number) => `${name} (and ${number(others)} more)`,
  backAgain: (count: number) => form(count, 'back where it was', 'back where they were'),
  endNow: (who: string, count: number) =>
    `${who} ${form(count, 'is still running, and ends', 'are still running, and end')} now.`,
  goneForGood: (who: string, count: number) =>
    `${who} ${form(count, 'is private, and gone for good', 'are private, and gone for good')}.`,
  getNone: (who: string, count: number) => `${who} ${form(count, 'has', 'have')} ended and get none.`,
  wouldRun: (count: number) =>
    form(
      count,
      'A shell: it would run the text as a command',
      'Shells: they would run the text as a command',
    ),
};
