/** What is done to one session, as it is told. */
export const actions = {
  killName: (name: string) => `Kill ${name}?`,
  itsProgramEndsNow: 'Its program ends now. The session stays in the list and can be started again.',
  kill: 'Kill',
  deleteName: (name: string) => `Delete ${name}?`,
  endsAndGoesToTrash:
    'It is still running. Its program ends now, and the session goes to the trash for a day.',
  endsAndIsGone:
    'It is still running. Its program ends now, and the session, which is private, is gone for good.',
  privateIsGone: 'The session is private, and it is gone for good.',
  killAndDelete: 'Kill and delete',
  deleteForGood: 'Delete for good',
  nameIsGoneForGood: (name: string) => `${name} is gone for good.`,
  undo: 'Undo',
  nameIsInTheTrash: (name: string) => `${name} is in the trash, for a day.`,
  deleteNameForGood: (name: string) => `Delete ${name} for good?`,
  itsRecordingsAndItsMessagesAreDeleted:
    'Its recordings and its messages are deleted now, and cannot be brought back.',
  theRecordingIsSavedAsHome: (home: string) => `The recording is saved as ${home}.`,
  nameIsInTheArchive: (name: string) => `${name} is in the archive.`,
  copiedRunItInAnyTerminal: 'Copied. Run it in any terminal to attach.',
  theClipboardCouldNotBeWritten: (command: string) =>
    `The clipboard could not be written. The command is: ${command}`,
};
