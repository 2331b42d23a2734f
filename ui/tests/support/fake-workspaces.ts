import type {
  Branches,
  Cloning,
  Losses,
  Request,
  Scripts,
  Session,
  Workspace,
  WorkspaceRequest,
} from '../../src/lib/client/generated/protocol';
import type { FakeSession } from './fake-daemon';

/** What it asks of the pretended daemon that it belongs to. */
interface Owner {
  session(id: string): Session;
  sessions(): Session[];
  change(id: string, part: Partial<Session>): void;
  event(event: unknown): void;
  start(part: Partial<Session> & { name: string }, screen: string): FakeSession;
  addProject(name: string, part: { id: string; path: string }): void;
}

type Answer = readonly [kind: string, value?: unknown] | { failed: object };

let serial = 0;

export function workspace(part: Partial<Workspace> = {}): Workspace {
  serial += 1;
  return {
    id: `01890000-0000-7000-9000-${String(serial).padStart(12, '0')}`,
    kind: 'worktree',
    path: `/home/dev/worktrees/storefront-${serial}`,
    repository: '/home/dev/src/storefront',
    project: null,
    branch: `work-${serial}`,
    base: 'origin/main',
    state: { is: 'ready' },
    sessions: [],
    ports: { first: 41_000 + serial * 10, count: 10 },
    disk: null,
    created_at: new Date(Date.now() - serial * 3_600_000).toISOString(),
    notice: null,
    ...part,
  };
}

export function losses(part: Partial<Losses> = {}): Losses {
  const none = { count: 0, bytes: 0, first: [] };
  return {
    path: '/home/dev/worktrees/storefront-1',
    uncommitted: none,
    untracked: none,
    ignored: none,
    unpushed: [],
    unpushed_count: 0,
    stashes: [],
    operation: null,
    repositories: [],
    processes: [],
    refused: null,
    fingerprint: 'seen-1',
    ...part,
  };
}

/** What a usual repository tells of its branches. */
export function branches(part: Partial<Branches> = {}): Branches {
  return {
    repository: '/home/dev/src/storefront',
    current: 'main',
    base: 'origin/main',
    names: ['main', 'cart/totals', 'auth/refresh', 'origin/main', 'origin/release', 'origin/cart/totals'],
    taken: ['main', 'auth/refresh'],
    changed: 0,
    remote: 'https://github.com/acme/storefront.git',
    warm: false,
    refused: null,
    ...part,
  };
}

export function scripts(part: Partial<Scripts> = {}): Scripts {
  return {
    repository: '/home/dev/src/storefront',
    rules: { run: [], copy: [], link: [] },
    hash: 'none',
    trusted: true,
    before: null,
    error: null,
    ...part,
  };
}

/** The workspaces of a pretended daemon. */
export class FakeWorkspaces {
  readonly list: Workspace[] = [];
  branches: Branches = branches();
  scripts: Scripts = scripts();
  /** What would be lost, by a workspace's id; nothing with others. */
  readonly losses = new Map<string, Losses>();
  readonly clonings = new Map<string, Cloning>();
  /** Failures, by what was asked. */
  readonly failures = new Map<WorkspaceRequest['do'], { code: string; message: string }>();
  readonly asked: WorkspaceRequest[] = [];

  constructor(private readonly owner: Owner) {}

  requested<D extends WorkspaceRequest['do']>(what: D): Extract<WorkspaceRequest, { do: D }>[] {
    return this.asked.filter((one) => one.do === what) as Extract<WorkspaceRequest, { do: D }>[];
  }

  add(part: Partial<Workspace> = {}): Workspace {
    const made = workspace(part);
    this.list.push(made);
    return made;
  }

  /** A fetch goes on, or ends. */
  clone(id: string, part: Partial<Cloning>): void {
    const before = this.clonings.get(id);
    if (!before) throw new Error(`nothing is fetched as ${id}`);
    const cloning = { ...before, ...part };
    this.clonings.set(id, cloning);
    if (cloning.end?.how === 'done')
      this.owner.addProject(cloning.path.split('/').at(-1) ?? '', { id, path: cloning.path });
    this.owner.event({ event: 'cloning', cloning });
  }

  /** The answer to a request; none where it is about something else. */
  reply(request: Request): Answer | undefined {
    if (request.method !== 'workspace') return undefined;
    const { params } = request;
    this.asked.push(params);
    const failed = this.failures.get(params.do);
    return failed ? { failed } : this.carryOut(params);
  }

  private carryOut(params: WorkspaceRequest): Answer {
    const { owner } = this;
    switch (params.do) {
      case 'list':
        return [
          'workspaces',
          this.list.map((one, at) => ({
            ...one,
            disk: params.disk ? (one.disk ?? (at + 1) * 137_000_000) : null,
          })),
        ];
      case 'branches':
        return ['branches', this.branches];
      case 'scripts':
        return ['scripts', this.scripts];
      case 'losses': {
        const found = this.find(params.workspace);
        return ['losses', this.losses.get(found.id ?? '') ?? losses({ path: found.path })];
      }
      case 'remove': {
        const found = this.find(params.workspace);
        const lost = this.losses.get(found.id ?? '');
        if (lost && params.seen !== lost.fingerprint)
          return { failed: { code: 'would_lose', message: 'something would be lost' } };
        const until = new Date(Date.now() + 86_400_000).toISOString();
        return ['workspaces', [this.put(found, { state: { is: 'removed', until } })]];
      }
      case 'restore':
        return ['workspaces', [this.put(this.find(params.workspace), { state: { is: 'ready' } })]];
      case 'clean': {
        const orphans = this.list.filter(
          ({ id, sessions, state }) =>
            sessions.length === 0 && state.is === 'ready' && id !== null && !this.losses.has(id),
        );
        const until = new Date(Date.now() + 86_400_000).toISOString();
        return ['workspaces', orphans.map((one) => this.put(one, { state: { is: 'removed', until } }))];
      }
      case 'skip_setup': {
        const { preparing } = owner.session(params.session);
        const untrusted = preparing?.state.is === 'untrusted';
        owner.change(params.session, {
          preparing: preparing && !untrusted ? { ...preparing, prompt_waits: false } : null,
        });
        return ['session', owner.session(params.session)];
      }
      case 'run_setup': {
        const state = { is: 'setting_up', session: null } as const;
        owner.change(params.session, { preparing: { state, line: null, prompt_waits: true } });
        return ['session', owner.session(params.session)];
      }
      case 'trust': {
        if (params.hash !== this.scripts.hash)
          return { failed: { code: 'changed', message: 'it is another by now' } };
        this.scripts = { ...this.scripts, trusted: true, before: null };
        return ['done'];
      }
      case 'run': {
        const { name, session } = params;
        const beside = owner.session(session);
        const same = owner
          .sessions()
          .find(
            ({ runs_for: runs, status }) =>
              runs?.session === session && runs.name === name && status !== 'dead',
          );
        const run =
          same ??
          owner.start(
            {
              name,
              cwd: beside.cwd,
              project: beside.project,
              group: beside.group,
              status: 'running',
              runs_for: { session, name },
            },
            `$ ${name}\r\nlistening`,
          ).session;
        return ['session', run];
      }
      case 'leave': {
        if (owner.session(params.session).unspoken)
          owner.event({ event: 'session_removed', id: params.session });
        return ['done'];
      }
      case 'clone_project': {
        serial += 1;
        const name =
          params.url
            .replace(/\.git$/, '')
            .split(/[/:]/)
            .at(-1) ?? 'project';
        const cloning: Cloning = {
          id: `cloned-${serial}`,
          url: params.url,
          path: params.path ?? `/home/dev/src/${name}`,
          step: 'Connecting',
          percent: null,
          end: null,
        };
        this.clonings.set(cloning.id, cloning);
        return ['cloning', cloning];
      }
      case 'cancel_clone':
        this.clone(params.id, { end: { how: 'cancelled' } });
        return ['done'];
      default:
        return ['done'];
    }
  }

  private find(which: string): Workspace {
    const found = this.list.find(
      ({ id, path, sessions }) => id === which || path === which || sessions.includes(which),
    );
    if (!found) throw new Error(`no workspace ${which}`);
    return found;
  }

  private put(found: Workspace, part: Partial<Workspace>): Workspace {
    const changed = { ...found, ...part };
    this.list[this.list.indexOf(found)] = changed;
    return changed;
  }
}
