/** Notices, questions, and what is said of the connection. */
export const notices = {
  notices: 'Notices',
  dismiss: 'Dismiss',
  undo: 'Undo',
  cancel: 'Cancel',
  reconnecting: "Reconnecting to Belfry's daemon.",
  sessionsGoOn: 'Your sessions go on; what they print is shown when it answers.',
  goOn: 'Your sessions go on.',
  tryNow: 'Try now',
  tryAgain: 'Try again',
};
