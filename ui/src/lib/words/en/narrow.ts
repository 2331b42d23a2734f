import { counted } from '../plural';

/** A window that is too narrow for more than one pane. */
export const narrow = {
  needYou: (count: number) => `${counted(count, 'session needs', 'sessions need')} you`,
  newSession: 'New',
  menuOfName: (name: string) => `Menu of ${name}`,
  sessions: 'Sessions',
  whyThisStatus: 'Why this status?',
  goToSession: 'Go to session, project or command',
  settings: 'Settings',
};
