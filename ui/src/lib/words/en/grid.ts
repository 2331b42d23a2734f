import { counted } from '../plural';

/** All sessions at once. */
export const grid = {
  sessions: (count: number) => counted(count, 'session', 'sessions'),
};
