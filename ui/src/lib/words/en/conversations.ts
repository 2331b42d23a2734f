import { counted, form } from '../plural';

/** Going on with what was said. */
export const conversations = {
  resume: 'Resume',
  restart: 'Restart',
  anew: 'Start anew',
  fork: 'Fork',
  forkByHandover: 'Fork…',
  running: 'it is running',
  noConversation: 'a shell has no conversation',
  nothingSaid: 'nothing was said yet',
  cannotResume: (agent: string) => `${agent} cannot go on with one`,
  gone: (name: string) => `The conversation of ${name} cannot go on`,
  goneText: (why: string) => `${why} Start its program again in the same directory, in a new conversation?`,
  handover: (agent: string) => `${agent} has no fork`,
  handoverText: 'Start another session instead, which begins by reading a text of what was said in this one?',
  handoverAgree: 'Start and hand over',
  resumeAll: (count: number) => (count === 1 ? 'Resume it' : `Resume all (${count})`),
  lost: (count: number) => `${counted(count, 'session', 'sessions')} ended when the machine restarted`,
  resuming: (count: number) =>
    `${counted(count, 'session', 'sessions')} ${form(count, 'is', 'are')} being resumed.`,
  resumeAllTitle: 'Resume what ended when the machine restarted',
  resumeTitle: 'Resume the ended session',
  forkTitle: 'Fork the session',
  nothingLost: 'nothing was lost',
  afterReboot: 'Resume after a restart of the machine',
  afterRebootHint: 'What was alive then goes on by itself, two sessions at a time.',
};
