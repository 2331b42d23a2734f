import { number } from '../locale';
import { counted } from '../plural';

/** How sessions are, in words. */
export const status = {
  /** Each status as a word in a sentence. */
  word: {
    starting: 'starting',
    running: 'running',
    waiting: 'waiting',
    blocked: 'blocked',
    done: 'done',
    idle: 'idle',
    dead: 'dead',
    unknown: 'unknown',
  },
  sessions: (count: number, ended: number) =>
    counted(count, 'session', 'sessions') + (ended > 0 ? `\u00a0· ${number(ended)} ended` : ''),
  ended: 'Ended',
  finished: 'Finished',
  exitCode: (code: number) => `Exit code ${code}`,
  killedByName: (name: string) => `Killed by ${name}`,
  machineRestarted: 'Machine restarted',
  itsKeeperWasKilled: 'Its keeper was killed',
  couldNotStart: 'Could not start',
  shell: 'Shell',
  theProgramRunsAndHasNotReached: 'The program runs and has not reached its prompt yet.',
  itWorks: 'It works, or a program such as an editor is open in it.',
  itShowsAQuestionThatOnlyYou: 'It shows a question that only you can answer.',
  itCannotGoOn: 'It cannot go on, and answering a dialog would not help.',
  itsTurnIsOver: 'Its turn is over, and you have not looked at it since.',
  itIsAtItsPromptAndTakes: 'It is at its prompt and takes the next message.',
  itsProgramHasEnded: 'Its program has ended.',
  noSignalThatCanBeTrustedSays: 'No signal that can be trusted says what it does.',
  running: 'Running',
  runningActivity: (activity: string) => `Running: ${activity}`,
  waitingWhy: (why: string) => `Waiting: ${why}`,
  waitingForAnAnswer: 'Waiting for an answer',
  doneUnseenActivity: (activity: string) => `Done · unseen · ${activity}`,
  doneUnseen: 'Done · unseen',
  idleReason: (reason: string) => `Idle: ${reason}`,
  idle: 'Idle',
  connected: 'Connected',
  connecting: 'Connecting',
  reconnecting: 'Reconnecting',
  notConnected: 'Not connected',
  process: (pid: number) => `Process ${pid}`,
};
