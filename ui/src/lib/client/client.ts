import { Backoff } from './backoff';
import {
  Connection,
  RequestError,
  type Output,
  type ReplyKind,
  type ReplyValue,
  type Welcome,
} from './connection';
import type { Event, Reply, Request, Session } from './generated/protocol';
import type { Link, Transport } from './transport';
import { TransportError } from './transport';
import { say } from '../words';

export type Overview = Extract<Reply, { kind: 'overview' }>['value'];

export type ClientState =
  | { kind: 'connecting'; starting: boolean }
  | { kind: 'connected'; welcome: Welcome }
  /** Lost; another try follows by itself. */
  | { kind: 'lost'; why: string; since: number }
  /** Given up: the versions do not fit, or the token is wrong. */
  | { kind: 'refused'; why: string; next?: string | undefined };

export interface ClientListener {
  onState?(state: ClientState): void;
  /** Everything anew: after every connect, before any event. */
  onOverview?(overview: Overview): void;
  onEvent?(event: Event): void;
}

/** Where one view's frames go. */
export interface ViewSink {
  onOutput(output: Output): void;
  onEvent(event: Event): void;
}

/** A stream that is being gathered. */
interface Stream {
  pieces: Uint8Array[];
  whole: (pieces: Uint8Array[]) => void;
  failed: (error: RequestError) => void;
}

const VIEW_EVENTS = new Set(['view_size', 'view_keyboard', 'view_closed', 'clipboard_write']);

/** The window's lasting access to the daemon: connects, connects again, and keeps listeners through it all. */
export class Client {
  state: ClientState = { kind: 'connecting', starting: false };
  private connection: Connection | undefined;
  private link: Link | undefined;
  private readonly listeners = new Set<ClientListener>();
  private readonly views = new Map<number, ViewSink>();
  private readonly backoff = new Backoff();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private nextView = 1;
  private readonly streams = new Map<number, Stream>();
  private nextStream = 1;
  private lostSince = 0;
  /** Takes what is left of an overview that came in pieces. */
  private rest: { sessions: Session[]; end: () => void } | undefined;
  private stopped = false;

  constructor(
    private readonly transport: Transport,
    private readonly version: string,
  ) {}

  listen(listener: ClientListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Connects, now. Also cuts a wait for the next try short. */
  connect(): void {
    clearTimeout(this.timer);
    if (this.stopped || this.connection) return;
    if (this.state.kind === 'refused') this.setState({ kind: 'connecting', starting: false });
    void this.attempt();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.drop();
  }

  get connected(): boolean {
    return this.state.kind === 'connected';
  }

  request<K extends ReplyKind>(
    kind: K,
    request: Request,
    atOnce?: (value: ReplyValue<K>) => void,
  ): Promise<ReplyValue<K>> {
    if (this.connection && this.connected) return this.connection.request(kind, request, atOnce);
    return Promise.reject(
      new RequestError({ code: 'disconnected', message: say.connection.theDaemonCannotBeReachedJustNow }),
    );
  }

  /** Asks for a stream, and resolves with all its pieces. */
  async stream(request: (stream: number) => Request): Promise<Uint8Array[]> {
    const id = this.nextStream++;
    const whole = new Promise<Uint8Array[]>((resolve, reject) => {
      this.streams.set(id, { pieces: [], whole: resolve, failed: reject });
    });
    // Whoever asked hears of it by the request where that fails.
    whole.catch(() => {});
    try {
      await this.request('done', request(id));
      return await whole;
    } finally {
      this.streams.delete(id);
    }
  }

  /** Reserves a view id whose frames go to `sink`, until the connection ends or the view is released. */
  takeView(sink: ViewSink): number {
    const view = this.nextView++;
    this.views.set(view, sink);
    return view;
  }

  releaseView(view: number): void {
    this.views.delete(view);
  }

  input(view: number, bytes: Uint8Array): void {
    this.connection?.input(view, bytes);
  }

  credit(view: number, bytes: number): void {
    this.connection?.credit(view, bytes);
  }

  private async attempt(): Promise<void> {
    const connection: Connection = new Connection({
      onWelcome: (welcome) => this.welcomed(connection, welcome),
      onRefused: (error) => this.refuse(connection, error.message, error.next ?? undefined),
      onEvent: (event) => this.event(event),
      onOutput: (view, output) => this.views.get(view)?.onOutput(output),
      onBlob: (stream, bytes) => this.blob(stream, bytes),
      onBroken: (error) => this.lost(connection, error.message),
    });
    this.connection = connection;
    try {
      const link = await this.transport.connect({
        onBytes: (bytes) => connection.receive(bytes),
        onLost: (message) => this.lost(connection, message),
        onStarting: () => {
          if (this.connection === connection) this.setState({ kind: 'connecting', starting: true });
        },
      });
      if (this.connection !== connection) return link.close();
      this.link = link;
      connection.start(link, this.transport.client, this.version);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (error instanceof TransportError && error.final) this.refuse(connection, message);
      else this.lost(connection, message);
    }
  }

  private welcomed(connection: Connection, welcome: Welcome): void {
    // At once: an event right behind the overview is newer than it is.
    const taken = (overview: Overview): void => {
      if (this.connection !== connection) return;
      if (!overview.more) return this.overview(overview, welcome);
      const { sessions } = overview;
      this.rest = { sessions, end: () => this.overview({ ...overview, more: false }, welcome) };
    };
    connection
      .request('overview', { method: 'subscribe' }, taken)
      .catch((error: unknown) => this.lost(connection, (error as Error).message));
  }

  private overview(overview: Overview, welcome: Welcome): void {
    this.rest = undefined;
    this.backoff.reset();
    this.lostSince = 0;
    for (const listener of this.listeners) listener.onOverview?.(overview);
    this.setState({ kind: 'connected', welcome });
  }

  private event(event: Event): void {
    if (this.rest) {
      if (event.event === 'session') return void this.rest.sessions.push(event.session);
      if (event.event === 'overview_end') return this.rest.end();
    }
    if (event.event === 'stream_failed') {
      this.streams.get(event.stream)?.failed(new RequestError(event.error));
      return;
    }
    if (VIEW_EVENTS.has(event.event)) {
      this.views.get((event as { view: number }).view)?.onEvent(event);
      return;
    }
    for (const listener of this.listeners) listener.onEvent?.(event);
  }

  private blob(id: number, bytes: Uint8Array): void {
    const stream = this.streams.get(id);
    if (bytes.length === 0) stream?.whole(stream.pieces);
    // A copy: what it came in may be much larger.
    else stream?.pieces.push(bytes.slice());
  }

  private refuse(connection: Connection, why: string, next?: string): void {
    if (this.connection !== connection) return;
    this.drop();
    this.setState({ kind: 'refused', why, next });
  }

  private lost(connection: Connection, why: string): void {
    if (this.connection !== connection) return;
    this.drop();
    if (this.stopped) return;
    this.lostSince ||= Date.now();
    this.setState({ kind: 'lost', why, since: this.lostSince });
    this.timer = setTimeout(() => this.connect(), this.backoff.next());
  }

  private drop(): void {
    this.connection?.end();
    this.connection = undefined;
    this.rest = undefined;
    this.link?.close();
    this.link = undefined;
    this.views.clear();
    for (const { failed } of this.streams.values())
      failed(new RequestError({ code: 'disconnected', message: say.connection.theConnectionWasLost }));
    this.streams.clear();
  }

  private setState(state: ClientState): void {
    this.state = state;
    for (const listener of this.listeners) listener.onState?.(state);
  }
}
