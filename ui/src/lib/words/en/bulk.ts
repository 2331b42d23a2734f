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
  notPinnedAnyMore: 'not pinned any more',
  notMutedAnyMore: 'not muted any more',
  notSnoozedAnyMore: 'not snoozed any more',
  inTheArchive: 'in the archive',
  outOfTheArchive: 'out of the archive',
  allOfThemHaveEnded: 'All of them have ended.',
  killAlive: (alive: string) => `Kill ${alive}?`,
  itsProgramEndsNow: 'Its program ends now. The session stays in the list and can be started again.',
  theirProgramsEndNow: 'Their programs end now. The sessions stay in the list and can be started again.',
  kill: 'Kill',
  theRestGoesToTheTrashFor: 'The rest goes to the trash for a day.',
  deleteSessions: (sessions: string) => `Delete ${sessions}?`,
  allGoToTheTrashForA: 'All go to the trash for a day.',
  killAndDelete: 'Kill and delete',
  deleteForGood: 'Delete for good',
  inTheTrash: 'in the trash, for a day',
  gone: 'gone for good',
  andPrivateForGood: (what: string, gone: number) => `${what}; ${number(gone)} private for good`,
  undo: 'Undo',
  noProjectNow: 'no project now',
  pinned: 'pinned',
  muted: 'muted',
  snoozed: (until: string) => `snoozed ${until}`,
  inPlace: (place: string) => `in ${place}`,
  killed: 'killed',
  back: 'back',
};
