import { number } from '../locale';

/** What called the person. */
export const bell = {
  notifications: 'Notifications',
  doNotDisturbIsOn: 'do not disturb is on',
  doNotDisturb: 'Do not disturb',
  nothingShowsAndNothingSounds: 'Nothing shows and nothing sounds. What happens is listed here.',
  nothingYet: 'Nothing yet. When an agent asks something, is stuck or is done, it stands here.',
  allow: 'Allow',
  deny: 'Deny',
  sending: 'Sending…',
  pressAgain: (word: string) => `Press again: ${word}`,
  unread: ', unread',
  snooze: 'Snooze',
  snoozeName: (name: string) => `Snooze ${name}`,
  countUnread: (count: number) => `${number(count)} unread`,
};
