import type { Session } from '../client/generated/protocol';
import { timeOfDay } from '../words/locale';
import { say } from '../words';

export interface Snooze {
  label: string;
  seconds: number;
  /** As it is said behind what was snoozed. */
  until: string;
}

/** The hour of the morning at which "tomorrow" begins. */
const MORNING = 8;

/** For how long a session can be quiet. */
export function snoozes(now: Date): Snooze[] {
  const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, MORNING);
  return [
    { label: say.snooze.minutes15, seconds: 15 * 60, until: say.snooze.for15Minutes },
    { label: say.snooze.hour, seconds: 3_600, until: say.snooze.forAnHour },
    {
      label: say.snooze.untilTomorrow,
      seconds: Math.round((tomorrow.getTime() - now.getTime()) / 1_000),
      until: say.snooze.untilTomorrowTomorrow(clockTime(tomorrow)),
    },
  ];
}

export function snoozed(session: Session, now: number): boolean {
  return session.snoozed_until !== null && Date.parse(session.snoozed_until) > now;
}

/** A time of the day, in the reader's own way of writing it. */
export function clockTime(time: Date): string {
  return timeOfDay(time);
}
