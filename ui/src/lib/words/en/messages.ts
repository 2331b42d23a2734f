import { number } from '../locale';
import { counted, form } from '../plural';

/** Messages to sessions, and files that go with them. */
export const messages = {
  /** Copies of files that had no path, or of pictures from the clipboard. */
  kept: (count: number, images: boolean) =>
    images
      ? form(
          count,
          'The picture is kept with the session; its path is written.',
          `${number(count)} pictures are kept with the session; their paths are written.`,
        )
      : form(
          count,
          'The file is kept with the session; its path is written.',
          `${number(count)} files are kept with the session; their paths are written.`,
        ),
  taking: (count: number) => `Taking ${counted(count, 'file', 'files')}…`,
  tooLarge: (name: string, value: number) =>
    `${name} is larger than ${number(value)} MB. Give the session its path instead.`,
  itCannotBeRead: 'It cannot be read.',
  nameWasNotTaken: (name: string, why: string) => `${name} was not taken. ${why}`,
  itWasNotTyped: 'it was not typed',
  itMayNotHaveArrived: 'It may not have arrived. Look at the terminal.',
  theTextIsInTheBoxAgain: ' The text is in the box again.',
  theTextIsOneUpAway: ' The text is one Up away.',
  countNotSent: (bad: number) => `${number(bad)} not sent`,
  sending: 'sending…',
  sentWhenItIsFree: 'sent when it is free',
  messageBox: 'Message box',
  dismiss: 'Dismiss',
  placeholderFor: (name: string) => `Message ${name}…`,
  labelFor: (name: string) => `Message ${name}`,
  filesCanBeDroppedHere: 'Files can be dropped here, and images pasted',
  held: (held: string) => `Held: ${held}`,
  whatWaitsForThisSession: 'What waits for this session',
  nowKeys: (value: string) => `Whatever it does just now (${value} Enter)`,
  sendNow: 'Send now',
  whenItIsFree: 'When it is free (Enter)',
  send: 'Send',
  enter: 'Enter',
  enterSendsWhenTheAgentIsFree:
    'Enter sends when the agent is free, Shift Enter begins a line, Up brings back what was sent',
  waitsUntilItIsFree: 'Waits until it is free',
  beingSent: 'Being sent',
  sent: 'Sent',
  notSent: 'Not sent',
  mayNotHaveArrived: 'May not have arrived: Belfry ended while it was typed',
  heldWhy: (why: string) => `Held: ${why}`,
  messagesForName: (name: string) => `Messages for ${name}`,
  edit: 'Edit',
  takeTheMessageBack: 'Take the message back',
  takeItBack: 'Take it back',
  countQueued: (count: number) => `${number(count)} queued`,
  heldBy: (why: string) => `held: ${why}`,
  queuedAnd: (count: number, how: string) => `${number(count)} queued · ${how}`,
};
