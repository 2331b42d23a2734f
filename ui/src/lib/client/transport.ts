/** A way to the daemon's socket: the desktop's bridge, a WebSocket, or a test. It carries bytes and knows nothing of them. */
export interface Transport {
  /** Opens a link. Rejects with a {@link TransportError} where none can be had. */
  connect(handlers: LinkHandlers): Promise<Link>;
  /** What the daemon's log calls this client. */
  readonly client: 'desktop' | 'browser';
}

export interface LinkHandlers {
  /** Bytes in order, chunked in any way. */
  onBytes(bytes: Uint8Array): void;
  /** The link is gone; called at most once, and never after {@link Link.close}. */
  onLost(message: string): void;
  /** There was no daemon, and one is being started. */
  onStarting?(): void;
}

export interface Link {
  /** Sends bytes, in the order of the calls. */
  send(bytes: Uint8Array): void;
  close(): void;
}

export class TransportError extends Error {
  constructor(
    message: string,
    /** Trying again cannot help: the token is wrong, say. */
    readonly final = false,
  ) {
    super(message);
  }
}

/** What the window can ask of the machine it runs on. A plain browser has less. */
export interface Surroundings {
  /** Lets the person choose a directory; null when they do not. */
  pickDirectory?(start?: string): Promise<string | null>;
  /** Opens an http, https or mailto link outside. */
  openLink(url: string): Promise<void>;
  /** The clipboard's text, or the primary selection's where the system has one. */
  readClipboard?(primary?: boolean): Promise<string>;
  writeClipboard(text: string, primary?: boolean): Promise<void>;
}
