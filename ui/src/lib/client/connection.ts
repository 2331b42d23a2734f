import { encodeControl, encodeCredit, encodeInput, FrameDecoder, FrameError, MAX_PIECE } from './frame';
import type { DaemonMessage, ErrorCode, Event, Reply, Request, WireError } from './generated/protocol';
import type { Link } from './transport';
import { say } from '../words';

/** A request was not carried out. */
export class RequestError extends Error {
  readonly code: ErrorCode | 'disconnected';
  readonly kept: string | undefined;
  readonly next: string | undefined;

  constructor(error: Omit<WireError, 'code'> & { code: ErrorCode | 'disconnected' }) {
    super(error.message);
    this.code = error.code;
    this.kept = error.kept ?? undefined;
    this.next = error.next ?? undefined;
  }
}

/** Bytes for one view's terminal. */
export interface Output {
  offset: number;
  flags: number;
  bytes: Uint8Array;
}

export interface Welcome {
  version: string;
  pid: number;
  home: string;
}

export interface ConnectionHandlers {
  onWelcome(welcome: Welcome): void;
  /** The daemon refuses this client; the connection is over. */
  onRefused(error: WireError): void;
  onEvent(event: Event): void;
  onOutput(view: number, output: Output): void;
  onBlob(stream: number, bytes: Uint8Array): void;
  /** The stream cannot be read on. */
  onBroken(error: Error): void;
}

export type ReplyKind = Reply['kind'];
export type ReplyValue<K extends ReplyKind> =
  Extract<Reply, { kind: K }> extends { value: infer V } ? V : undefined;

/** The protocol version that this window speaks; equal majors understand each other. */
export const PROTOCOL = { major: 1, minor: 1 };

interface Pending {
  kind: ReplyKind;
  resolve(value: unknown): void;
  reject(error: RequestError): void;
}

/** One life of a link to the daemon: handshake, requests and their answers, frames to whom they belong. */
export class Connection {
  private readonly decoder = new FrameDecoder();
  private readonly pending = new Map<number, Pending>();
  private nextId = 1;
  private over = false;
  private link: Link | undefined;

  constructor(private readonly handlers: ConnectionHandlers) {}

  start(link: Link, client: string, version: string): void {
    this.link = link;
    this.control({ type: 'hello', protocol: PROTOCOL, client, version });
  }

  /**
   * Asks for something and checks that the answer is of the kind that the protocol promises. `atOnce` gets the answer
   * before any frame that follows it, which a promise cannot promise.
   */
  request<K extends ReplyKind>(
    kind: K,
    request: Request,
    atOnce?: (value: ReplyValue<K>) => void,
  ): Promise<ReplyValue<K>> {
    if (this.over || !this.link) return Promise.reject(disconnected());
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      const answer = (value: unknown) => {
        atOnce?.(value as ReplyValue<K>);
        resolve(value as ReplyValue<K>);
      };
      this.pending.set(id, { kind, resolve: answer, reject });
      this.control({ type: 'request', id, request });
    });
  }

  input(view: number, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += MAX_PIECE) {
      this.link?.send(encodeInput(view, bytes.subarray(at, at + MAX_PIECE)));
    }
  }

  credit(view: number, bytes: number): void {
    this.link?.send(encodeCredit(view, bytes));
  }

  receive(bytes: Uint8Array): void {
    if (this.over) return;
    try {
      this.decoder.push(bytes, (frame) => {
        if (frame.kind === 'output') this.handlers.onOutput(frame.view, frame);
        else if (frame.kind === 'blob') this.handlers.onBlob(frame.stream, frame.bytes);
        else this.message(JSON.parse(frame.json) as DaemonMessage);
      });
    } catch (error) {
      if (!(error instanceof FrameError) && !(error instanceof SyntaxError)) throw error;
      this.handlers.onBroken(error);
    }
  }

  /** Ends this life: whoever still waits for an answer gets an error. */
  end(): void {
    if (this.over) return;
    this.over = true;
    this.link = undefined;
    for (const { reject } of this.pending.values()) reject(disconnected());
    this.pending.clear();
  }

  private control(message: unknown): void {
    this.link?.send(encodeControl(message));
  }

  private message(message: DaemonMessage): void {
    switch (message.type) {
      case 'welcome':
        this.handlers.onWelcome(message);
        break;
      case 'refused':
        this.handlers.onRefused(message.error);
        break;
      case 'event':
        this.handlers.onEvent(message.event);
        break;
      case 'failed':
        this.take(message.id)?.reject(new RequestError(message.error));
        break;
      case 'reply': {
        const waiting = this.take(message.id);
        if (!waiting) break;
        const { reply } = message;
        if (reply.kind === waiting.kind) waiting.resolve('value' in reply ? reply.value : undefined);
        else {
          const text = say.connection.theDaemonAnsweredWithKindInsteadOf(reply.kind, waiting.kind);
          waiting.reject(new RequestError({ code: 'internal', message: text }));
        }
        break;
      }
      default: // A newer daemon says more than this window knows.
    }
  }

  private take(id: number): Pending | undefined {
    const waiting = this.pending.get(id);
    this.pending.delete(id);
    return waiting;
  }
}

function disconnected(): RequestError {
  return new RequestError({ code: 'disconnected', message: say.connection.theDaemonCannotBeReachedJustNow });
}
