import { counted } from '../plural';

/** A window that is too narrow for more than one pane. */
export const narrow = {
  needYou: (count: number) => `${counted(count, 'session needs', 'sessions need')} you`,
};
