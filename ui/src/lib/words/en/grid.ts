import { counted } from '../plural';

/** All sessions at once. */
export const grid = {
  sessions: (count: number) => counted(count, 'session', 'sessions'),
  enter: 'Enter',
  opensArrowsMove: 'opens · arrows move ·',
  esc: 'Esc',
  back: 'back',
  thoseBefore: 'Those before',
  thoseAfter: 'Those after',
  backToThePanes: 'Back to the panes (Esc)',
  backToThePanesKeys: (keys: string) => `Back to the panes (${keys})`,
  allSessions: 'All sessions',
  noSessionIsThereYet: 'No session is there yet.',
};
