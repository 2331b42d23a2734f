import type { Server } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import type {
  AgentInfo,
  Happened,
  Request,
  Session,
  Size,
  Notification,
} from '../../src/lib/client/generated/protocol';
import { addressOf, serveFiles } from './files';
import { FakeChanges } from './fake-changes';
import { FakeRecordings } from './fake-recording';
import { FakeLibrary } from './fake-library';
import { FakeSettings } from './fake-settings';
import { FakeTalk } from './fake-talk';
import { FakeTranscripts } from './fake-transcript';
import { FakeTree } from './fake-tree';
import { FakeWorkspaces } from './fake-workspaces';
import { blob, ClientFrames, control, output } from './frames';

export interface FakeSession {
  session: Session;
  /** What a snapshot puts on the screen. */
  screen: string;
  /** The same with the whole scrollback. */
  full?: string;
  size: Size;
  kitty: number;
}

interface OpenView {
  socket: WebSocket;
  id: number;
  session: FakeSession;
}

let serial = 0;

export function fakeSession(
  part: Partial<Session> & { name: string },
  screen = '',
  full?: string,
): FakeSession {
  serial += 1;
  const now = new Date().toISOString();
  const session: Session = {
    id: `01890000-0000-7000-8000-${String(serial).padStart(12, '0')}`,
    agent: 'shell',
    kind: 'managed',
    status: 'idle',
    reason: null,
    activity: null,
    source: 'process',
    since: now,
    unseen: false,
    ask: null,
    cwd: '/home/dev/src/storefront',
    project: null,
    group: null,
    position: 0,
    branch: null,
    workspace: 'directory',
    workspace_id: null,
    preparing: null,
    unspoken: false,
    changes: null,
    pull_request: null,
    runs_for: null,
    listening: [],
    conversation_id: null,
    started_by: null,
    forked_from: null,
    views: 0,
    pid: 4242,
    exit: null,
    cols: 80,
    rows: 24,
    title: null,
    command: ['bash'],
    model: null,
    env_names: [],
    local: null,
    guest: null,
    private: false,
    runs: [],
    queued: 0,
    notice: null,
    created_at: now,
    last_activity_at: now,
    last_seen_at: now,
    archived_at: null,
    activity_since: null,
    pinned: false,
    muted: false,
    snoozed_until: null,
    trashed_at: null,
    ...part,
  };
  return { session, screen, ...(full !== undefined && { full }), size: { cols: 80, rows: 24 }, kitty: 0 };
}

export const AGENTS: AgentInfo[] = [
  ['claude', 'Claude Code', '2.1.332', 'npm install -g @anthropic-ai/claude-code'],
  ['codex', 'Codex', '0.171.0', 'npm install -g @openai/codex'],
  ['opencode', 'OpenCode', '1.18.33', 'npm install -g opencode-ai'],
  ['gemini', 'Gemini CLI', '0.61.0', 'npm install -g @google/gemini-cli'],
  ['aider', 'Aider', null, 'pipx install aider-chat'],
  ['shell', 'Shell', null, null],
].map(([id, name, version, install]) => ({
  id: id as string,
  name: name as string,
  program: id === 'aider' ? null : id === 'shell' ? '/usr/bin/bash' : `/usr/local/bin/${id}`,
  version: version ?? null,
  install: install ?? null,
  takes: { prompt: id !== 'shell', model: id !== 'shell', system_prompt: id === 'claude' },
  can: {
    resume: id !== 'shell',
    fork: id === 'claude' || id === 'codex' || id === 'opencode',
    fork_earlier: false,
    history: id !== 'shell',
    find: id !== 'shell',
  },
}));

/**
 * A daemon that only pretends, for what a real one cannot be made to do on demand: broken snapshots, foreign sizes, a
 * connection that drops. It speaks the real frames and echoes what is typed.
 */
export class FakeDaemon {
  readonly sessions = new Map<string, FakeSession>();
  readonly settings = new Map<string, unknown>();
  /** What the person has set. */
  readonly set = new FakeSettings();
  /** What has called the person, oldest first. */
  readonly notifications: Notification[] = [];
  readonly requests: Request[] = [];
  /** What reading a session's screen and scrollback gives, and what happened to it. */
  readonly screens = new Map<string, string>();
  readonly prompts = new Map<string, string>();
  readonly histories = new Map<string, Happened[]>();
  /** What was typed, by session. */
  readonly typed = new Map<string, Buffer>();
  readonly credits: number[] = [];
  readonly views: OpenView[] = [];
  /** Failures for requests of a method, instead of carrying them out. */
  readonly failures = new Map<string, { code: string; message: string; kept?: string; next?: string }>();
  readonly talk = new FakeTalk({
    session: (id) => this.need(id).session,
    change: (id, part) => this.change(id, part),
  });
  readonly tree = new FakeTree({
    session: (id) => this.need(id).session,
    sessions: () => [...this.sessions.values()].map((fake) => fake.session),
    change: (id, part) => this.change(id, part),
    event: (event) => this.event(event),
  });
  readonly workspaces = new FakeWorkspaces({
    session: (id) => this.need(id).session,
    sessions: () => [...this.sessions.values()].map((fake) => fake.session),
    change: (id, part) => this.change(id, part),
    event: (event) => this.event(event),
    start: (part, screen) => {
      const fake = this.add(fakeSession(part, screen));
      this.event({ event: 'session', session: fake.session });
      return fake;
    },
    addProject: (name, part) => this.event({ event: 'project', project: this.tree.addProject(name, part) }),
  });
  readonly review = new FakeChanges({
    session: (id) => this.need(id).session,
    change: (id, part) => this.change(id, part),
  });
  readonly recordings = new FakeRecordings();
  readonly transcripts = new FakeTranscripts();
  readonly library = new FakeLibrary({
    sessions: () => [...this.sessions.values()].map((fake) => fake.session),
    resume: ({ agent, id, title, cwd }, where) => {
      const part = { name: title, agent, cwd: where ?? cwd ?? '/home/dev', conversation_id: id };
      const fake = this.add(fakeSession({ ...part, status: 'running' }, 'resumed'));
      this.event({ event: 'session', session: fake.session });
      return fake.session;
    },
  });
  /** Methods that are not answered before {@link release}. */
  readonly held = new Set<string>();
  private readonly waiting: (() => void)[] = [];
  echo = true;
  private readonly sockets = new Set<WebSocket>();
  private server: Server | undefined;
  private accepting = true;

  constructor(private readonly files: string) {}

  get url(): string {
    if (!this.server) throw new Error('not started');
    return addressOf(this.server);
  }

  add(fake: FakeSession): FakeSession {
    this.sessions.set(fake.session.id, fake);
    return fake;
  }

  async start(): Promise<void> {
    const server = await serveFiles(this.files);
    const sockets = new WebSocketServer({ server, path: '/socket' });
    sockets.on('connection', (socket) => this.connected(socket));
    this.server = server;
  }

  async stop(): Promise<void> {
    this.disconnect();
    const closed = new Promise((resolve) => this.server?.close(resolve));
    // A browser keeps a spare connection that it never asked anything over, and that counts as busy.
    this.server?.closeAllConnections();
    await closed;
  }

  /** Drops every connection, and refuses new ones where `down`. */
  disconnect(down = false): void {
    this.accepting = !down;
    for (const socket of this.sockets) socket.terminate();
    this.sockets.clear();
    this.views.length = 0;
  }

  up(): void {
    this.accepting = true;
  }

  event(event: unknown): void {
    for (const socket of this.sockets) socket.send(control({ type: 'event', event }));
  }

  change(id: string, part: Partial<Session>): void {
    const fake = this.need(id);
    fake.session = { ...fake.session, ...part };
    this.event({ event: 'session', session: fake.session });
  }

  /** Bytes that the program prints, to all who look. */
  print(id: string, text: string | Buffer, flags = 0): void {
    for (const view of this.views.filter((one) => one.session.session.id === id)) {
      view.socket.send(output(view.id, 0, flags, Buffer.from(text)));
    }
  }

  viewEvent(id: string, event: Record<string, unknown>): void {
    for (const view of this.views.filter((one) => one.session.session.id === id)) {
      view.socket.send(control({ type: 'event', event: { ...event, view: view.id } }));
    }
  }

  /** Answers what was held. */
  release(): void {
    this.held.clear();
    for (const answer of this.waiting.splice(0)) answer();
  }

  requested<M extends Request['method']>(method: M): Extract<Request, { method: M }>[] {
    return this.requests.filter((request) => request.method === method) as Extract<Request, { method: M }>[];
  }

  private connected(socket: WebSocket): void {
    if (!this.accepting) return socket.terminate();
    this.sockets.add(socket);
    const frames = new ClientFrames();
    socket.on('message', (data: Buffer) => {
      for (const frame of frames.push(data)) {
        if (frame.kind === 'credit') this.credits.push(frame.bytes);
        else if (frame.kind === 'input') this.input(frame.view, frame.bytes, socket);
        else if (frame.message.type === 'hello') {
          const protocol = { major: 1, minor: 0 };
          socket.send(control({ type: 'welcome', protocol, version: '0.1.0', pid: 77, home: '/home/dev' }));
        } else this.request(socket, frame.message.id, frame.message.request);
      }
    });
    socket.on('close', () => {
      this.sockets.delete(socket);
      for (const view of this.views.filter((one) => one.socket === socket))
        this.views.splice(this.views.indexOf(view), 1);
    });
  }

  private input(view: number, bytes: Buffer, socket: WebSocket): void {
    const open = this.views.find((one) => one.id === view && one.socket === socket);
    if (!open) return;
    const { id } = open.session.session;
    this.typed.set(id, Buffer.concat([this.typed.get(id) ?? Buffer.alloc(0), bytes]));
    if (this.echo) this.print(id, bytes.toString().replaceAll('\r', '\r\n'));
  }

  private snapshot(view: OpenView, full: boolean): void {
    const text = full ? (view.session.full ?? view.session.screen) : view.session.screen;
    const bytes = Buffer.from(text);
    const pieces = [];
    for (let at = 0; at < bytes.length || at === 0; at += 65_536)
      pieces.push(bytes.subarray(at, at + 65_536));
    pieces.forEach((piece, at) => {
      const flags = (at === 0 ? 1 : 0) | (at === pieces.length - 1 ? 2 : 0) | (full ? 4 : 0);
      view.socket.send(output(view.id, 0, flags, piece));
    });
  }

  private need(id: string): FakeSession {
    const found = this.sessions.get(id);
    if (!found) throw new Error(`no session ${id}`);
    return found;
  }

  private request(socket: WebSocket, id: number, request: Request): void {
    this.requests.push(request);
    if (this.held.has(request.method)) this.waiting.push(() => this.carryOut(socket, id, request));
    else this.carryOut(socket, id, request);
  }

  private carryOut(socket: WebSocket, id: number, request: Request): void {
    const failure = this.failures.get(request.method);
    if (failure) return socket.send(control({ type: 'failed', id, error: failure }));
    const reply = (kind: string, value?: unknown) =>
      socket.send(control({ type: 'reply', id, reply: { kind, value } }));
    const session = (key: string) => reply('session', this.need(key).session);
    const told =
      this.transcripts.reply(request) ?? this.library.reply(request) ?? this.workspaces.reply(request);
    const reviewed = told ?? this.review.reply(request);
    if (reviewed && 'failed' in reviewed)
      return socket.send(control({ type: 'failed', id, error: reviewed.failed }));
    if (reviewed) return reply(...reviewed);
    const talked = this.talk.reply(request) ?? this.tree.reply(request);
    if (talked) return reply(...talked);
    const recorded = this.recordings.reply(request);
    if (recorded) {
      reply(...recorded.reply);
      if (recorded.stream)
        for (const frame of blob(recorded.stream.id, recorded.stream.bytes)) socket.send(frame);
      return;
    }
    switch (request.method) {
      case 'subscribe':
        return reply('overview', {
          sessions: [...this.sessions.values()].map((fake) => fake.session),
          projects: [...this.tree.projects.values()],
          groups: [...this.tree.groups.values()],
          more: false,
        });
      case 'open_view': {
        const fake = this.need(request.params.session);
        const view: OpenView = { socket, id: request.params.view, session: fake };
        this.views.push(view);
        reply('view', { session: fake.session, size: fake.size });
        this.snapshot(view, false);
        if (fake.kitty) this.viewEvent(fake.session.id, { event: 'view_keyboard', kitty: fake.kitty });
        return this.resize(view.id, request.params.size, socket);
      }
      case 'close_view': {
        const at = this.views.findIndex((view) => view.id === request.params.view && view.socket === socket);
        if (at >= 0) this.views.splice(at, 1);
        return reply('done');
      }
      case 'resize_view':
        this.resize(request.params.view, request.params.size, socket);
        return reply('done');
      case 'fetch_scrollback': {
        const view = this.views.find((one) => one.id === request.params.view && one.socket === socket);
        if (view) this.snapshot(view, true);
        return reply('done');
      }
      case 'adopt_session': {
        const { target } = request.params;
        this.change(target, { kind: 'managed' });
        return session(target);
      }
      case 'measure_sessions': {
        const sessions = (request.params.sessions ?? [...this.sessions.keys()]).map((id) => ({
          id,
          processes: 7,
          memory: 412 * 1_048_576,
          estimated: false,
          cpu_ms: Math.round(performance.now() * 0.034),
        }));
        return reply('figures', { at_ms: Math.round(performance.now()), sessions });
      }
      case 'read_usage': {
        const row = (name: string, input: number, hours: number, cost: number | null) => ({
          name,
          session: null,
          project: request.params.by === 'project' ? 'p' : null,
          agent: null,
          usage: {
            input,
            output: Math.round(input / 9),
            cache_read: input * 21,
            cache_write: input * 2,
            context: null,
            context_size: null,
            cost,
            estimated: cost === null,
          },
          working_ms: hours * 3_600_000,
          waiting_ms: hours * 540_000,
        });
        const rows = [
          row('2026-11-28', 812_400, 3, 14.2),
          row('2026-11-29', 91_200, 1, null),
          row('2026-11-30', 1_240_300, 5, 21.74),
        ];
        return reply('usage', { rows, indexing: { done: 40, total: 40, busy: false } });
      }
      case 'hibernate_session':
        this.change(request.params.session, {
          status: 'idle',
          reason: 'hibernated',
          pid: null,
          exit: null,
        });
        return session(request.params.session);
      case 'list_agents':
        return reply('agents', AGENTS);
      case 'recent_directories':
      case 'complete_directory':
        return reply(
          'directories',
          ['storefront', 'ledger', 'blog'].map((name) => ({
            path: `/home/dev/src/${name}`,
            shown: `~/src/${name}`,
            repository: name !== 'blog',
            branch: name === 'blog' ? null : 'main',
          })),
        );
      case 'launch_defaults':
        return reply('launch_defaults', {
          cwd: request.params.cwd,
          agent: null,
          model: null,
          system_prompt: null,
          args: [],
          env_names: [],
        });
      case 'list_notifications':
        return reply('notifications', this.notifications);
      case 'mark_notifications_read':
      case 'test_notification':
        return reply('done');
      case 'get_settings':
      case 'make_settings_file':
      case 'change_setting':
        return reply('settings', this.set.answer(request));
      case 'read_screen': {
        const fake = this.need(request.params.session);
        const text = this.screens.get(fake.session.id) ?? fake.screen;
        return reply('screen', { text, size: fake.size });
      }
      case 'read_prompt':
        return reply('prompt', { text: this.prompts.get(request.params.session) ?? null });
      case 'list_history':
        return reply(
          'history',
          (this.histories.get(request.params.session) ?? []).slice(0, request.params.limit),
        );
      case 'save_attachment': {
        const { name, file } = request.params;
        return reply('attachment', { path: `/state/attachments/${file ?? name}`, file: file ?? name });
      }
      case 'get_setting':
        return reply('setting', this.settings.get(request.params.name) ?? null);
      case 'put_setting':
        this.settings.set(request.params.name, request.params.value);
        return reply('done');
      case 'new_session': {
        const { agent, cwd, name, project, group } = request.params;
        const fake = this.add(
          fakeSession(
            {
              name: name ?? agent,
              agent,
              cwd: cwd?.replace('~', '/home/dev') ?? '/home/dev',
              project: project ?? null,
              group: group ?? null,
            },
            '$ ',
          ),
        );
        this.event({ event: 'session', session: fake.session });
        return session(fake.session.id);
      }
      case 'rename_session':
        this.change(request.params.session, { name: request.params.name });
        return session(request.params.session);
      case 'kill_session':
        this.change(request.params.session, {
          status: 'dead',
          pid: null,
          exit: { how: 'signal', signal: 1, name: 'SIGHUP' },
        });
        return session(request.params.session);
      case 'restart_session':
      case 'resume_session':
        this.change(request.params.session, { status: 'running', pid: 1, exit: null });
        return session(request.params.session);
      case 'remove_session': {
        const trashed = !this.need(request.params.session).session.private && !request.params.now;
        if (trashed) {
          this.change(request.params.session, {
            status: 'dead',
            pid: null,
            trashed_at: new Date().toISOString(),
          });
        } else {
          this.sessions.delete(request.params.session);
          this.event({ event: 'session_removed', id: request.params.session });
        }
        return reply('removed', { trashed });
      }
      case 'restore_session':
        this.change(request.params.session, { trashed_at: null });
        return session(request.params.session);
      case 'archive_session':
        this.change(request.params.session, {
          archived_at: request.params.archived ? new Date().toISOString() : null,
        });
        return session(request.params.session);
      default:
        return reply('done');
    }
  }

  private resize(view: number, size: Size, socket: WebSocket): void {
    const open = this.views.find((one) => one.id === view && one.socket === socket);
    // A screen that no program draws any more stays as it was.
    if (!open || open.session.session.status === 'dead') return;
    open.session.size = size;
    this.viewEvent(open.session.session.id, { event: 'view_size', size });
  }
}
