import type { Client } from '../client/client';
import type { Event, Size } from '../client/generated/protocol';
import { Credit, WINDOW } from './credit';
import { SnapshotCollector, type Snapshot } from './snapshot';

export interface ChannelSink {
  /** In order with the bytes: the session's terminal has this size from here on. */
  onSize(size: Size): void;
  onSnapshot(snapshot: Snapshot): void;
  /** `parsed` is called once the bytes are dealt with. */
  onBytes(bytes: Uint8Array, parsed: () => void): void;
  onKeyboard(flags: number): void;
  onClipboard(text: string): void;
  /** The view is open and its first snapshot follows, or it is gone (with why, unless it was closed on purpose). */
  onOpen(open: boolean, why?: string): void;
}

/** One session's view at the daemon: opened, closed and, after a lost connection, opened again. No terminal in here. */
export class ViewChannel {
  private view = 0;
  private wanted = false;
  private focused = false;
  private held = false;
  private size: Size = { cols: 80, rows: 24 };
  private credit = new Credit(() => {});
  private collector: SnapshotCollector | undefined;
  private readonly stopListening: () => void;

  constructor(
    private readonly client: Client,
    private readonly session: string,
    private readonly sink: ChannelSink,
  ) {
    this.stopListening = client.listen({
      onState: (state) => {
        if (state.kind === 'connected') {
          if (this.wanted && !this.view) this.request();
        } else if (this.view) {
          this.view = 0;
          this.sink.onOpen(false);
        }
      },
    });
  }

  open(size: Size): void {
    this.size = size;
    this.wanted = true;
    if (!this.view && this.client.connected) this.request();
  }

  /** The size that this view asks for. */
  get wantedSize(): Size {
    return this.size;
  }

  close(): void {
    this.wanted = false;
    if (!this.view) return;
    const view = this.forget();
    this.client.request('done', { method: 'close_view', params: { view } }).catch(() => {});
  }

  dispose(): void {
    this.close();
    this.stopListening();
  }

  /** Throws away what is known and asks for a snapshot anew. */
  reopen(): void {
    if (!this.wanted) return;
    this.close();
    this.open(this.size);
  }

  resize(size: Size): void {
    if (size.cols === this.size.cols && size.rows === this.size.rows) return;
    this.size = size;
    this.tell({ method: 'resize_view', params: { view: this.view, size } });
  }

  focus(focused: boolean): void {
    if (focused === this.focused) return;
    this.focused = focused;
    this.tell({ method: 'focus_view', params: { view: this.view, focused } });
  }

  /** Makes this view's size the session's, where another client has it. */
  claimSize(): void {
    this.focused = true;
    this.tell({ method: 'focus_view', params: { view: this.view, focused: true } });
  }

  hold(held: boolean): void {
    if (held === this.held) return;
    this.held = held;
    this.tell({ method: 'hold_view', params: { view: this.view, held } });
  }

  fetchScrollback(): void {
    this.tell({ method: 'fetch_scrollback', params: { view: this.view } });
  }

  input(bytes: Uint8Array): void {
    if (this.view) this.client.input(this.view, bytes);
  }

  private tell(request: Parameters<Client['request']>[1]): void {
    if (this.view) this.client.request('done', request).catch(() => {});
  }

  private request(): void {
    const { size, session } = this;
    const view = this.client.takeView({
      onOutput: (output) => {
        try {
          if (this.collector?.take(output)) this.credit.done(output.bytes.length);
        } catch {
          this.reopen();
        }
      },
      onEvent: (event) => this.event(event),
    });
    this.view = view;
    this.held = false;
    this.credit = new Credit((bytes) => this.client.credit(view, bytes));
    const credit = this.credit;
    this.collector = new SnapshotCollector(
      (snapshot) => this.sink.onSnapshot(snapshot),
      (bytes) => this.sink.onBytes(bytes, () => this.view === view && credit.done(bytes.length)),
    );
    this.client
      .request(
        'view',
        { method: 'open_view', params: { session, view, size, focus: this.focused, credit: WINDOW } },
        (opened) => {
          if (this.view !== view) return;
          this.sink.onSize(opened.size);
          this.sink.onOpen(true);
        },
      )
      .then(() => {
        // What changed while the view was being opened.
        if (this.view !== view) return;
        if (this.size !== size) this.tell({ method: 'resize_view', params: { view, size: this.size } });
        if (this.focused) this.tell({ method: 'focus_view', params: { view, focused: true } });
      })
      .catch((error: Error) => {
        if (this.view !== view) return;
        this.forget();
        this.sink.onOpen(false, error.message);
      });
  }

  private event(event: Event): void {
    switch (event.event) {
      case 'view_size':
        this.sink.onSize(event.size);
        break;
      case 'view_keyboard':
        this.sink.onKeyboard(event.kitty);
        break;
      case 'clipboard_write':
        this.sink.onClipboard(event.text);
        break;
      case 'view_closed':
        this.forget();
        this.sink.onOpen(false, event.why);
        break;
      default:
    }
  }

  private forget(): number {
    const { view } = this;
    this.client.releaseView(view);
    this.view = 0;
    this.collector = undefined;
    return view;
  }
}
