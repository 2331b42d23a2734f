import { counted } from '../plural';

/** The window itself. */
export const window = {
  moreLines: (count: number) => `… and ${counted(count, 'more line', 'more lines')}`,
  closeTheList: 'Close the list',
  thereIsNoRoomForAnotherPane: 'There is no room for another pane: it is in a tab.',
  layoutName: (name: string) => `Layout “${name}”.`,
  undo: 'Undo',
  nothingNeedsYou: 'Nothing needs you.',
  noSessionIsInFrontThatCould: 'No session is in front that could take a message.',
  nameHasEnded: (name: string) => `${name} has ended.`,
  pasteSeveralLines: 'Paste several lines?',
  theProgramDoesNotMarkPastes:
    'The program does not mark pastes: each end of a line acts as if Enter was pressed.',
  paste: 'Paste',
  lineAndColumn: (line: number, column: number) => `line ${line}, column ${column}: `,
  theDefaultSettings: 'The default settings',
  theLastSettingsWithoutAnError: 'The last settings without an error',
  settingsAtFault: (name: string, place: string, text: string, force: string) =>
    `${name}, ${place}${text}. ${force} are in force.`,
  settingsCannotBeChangedWhileBelfryIs: 'Settings cannot be changed while Belfry is not connected.',
};
