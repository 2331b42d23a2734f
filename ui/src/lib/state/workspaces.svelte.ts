import { SvelteMap } from 'svelte/reactivity';
import { RequestError, type ReplyKind, type ReplyValue } from '../client/connection';
import type {
  Branches,
  Cloning,
  Losses,
  Scripts,
  Session,
  Workspace,
  WorkspaceKind,
  WorkspaceRequest,
} from '../client/generated/protocol';
import { paneOf } from '../layout/tree';
import { say } from '../words';
import type { Belfry } from './belfry.svelte';
import { baseName } from './describe';
import { explain } from './explain-error';

/** Making, setting up and removing the directories that sessions have for themselves. */
export class Workspaces {
  /** Repositories that are being fetched for new projects, and those that were not: until they are let go. */
  readonly clonings = new SvelteMap<string, Cloning>();
  /** Sessions that were made ahead and are open here: with their last tab they are given back. */
  private readonly held = new Set<string>();
  /** Sessions that do without the scripts of their repository, as soon as they wait for them. */
  private readonly without = new Set<string>();

  constructor(private readonly belfry: Belfry) {}

  /** Asks the daemon, and rejects where it refuses. */
  request<K extends ReplyKind>(kind: K, params: WorkspaceRequest): Promise<ReplyValue<K>> {
    return this.belfry.client.request(kind, { method: 'workspace', params });
  }

  branches(directory: string): Promise<Branches> {
    return this.request('branches', { do: 'branches', directory });
  }

  scripts(directory: string): Promise<Scripts> {
    return this.request('scripts', { do: 'scripts', directory });
  }

  list(disk: boolean): Promise<Workspace[]> {
    return this.request('workspaces', { do: 'list', disk });
  }

  losses(workspace: string): Promise<Losses> {
    return this.request('losses', { do: 'losses', workspace });
  }

  /** The first prompt is typed now. */
  async skipSetup(session: Session): Promise<void> {
    await this.tell(this.request('session', { do: 'skip_setup', session: session.id }));
  }

  /** Its repository's scripts are not run, and nobody is asked about them. */
  startWithout(session: Session): void {
    this.without.add(session.id);
    this.take(this.belfry.sessions.get(session.id) ?? session);
  }

  /** A session changed. */
  take(session: Session): void {
    if (session.preparing?.state.is !== 'untrusted' || !this.without.delete(session.id)) return;
    void this.skipSetup(session);
  }

  async runSetup(session: Session): Promise<void> {
    await this.tell(this.request('session', { do: 'run_setup', session: session.id }));
  }

  /** Starts fetching a repository; rejects where that cannot be begun. */
  async fetch(url: string, path: string | null): Promise<Cloning> {
    const cloning = await this.request('cloning', {
      do: 'clone_project',
      url,
      path,
      name: null,
      base_env: null,
    });
    // It may have gone on, or be over, by now.
    const known = this.clonings.get(cloning.id);
    if (!known && !this.belfry.sessions.projects.has(cloning.id)) this.heard(cloning);
    return cloning;
  }

  async retry({ id, url, path }: Cloning): Promise<void> {
    this.clonings.delete(id);
    await this.tell(this.fetch(url, path));
  }

  async cancel(cloning: Cloning): Promise<void> {
    await this.tell(this.request('done', { do: 'cancel_clone', id: cloning.id }));
  }

  forget(cloning: Cloning): void {
    this.clonings.delete(cloning.id);
  }

  /** How a fetch goes on. */
  heard(cloning: Cloning): void {
    const name = baseName(cloning.path);
    switch (cloning.end?.how) {
      case 'done':
        this.clonings.delete(cloning.id);
        this.belfry.toasts.show(say.addresses.done(name));
        break;
      case 'cancelled':
        this.clonings.delete(cloning.id);
        this.belfry.toasts.show(say.addresses.cancelled(name));
        break;
      default:
        this.clonings.set(cloning.id, cloning);
    }
  }

  /** A connection that is new tells again of what still goes on. */
  reconnected(): void {
    for (const [id, { end }] of this.clonings) if (!end) this.clonings.delete(id);
  }

  /** Removes a workspace as its losses were seen. Rejects where it was not. */
  async remove(workspace: string, name: string, seen: string | null): Promise<void> {
    const removed = await this.request('workspaces', { do: 'remove', workspace, seen });
    const id = removed[0]?.id ?? workspace;
    const undo = { label: say.workspaces.undo, run: () => void this.restore(id, name) };
    this.belfry.toasts.show(say.workspaces.isRemoved(name), undo);
  }

  async restore(workspace: string, name: string): Promise<boolean> {
    const done = await this.tell(this.request('workspaces', { do: 'restore', workspace }));
    if (done) this.belfry.toasts.show(say.workspaces.isBack(name));
    return done;
  }

  /** What the session in question has for itself, where it has something. */
  own(session: Session): { workspace: string; kind: WorkspaceKind; name: string } | null {
    const { workspace_id: id, workspace: kind, branch, cwd } = session;
    if (!id || kind === 'directory') return null;
    return { workspace: id, kind, name: branch ?? baseName(cwd) };
  }

  /** Sessions but that one that work in its workspace, and were not thrown away. */
  sharers(session: Session): Session[] {
    if (!session.workspace_id) return [];
    return [...this.belfry.sessions.all.values()].filter(
      (one) =>
        one.workspace_id === session.workspace_id &&
        one.id !== session.id &&
        !one.trashed_at &&
        one.runs_for?.session !== session.id,
    );
  }

  /** Gives back what was made ahead, was taken, and has no tab any more: nothing was said to it. */
  leaveClosed(): void {
    const { sessions, arrangement } = this.belfry;
    const open = (id: string) => paneOf(arrangement.layout, id) !== undefined;
    for (const { id } of sessions.unspoken) if (open(id)) this.held.add(id);
    for (const id of this.held) {
      if (open(id)) continue;
      this.held.delete(id);
      if (sessions.get(id)?.unspoken) this.request('done', { do: 'leave', session: id }).catch(() => {});
    }
  }

  private async tell(asked: Promise<unknown>): Promise<boolean> {
    try {
      await asked;
      return true;
    } catch (error) {
      this.belfry.toasts.fail(explain(error));
      return false;
    }
  }
}

/** Whether the daemon refused with that code. */
export function refusedWith(error: unknown, code: RequestError['code']): error is RequestError {
  return error instanceof RequestError && error.code === code;
}
