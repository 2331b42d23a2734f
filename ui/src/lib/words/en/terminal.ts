/** What a terminal tells. */
export const terminal = {
  theClipboardCouldNotBeWritten: 'The clipboard could not be written.',
  theClipboardCouldNotBeRead: 'The clipboard could not be read.',
  doesNotOpen: (slice: string) => `Belfry does not open ${slice}`,
  couldNotOpenUrl: (url: string) => `Could not open ${url}`,
  putOnClipboard: (count: number) => `The program put ${count} characters on the clipboard.`,
  theProgramWantedToPutTextOn: 'The program wanted to put text on the clipboard, which could not be written.',
  theTerminalCouldNotDrawWhatThe: 'The terminal could not draw what the program prints.',
};
