import { counted } from '../plural';

/** What is done to several sessions at once. */
export const selection = {
  sessions: (count: number) => counted(count, 'session', 'sessions'),
  /** Over a menu that is about one row, while others are selected. */
  only: (name: string) => `${name} only`,
  menuOf: (count: number) => `Menu of ${counted(count, 'selected session', 'selected sessions')}`,
  openInTabs: (count: number) => `Open ${counted(count, 'session', 'sessions')} in tabs`,
  tooMany: (most: number) => `${most} at most`,
  move: (count: number) => `Move ${counted(count, 'session', 'sessions')} to`,
  pin: (count: number) => `Pin ${counted(count, 'session', 'sessions')}`,
  unpin: (count: number) => `Unpin ${counted(count, 'session', 'sessions')}`,
  mute: (count: number) => `Mute ${counted(count, 'session', 'sessions')}`,
  unmute: (count: number) => `Unmute ${counted(count, 'session', 'sessions')}`,
  snooze: (count: number) => `Snooze ${counted(count, 'session', 'sessions')}`,
  wakeNow: 'Wake now',
  leaveOut: 'Take this one out of the selection',
  end: 'End the selection',
  message: (count: number) => `Message to ${counted(count, 'session', 'sessions')}…`,
  restart: (count: number) => `Restart ${counted(count, 'session', 'sessions')}`,
  running: 'all are running',
  archive: (count: number) => `Archive ${counted(count, 'session', 'sessions')}`,
  unarchive: (count: number) => `Take ${counted(count, 'session', 'sessions')} out of the archive`,
  kill: (count: number) => `Kill ${counted(count, 'session', 'sessions')}…`,
  ended: 'all have ended',
  remove: (count: number) => `Delete ${counted(count, 'session', 'sessions')}…`,
  allRunning: 'All of them are running.',
  restarted: 'started again',
};
