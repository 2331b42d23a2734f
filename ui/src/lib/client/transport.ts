import type { Given } from '../files';

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
  /** What is on the clipboard beside text: paths of files that were copied, or a picture. */
  readClipboardFiles?(): Promise<Given>;
  writeClipboard(text: string, primary?: boolean): Promise<void>;
  /** Where the files are that were just dropped; for web views that do not tell the page. */
  droppedPaths?(): Promise<string[]>;
  /** Saves a file where the person wants it, and tells where or under which name; null where they do not. */
  saveFile?(name: string, bytes: readonly Uint8Array[]): Promise<string | null>;
  /** Shows a directory in the system's own file browser. */
  openDirectory?(path: string): Promise<void>;
  /** Hears what happens in the desktop outside the page, from now on. */
  followDesktop?(hear: (event: DesktopEvent) => void): void;
  /** Draws the whole page larger, in percent. A plain browser has a zoom of its own. */
  setZoom?(percent: number): Promise<void>;
  /** Brings the window in front of the person. */
  raiseWindow?(): Promise<void>;
}

/** What became of the key that works in the whole desktop. */
export type Shortcut = { keys: string } & (
  { state: 'off' | 'on' | 'taken' } | { state: 'forbidden' | 'wrong'; why: string }
);

/** Something that happened outside the page: in the tray, on a notification, by a key of the desktop. */
export type DesktopEvent =
  | { kind: 'open'; session: string }
  | { kind: 'open_need' }
  | { kind: 'new_session' }
  | { kind: 'failed'; text: string }
  | ({ kind: 'shortcut' } & Shortcut);
