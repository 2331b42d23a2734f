import { counted } from '../plural';

/** What is known of the session in front. */
export const inspector = {
  soFar: 'So far',
  since: (time: string) => `Since ${time}`,
  worked: 'Worked',
  waitedForYou: 'Waited for you',
  atItsPrompt: 'At its prompt',
  asked: 'Asked you',
  times: (count: number, answered: number) =>
    answered === count
      ? counted(count, 'time', 'times')
      : `${counted(count, 'time', 'times')}, ${answered} answered`,
};
