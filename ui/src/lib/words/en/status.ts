import { number } from '../locale';
import { counted } from '../plural';

/** How sessions are, in words. */
export const status = {
  sessions: (count: number, ended: number) =>
    counted(count, 'session', 'sessions') + (ended > 0 ? `\u00a0· ${number(ended)} ended` : ''),
};
