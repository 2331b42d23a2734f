/** The connection to the daemon. */
export const connection = {
  theDaemonCannotBeReachedJustNow: 'The daemon cannot be reached just now.',
  theConnectionWasLost: 'The connection was lost.',
  theDaemonAnsweredWithKindInsteadOf: (kind: string, kind2: string) =>
    `The daemon answered with ${kind} instead of ${kind2}.`,
  theConnectionToTheDaemonEnded: 'The connection to the daemon ended.',
  thisPageNeedsAFreshLink: 'This page needs a fresh link: press Enter where “belfry serve” runs.',
};
