import { counted } from '../plural';

/** Layouts that were given a name. */
export const layouts = {
  panes: (count: number) => counted(count, 'pane', 'panes'),
  named: (panes: string, names: string, more: number) =>
    more > 0 ? `${panes} · ${names} and ${more} more` : `${panes} · ${names}`,
  isKept: (clean: string) => `What is open is the layout “${clean}” now.`,
  undo: 'Undo',
  isDeleted: (which: string) => `Layout “${which}” is deleted.`,
  itsSessionsAreGone: 'its sessions are gone',
  layouts: 'Layouts',
  escClose: 'Esc: close',
  esc: 'Esc',
  nameForWhatIsOpenNow: 'Name for what is open now',
  replace: 'Replace',
  save: 'Save',
  nothingIsOpenThatCouldBeKept: 'Nothing is open that could be kept.',
  newNameOfName: (name: string) => `New name of ${name}`,
  rename: 'Rename',
  deleteName: (name: string) => `Delete ${name}`,
  remove: 'Delete',
  keepThePanesAndTabsThatYou:
    'Keep the panes and tabs that you have open under a name, and come back to them from here or from the palette. Sessions are not touched by that.',
};
