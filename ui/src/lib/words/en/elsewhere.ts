import { counted } from '../plural';

/** Sessions that Belfry did not start. */
export const elsewhere = {
  title: 'Elsewhere on this machine',
  count: (count: number) => counted(count, 'session', 'sessions'),
  beside: (count: number) => `${count} elsewhere`,
  row: (name: string, status: string, place: string) => `${name}, ${status}, ${place}`,
  agentIn: (agent: string, place: string) => `${agent} in ${place}`,
  tmuxHint: 'Click to make it a session of the list',
  otherHint: 'Click to see what can be done with it',
  directory: 'Directory',
  place: 'Runs in',
  process: 'Process',
  conversation: 'Conversation',
  started: 'Started',
  notKnown: 'not known',
  adopt: 'Adopt',
  adoptWhy: 'Makes its tmux pane a session of the list. Its program goes on where it is.',
  end: 'End it',
  endWhy: 'Asks its process to end. It may be waiting for you in its own terminal.',
  endName: (name: string) => `End ${name}?`,
  endText: (place: string) =>
    `Its process in ${place} is asked to end now. What it is doing is cut off; its conversation is kept.`,
  continueHere: 'Continue here',
  endFirst: 'It runs. End it first, here or where it is: a conversation goes on in one place at a time.',
  noConversation: 'Its conversation is not known.',
  cannotEnd: 'It has ended.',
  readOnly: 'Belfry does not hold its terminal: it can be watched, and not typed to.',
  hasEnded: (name: string) => `${name} has ended.`,
  close: 'Close',
};
