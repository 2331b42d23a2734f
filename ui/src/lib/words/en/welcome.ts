import { number } from '../locale';

/** The first start. */
export const welcome = {
  welcomeToBelfry: 'Welcome to Belfry',
  manyAgents: 'Many agents, each in a real terminal. Belfry rings when one of them needs you.',
  yourAgents: 'Your agents',
  noneFoundYet: 'none found yet',
  foundHere: (found: number) => `${number(found)} found on this machine`,
  chooseOneToBeginWith:
    'Choose one to begin with. Of those that are missing, a click shows how they are installed.',
  howYouAreCalled: 'How you are called',
  whenAnAgentAsksSomething: 'When an agent asks something, is blocked or is done, the desktop tells you.',
  sentNothingToBeSeenThe: 'Sent. Nothing to be seen? The desktop has no notifications just now.',
  tryIt: 'Try it',
  change: 'Change…',
  bringsThisWindowToTheOldestQuestion: 'brings this window to the oldest question, from anywhere.',
  noKeyBringsThisWindowToThe: 'No key brings this window to the front from elsewhere.',
  findsEverythingElse: 'finds everything else;',
  listsAllKeys: 'lists all keys.',
  notNow: 'Not now',
  startASession: 'Start a session',
};
