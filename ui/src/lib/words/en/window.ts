import { counted } from '../plural';

/** The window itself. */
export const window = {
  moreLines: (count: number) => `… and ${counted(count, 'more line', 'more lines')}`,
};
