import { number } from '../locale';

/** Spans of time, and how long ago something was. */
export const time = {
  seconds: (count: number) => `${number(count)} s`,
  tenths: (count: number) => `${number(count, 1)} s`,
  minutes: (count: number) => `${number(count)} min`,
  hours: (count: number) => `${number(count)} h`,
  days: (count: number) => `${number(count)} d`,
  now: 'now',
  /** The same where there is hardly any room. */
  shortMinutes: (count: number) => `${number(count)}m`,
  shortHours: (count: number) => `${number(count)}h`,
  shortDays: (count: number) => `${number(count)}d`,
  ago: (span: string) => `${span} ago`,
  justNow: 'just now',
  today: 'Today',
  yesterday: 'Yesterday',
};
