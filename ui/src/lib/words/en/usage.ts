import { number } from '../locale';
import { counted } from '../plural';

/** What was used. */
export const usage = {
  usage: 'Usage',
  about:
    'Tokens and costs as the agents have written them down, of all conversations on this machine; ~ marks what an agent guessed. Time at work and waiting is of sessions here, as far back as what happened is kept.',
  addedUpBy: 'Added up by',
  ofWhichTime: 'Of which time',
  day: 'Day',
  project: 'Project',
  session: 'Session',
  days: (count: number) => counted(count, 'day', 'days'),
  all: 'All',
  nothing: 'Nothing was used.',
  input: 'In',
  output: 'Out',
  cached: 'Cached',
  cost: 'Cost',
  atWork: 'At work',
  waiting: 'Waiting',
  inNoProject: 'In no project',
  inNoSession: (agent: string) => `${agent}, in no session`,
  reading: (done: number, total: number) =>
    `${number(done)} of ${number(total)} conversations were read so far.`,
};
