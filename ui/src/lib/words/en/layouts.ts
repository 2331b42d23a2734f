import { counted } from '../plural';

/** Layouts that were given a name. */
export const layouts = {
  panes: (count: number) => counted(count, 'pane', 'panes'),
  named: (panes: string, names: string, more: number) =>
    more > 0 ? `${panes} · ${names} and ${more} more` : `${panes} · ${names}`,
};
