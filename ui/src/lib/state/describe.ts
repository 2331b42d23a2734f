import type { AgentInfo, Exit, Preparing, Session } from '../client/generated/protocol';
import { say } from '../words';
import { askPhrase } from './ask-words';

/** The words that a session is shown with: the protocol's, and `done` for idle and not looked at. */
export type Shown = Session['status'] | 'done';

export function shownStatus(session: Session): Shown {
  return session.status === 'idle' && session.unseen ? 'done' : session.status;
}

/** How a run ended, in a few words. */
export function ended(exit: Exit | null): string {
  if (!exit) return say.status.ended;
  switch (exit.how) {
    case 'code':
      return exit.code === 0 ? say.status.finished : say.status.exitCode(exit.code);
    case 'signal':
      return say.status.killedByName(exit.name);
    case 'machine_restarted':
      return say.status.machineRestarted;
    case 'keeper_lost':
      return say.status.itsKeeperWasKilled;
    case 'launch_failed':
      return say.status.couldNotStart;
  }
}

/** A path with the home directory written `~`. */
export function shortPath(path: string, home: string): string {
  if (!home || home === '/') return path;
  if (path === home) return '~';
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

export function baseName(path: string): string {
  return (
    path
      .replace(/[\\/]+$/, '')
      .split(/[\\/]/)
      .at(-1) || path
  );
}

export function agentName(id: string, agents: readonly AgentInfo[]): string {
  const known = agents.find((agent) => agent.id === id);
  return known?.name ?? (id ? id[0]?.toUpperCase() + id.slice(1) : say.status.shell);
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What a status means, for whoever rests on its word. */
export const MEANS: Record<Shown, string> = {
  starting: say.status.theProgramRunsAndHasNotReached,
  running: say.status.itWorks,
  waiting: say.status.itShowsAQuestionThatOnlyYou,
  blocked: say.status.itCannotGoOn,
  done: say.status.itsTurnIsOver,
  idle: say.status.itIsAtItsPromptAndTakes,
  dead: say.status.itsProgramHasEnded,
  unknown: say.status.noSignalThatCanBeTrustedSays,
};

/** An activity that begins like `Running npm test` says by itself that something goes on. */
const GOES_ON = /^\p{L}{2,}ing\b/u;

/** A word with what is known of it. `Running npm test` says by itself that it runs. */
export function worded(word: string, more: string): string {
  const twice =
    more.toLowerCase().startsWith(word.toLowerCase()) && !/^[\p{L}\d]/u.test(more.slice(word.length));
  return twice ? capitalised(more) : `${word}: ${more}`;
}

/** What is done before a session can work, as a row says it; nothing where it can. */
export function preparingText(preparing: Preparing): string | null {
  const words = say.preparing;
  switch (preparing.state.is) {
    case 'making':
      return preparing.state.step ? words.making(preparing.state.step) : words.makingShort;
    case 'setting_up':
      return preparing.line ? words.settingUpLine(preparing.line.replaceAll('`', "'")) : words.settingUp;
    case 'setup_failed':
      return words.setupFailed;
    case 'untrusted':
      return words.untrusted;
    case 'missing':
      return words.missing;
    default:
      return null;
  }
}

/** The status as words, with what is known of why; `code` stands in backticks. Without the time it takes. */
export function statusText(session: Session): string {
  const shown = shownStatus(session);
  const { activity, reason, preparing } = session;
  // An agent at its prompt whose workspace is not ready does nothing yet.
  const prepares =
    preparing && (shown === 'starting' || shown === 'idle' || shown === 'done') && preparingText(preparing);
  if (prepares) return prepares;
  switch (shown) {
    case 'dead':
      return ended(session.exit);
    case 'running':
      if (!activity) return reason ? worded(say.status.running, reason) : say.status.running;
      return GOES_ON.test(activity) ? capitalised(activity) : say.status.runningActivity(activity);
    case 'waiting': {
      const why = session.ask ? askPhrase(session.ask) : reason;
      return why ? say.status.waitingWhy(why) : say.status.waitingForAnAnswer;
    }
    case 'done':
      return activity ? say.status.doneUnseenActivity(activity) : say.status.doneUnseen;
    case 'idle':
      return [reason ? say.status.idleReason(reason) : say.status.idle, activity].filter(Boolean).join(' · ');
    default: {
      const more = reason ?? activity;
      return more ? worded(capitalised(say.status.word[shown]), more) : capitalised(say.status.word[shown]);
    }
  }
}

/** Whether the time since a status or activity began belongs behind its words. */
export function hasTime(session: Session): boolean {
  return session.status === 'running' || session.status === 'starting';
}

/** What kind of program it is, and on which branch. */
export function whatAndWhere(session: Session, agents: readonly AgentInfo[]): string {
  // An agent that was started by hand is what the person sees there.
  const agent = session.guest ?? session.agent;
  // What carries an adopted pane is nobody's program.
  const own = agent === 'shell' && !session.local;
  const name = own ? baseName(session.command[0] ?? 'shell') : agentName(agent, agents);
  return session.branch ? `${name} · ${session.branch}` : name;
}

/** The second line of a session in the list: what it does, or how it is and what it is. */
export function secondLine(session: Session, agents: readonly AgentInfo[]): string {
  const words = statusText(session);
  const says = session.activity ?? session.reason ?? session.ask ?? session.preparing;
  return session.status === 'dead' || says ? words : `${words} · ${whatAndWhere(session, agents)}`;
}

/** Words for reading aloud and for labels: without the marks of code. */
export function spoken(words: string): string {
  return words.replaceAll('`', '');
}

/** How long ago, short; it changes once a minute at most. */
export function age(iso: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(iso)) / 60_000);
  if (!(minutes >= 1)) return say.time.now;
  if (minutes < 60) return say.time.shortMinutes(minutes);
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return say.time.shortHours(hours);
  return say.time.shortDays(Math.floor(hours / 24));
}

/** How long ago something was. */
export function ago(iso: string, now: number): string {
  const since = age(iso, now);
  return since === say.time.now ? say.time.justNow : say.time.ago(since);
}

/** A span of time in words, such as `48 s`. */
export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  if (seconds < 60) return say.time.seconds(seconds);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return say.time.minutes(minutes);
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return say.time.hours(hours);
  return say.time.days(Math.floor(hours / 24));
}

/** One part of a name, a path or an argument for a POSIX shell. */
export function shellQuote(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
