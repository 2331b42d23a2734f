import { form } from '../plural';

/** The bar on top. */
export const top = {
  needYou: (count: number) => form(count, 'needs you', 'need you'),
  foldTheListAway: 'Fold the list away',
  showTheList: 'Show the list',
  goToSession: 'Go to session, project or command',
  showOnlySessionsThatAre: 'Show only sessions that are',
  showAllAgain: 'Show all again',
  showOnly: (status: string) => `Show only what is ${status}`,
  toWhatNeedsYou: (keys: string) => `To what needs you, the oldest first (${keys})`,
  settings: 'Settings',
  settingsKeys: (keys: string) => `Settings (${keys})`,
  hideTheInspector: 'Hide the inspector',
  showTheInspector: 'Show the inspector',
};
