import { counted } from '../plural';

/** Messages to sessions, and files that go with them. */
export const messages = {
  taking: (count: number) => `Taking ${counted(count, 'file', 'files')}…`,
};
