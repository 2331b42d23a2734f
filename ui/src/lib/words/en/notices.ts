/** Notices, questions, and what is said of the connection. */
export const notices = {
  notices: 'Notices',
  dismiss: 'Dismiss',
  reconnectingToBelfrysDaemon: "Reconnecting to Belfry's daemon.",
  yourSessionsGoOn: 'Your sessions go on; what they print is shown when it answers.',
  tryNow: 'Try now',
  sessionsGoOn: 'Your sessions go on.',
  tryAgain: 'Try again',
  cancel: 'Cancel',
};
