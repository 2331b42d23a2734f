import { number } from '../locale';

/** Panes, tabs, and what is over and under a terminal. */
export const panes = {
  more: (count: number) => `${number(count)} more…`,
};
