import { SvelteMap } from 'svelte/reactivity';
import type { RunCommand, Scripts, Session } from '../client/generated/protocol';
import { openable } from '../terminal/links';
import { isAlive } from './alive';
import type { Belfry } from './belfry.svelte';
import { explain } from './explain-error';
import { runsBeside } from './tree';
import { refusedWith } from './workspaces.svelte';

/** A command of a workspace, and the session that runs it or ran it last. */
export interface Runnable {
  name: string;
  /** None of one that is not in the rules any more. */
  command: string | null;
  run: Session | null;
}

/** Commands that run beside agents. Failures are told, not thrown. */
export class Runs {
  /** What repositories bring, by the directory that was asked about. */
  private readonly brought = new SvelteMap<string, Scripts | null>();
  private readonly asked = new Set<string>();
  private readonly beside = $derived.by(() => runsBeside(this.belfry.sessions.all.values()));

  constructor(private readonly belfry: Belfry) {}

  /** Sessions that run beside one, its scripts too. */
  of(session: Session): readonly Session[] {
    return this.beside.get(session.id) ?? [];
  }

  /** Commands of a session's workspace; none before they are known. */
  commands(session: Session): readonly Runnable[] | undefined {
    const scripts = this.brought.get(session.cwd);
    const runs = this.of(session);
    if (scripts === undefined && runs.length === 0) return undefined;
    const own = this.belfry.sessions.projects.get(session.project ?? '')?.defaults.rules?.run ?? [];
    return runnables(merged(own, scripts?.rules.run ?? []), runs);
  }

  /** Asks for what a session's repository brings, anew. */
  async load(session: Session): Promise<void> {
    const { cwd } = session;
    if (this.asked.has(cwd)) return;
    this.asked.add(cwd);
    const scripts = await this.belfry.workspaces.scripts(cwd).catch(() => null);
    this.asked.delete(cwd);
    this.brought.set(cwd, scripts);
  }

  async start(session: Session, name: string): Promise<void> {
    const { workspaces, sessions, dialogs, toasts } = this.belfry;
    try {
      const run = await workspaces.request('session', { do: 'run', session: session.id, name });
      sessions.all.set(run.id, sessions.get(run.id) ?? run);
    } catch (error) {
      if (!refusedWith(error, 'untrusted')) return toasts.fail(explain(error));
      const ontrusted = () => void this.start(session, name);
      dialogs.over = { kind: 'scripts', directory: session.cwd, session: null, ontrusted };
    }
  }

  async stop(run: Session): Promise<boolean> {
    try {
      const params = { session: run.id };
      const ended = await this.belfry.client.request('session', { method: 'kill_session', params });
      return !isAlive(ended);
    } catch (error) {
      this.belfry.toasts.fail(explain(error));
      return false;
    }
  }

  async restart(session: Session, run: Session): Promise<void> {
    const { runs_for: beside } = run;
    if (isAlive(run) && !(await this.stop(run))) return;
    if (beside) await this.start(session, beside.name);
  }

  /** Opens what listens on a port of this machine. */
  async open(port: number): Promise<void> {
    const address = openable(`http://localhost:${port}/`);
    if (!address || !Number.isInteger(port) || port < 1 || port > 65_535) return;
    try {
      await this.belfry.surroundings.openLink(address);
    } catch (error) {
      this.belfry.toasts.fail(explain(error));
    }
  }
}

/** Commands of the project's own settings, then those that the repository brings and that are not among them. */
export function merged(own: readonly RunCommand[], brought: readonly RunCommand[]): RunCommand[] {
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...brought.filter(({ name }) => !names.has(name))];
}

/** Commands with what runs them; then what runs and is no command any more, such as the setup script. */
export function runnables(commands: readonly RunCommand[], runs: readonly Session[]): Runnable[] {
  const newest = (name: string) => {
    const mine = runs.filter(({ runs_for: beside }) => beside?.name === name);
    return mine.findLast(isAlive) ?? mine.at(-1) ?? null;
  };
  const known = new Set(commands.map(({ name }) => name));
  const others = new Set(runs.flatMap(({ runs_for: beside }) => beside?.name ?? []));
  return [
    ...commands.map(({ name, command }) => ({ name, command, run: newest(name) })),
    ...[...others]
      .filter((name) => !known.has(name))
      .map((name) => ({ name, command: null, run: newest(name) })),
  ];
}
