import type { Client } from '../client/client';
import type { Size } from '../client/generated/protocol';
import type { Surroundings } from '../client/transport';
import { goToAnchor, takeAnchor, type Anchor } from './anchor';
import { ViewChannel } from './channel';
import { TerminalInput } from './input';
import { fieldToCursor, wake } from './internals';
import { fit, fitInto, SCROLL_BAR, SMALLEST_PICTURE } from './measure';
import type { TerminalPreferences } from './preferences';
import { Renderer } from './renderer';
import type { ScreenPool } from './pool';
import { applyPreferences, type Screen } from './screen';
import type { Snapshot } from './snapshot';
import { openable } from './links';
import { writeSnapshot } from './writer';
import { say } from '../words';

/** Lines above the screen that a first snapshot has, and how near its top the rest is asked for. */
const FIRST_LINES = 500;
const NEAR_TOP = 40;
/** A terminal that throws this often within {@link THROW_SPAN} milliseconds is not opened again by itself. */
const MAX_THROWS = 3;
const THROW_SPAN = 10_000;

export interface ViewPorts {
  client: Client;
  surroundings: Surroundings;
  mac: boolean;
  preferences(): TerminalPreferences;
  /** Asks the person; the text is what would be typed. */
  confirmPaste(text: string): Promise<boolean>;
  notify(text: string): void;
  /** What is on the clipboard is no text. Null: no event of the browser's says so. */
  pasteFiles(session: string, transfer: DataTransfer | null): Promise<void>;
  /** Shift Enter makes a new line in this session's program, which knows no keyboard protocol. */
  newlineKey(session: string): boolean;
}

export interface ViewState {
  /** Its first snapshot is in. */
  shown: boolean;
  /** Why there is nothing to show. */
  problem: string | undefined;
  /** The session's size is another client's. */
  foreign: Size | undefined;
  scrolledUp: boolean;
  /** Where the link under the pointer leads. */
  link: string | undefined;
}

/** One session's terminal in this window. It outlives the components that show it. */
export class TerminalView {
  readonly element = document.createElement('div');
  state: ViewState = {
    shown: false,
    problem: undefined,
    foreign: undefined,
    scrolledUp: false,
    link: undefined,
  };
  private readonly listeners = new Set<() => void>();
  private readonly channel: ViewChannel;
  private readonly input: TerminalInput;
  private readonly sizeObserver = new ResizeObserver(() => this.refit());
  screen: Screen;
  private renderer: Renderer;
  private host: HTMLElement | undefined;
  /** Shown whole, however small, and in the size that the session has. */
  private small = false;
  private throws: number[] = [];
  private full = false;
  private asked = false;
  private broken = false;
  private disposed = false;
  /** Where the person looks, further back than what is there; gone to when that comes. */
  private anchor: Anchor | undefined;

  constructor(
    readonly session: string,
    private readonly ports: ViewPorts,
    private readonly screens: ScreenPool,
  ) {
    this.element.className = 'terminal-view';
    this.channel = new ViewChannel(ports.client, session, {
      onSize: (size) => this.terminal.write('', () => !this.disposed && this.resized(size)),
      onSnapshot: (snapshot) => this.snapshot(snapshot),
      onBytes: (bytes, parsed) => (this.broken ? parsed() : this.terminal.write(bytes, parsed)),
      onKeyboard: (flags) => this.input.setKitty(flags),
      onClipboard: (text) => this.clipboard(text),
      onOpen: (open, why) => this.change({ problem: open ? undefined : why }),
    });
    this.input = new TerminalInput(this, ports, (bytes) => {
      this.anchor = undefined;
      this.channel.input(bytes);
    });
    [this.screen, this.renderer] = this.build();
    // Not focusin and focusout: WebKit sends neither when the window itself gains or loses the keyboard.
    this.element.addEventListener('focus', () => this.channel.focus(true), true);
    this.element.addEventListener('blur', () => this.channel.focus(false), true);
  }

  get terminal(): Screen['terminal'] {
    return this.screen.terminal;
  }

  get search(): Screen['search'] {
    return this.screen.search;
  }

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Asks the daemon for what is to be seen, for a view that is about to be shown at that size: the answer comes while its
   * place in the window is made.
   */
  prepare(size: Size, focused: boolean): void {
    if (this.host) return;
    this.channel.focus(focused);
    this.channel.open(size);
  }

  /**
   * Shows the view in a host; a snapshot brings it up to date. One that comes from another host goes on as it is: it is not
   * opened again. With `small`, the size of its session, it is a picture that leaves that size as it is.
   */
  attach(host: HTMLElement, small?: Size): void {
    if (this.host === host) return;
    const { focused } = this;
    const moves = this.host !== undefined;
    this.sizeObserver.disconnect();
    this.host = host;
    this.small = small !== undefined;
    host.append(this.element);
    if (!this.terminal.element) this.screen.open(this.element);
    else {
      if (!moves) applyPreferences(this.terminal, this.ports.preferences());
      wake(this.terminal);
    }
    this.input.connect();
    this.sizeObserver.observe(host);
    if (small) this.renderer.hide();
    void this.renderer.show(small ? 'dom' : this.ports.preferences().renderer);
    if (moves) this.refit();
    else if (small) this.channel.open(small);
    else this.resume();
    if (focused && !small) this.focus();
    if (!moves) return;
    this.forgetFocus();
    this.channel.focus(this.focused && document.hasFocus());
  }

  /** Takes the view out of its host. What it last showed is kept, and the daemon sends nothing more. */
  detach(): void {
    if (!this.host) return;
    this.sizeObserver.disconnect();
    if (this.focused) this.terminal.blur();
    this.forgetFocus();
    this.channel.focus(false);
    this.suspend();
    this.renderer.hide();
    this.element.remove();
    this.host = undefined;
  }

  /** Not every engine tells an element that was taken out of the page that it has lost the keyboard. */
  private forgetFocus(): void {
    const { element, textarea } = this.terminal;
    if (!this.focused && element?.classList.contains('focus'))
      textarea?.dispatchEvent(new FocusEvent('blur'));
  }

  /** Stops the flow while nobody can see the window. */
  suspend(): void {
    this.channel.close();
  }

  resume(): void {
    if (!this.host) return;
    const { cols, rows } = this.terminal;
    this.channel.open((this.small ? undefined : this.room()) ?? { cols, rows });
  }

  /** After {@link prepare}: takes back what did not come about. */
  settle(): void {
    this.channel.focus(this.focused && document.hasFocus());
    if (!this.host) this.suspend();
  }

  /** The size of its pane, while it is shown. */
  get paneSize(): Size | undefined {
    return this.host ? this.channel.wantedSize : undefined;
  }

  dispose(): void {
    this.detach();
    this.disposed = true;
    this.channel.dispose();
    this.screens.give(this.screen);
    this.listeners.clear();
  }

  focus(): void {
    this.terminal.focus();
  }

  get focused(): boolean {
    return this.element.contains(document.activeElement);
  }

  /** The person wants the session to have this view's size. */
  claimSize(): void {
    this.channel.claimSize();
    this.focus();
  }

  toBottom(): void {
    this.anchor = undefined;
    this.terminal.scrollToBottom();
    this.focus();
  }

  /** Opens the view again after a problem. */
  retry(): void {
    this.throws = [];
    this.change({ problem: undefined });
    this.channel.close();
    this.resume();
  }

  /** Brings the whole scrollback in, where only its newest lines are there. */
  loadScrollback(): void {
    const { baseY, type } = this.terminal.buffer.active;
    if (type !== 'normal' || baseY < FIRST_LINES / 2 || this.full || this.asked) return;
    this.asked = true;
    this.channel.fetchScrollback();
  }

  async copy(): Promise<boolean> {
    const text = this.terminal.getSelection();
    if (text) await this.ports.surroundings.writeClipboard(text);
    return text !== '';
  }

  /** Types a text in, as a paste. */
  paste(text: string): void {
    this.input.paste(text);
  }

  /** Pastes from the clipboard; false where only the browser itself can, by its own paste event. */
  pasteClipboard(primary = false): boolean {
    const read = this.ports.surroundings.readClipboard;
    if (!read) return false;
    const paste = async () => {
      const text = await read(primary);
      if (text || primary) this.input.paste(text);
      else await this.ports.pasteFiles(this.session, null);
    };
    paste().catch(() => this.ports.notify(say.terminal.theClipboardCouldNotBeRead));
    return true;
  }

  applyPreferences(): void {
    applyPreferences(this.terminal, this.ports.preferences());
    this.refit();
  }

  private build(): [Screen, Renderer] {
    const screen = this.screens.take();
    screen.ports = {
      onLinkHover: (address) => this.change({ link: address ?? undefined }),
      onLinkClick: (event, address) => this.follow(event, address),
      onOtherKeys: (level) => this.input.setOtherKeys(level),
      onThrown: () => this.threw(),
    };
    const { terminal } = screen;
    if (terminal.element) this.element.append(terminal.element);
    screen.hold(
      terminal.onScroll(() => this.scrolled()),
      terminal.onWriteParsed(() => this.scrolled()),
      terminal.onSelectionChange(() => this.scrolled()),
    );
    return [screen, new Renderer(terminal)];
  }

  private snapshot(snapshot: Snapshot): void {
    if (this.broken) return;
    writeSnapshot(this.terminal, snapshot, this.anchor, (missed) => {
      if (this.disposed) return;
      this.full = snapshot.full;
      this.asked = false;
      // A first snapshot has the newest lines only.
      this.anchor = snapshot.full ? undefined : missed;
      if (this.anchor) this.loadScrollback();
      if (!this.asked) this.anchor = undefined;
      this.place();
      this.change({ shown: true });
    });
  }

  private scrolled(): void {
    const { baseY, viewportY } = this.terminal.buffer.active;
    const scrolledUp = viewportY < baseY;
    this.channel.hold(scrolledUp || this.terminal.hasSelection());
    if (scrolledUp !== this.state.scrolledUp) this.change({ scrolledUp });
    if (scrolledUp && viewportY <= NEAR_TOP) this.loadScrollback();
    if (this.small) this.shrink();
  }

  private room(): Size | undefined {
    const { host } = this;
    if (!host) return undefined;
    const style = getComputedStyle(host);
    // With its scroll bars: they come and go with the size that is reckoned here.
    const width =
      host.offsetWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - SCROLL_BAR;
    const height = host.offsetHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
    return fit(this.terminal, width, height);
  }

  private refit(): void {
    const room = this.small ? undefined : this.room();
    if (room) this.channel.resize(room);
    this.place();
  }

  private resized(size: Size): void {
    const anchor = takeAnchor(this.terminal);
    this.terminal.resize(size.cols, size.rows);
    fieldToCursor(this.terminal);
    if (anchor) goToAnchor(this.terminal, anchor);
    // What it asks for is what is there, whoever made it so.
    if (this.small) this.channel.resize(size);
    this.place();
  }

  /** A terminal of another size than the pane's is made smaller while it can be read; what then has no room is scrolled to. */
  private place(): void {
    if (this.small) return this.shrink();
    const room = this.room();
    const { cols, rows } = this.terminal;
    // While the daemon follows this view's own resize the two differ for a moment; smaller by a cell is not worth a hint.
    const foreign = room && (cols !== room.cols || rows !== room.rows) ? { cols, rows } : undefined;
    const { scale, clipped } = room ? fitInto(room, { cols, rows }) : { scale: 1, clipped: false };
    this.element.style.transform = scale < 1 ? `scale(${scale})` : '';
    this.clip(clipped, scale);
    const known = this.state.foreign;
    if (known?.cols !== foreign?.cols || known?.rows !== foreign?.rows) this.change({ foreign });
  }

  /** As much of the terminal as can be read in its host: whole lines where that is possible, and those around the cursor. */
  private shrink(): void {
    const { host, element, terminal } = this;
    const screen = terminal.element?.querySelector<HTMLElement>('.xterm-screen');
    if (!host || !screen?.offsetWidth || !screen.offsetHeight) return;
    const { offsetWidth: width, offsetHeight: height } = screen;
    const whole = Math.min(host.clientWidth / width, host.clientHeight / height);
    const scale = Math.min(1, Math.max(whole, SMALLEST_PICTURE, host.clientWidth / width));
    element.style.width = `${width + SCROLL_BAR}px`;
    element.style.height = `${height}px`;
    const { cursorY, baseY, viewportY } = terminal.buffer.active;
    const row = height / terminal.rows;
    // With what prompts have under them.
    const needed = (cursorY + baseY - viewportY + 4) * row;
    const room = host.clientHeight / scale;
    const up = Math.max(0, Math.min(needed, height) - room);
    const transform = `scale(${scale}) translateY(${-up}px)`;
    if (element.style.transform !== transform) element.style.transform = transform;
    host.classList.remove('clipped');
    if (this.state.foreign) this.change({ foreign: undefined });
  }

  /** Lets the host scroll where the whole terminal has no room in it, with the cursor in sight to begin with. */
  private clip(clipped: boolean, scale: number): void {
    const { host, terminal } = this;
    const screen = terminal.element?.querySelector<HTMLElement>('.xterm-screen');
    if (!host || !screen) return;
    this.element.style.width = clipped ? `${screen.offsetWidth + SCROLL_BAR}px` : '';
    this.element.style.height = clipped ? `${screen.offsetHeight}px` : '';
    // Before it cannot be scrolled any more.
    if (!clipped) host.scrollTo(0, 0);
    host.classList.toggle('clipped', clipped);
    if (!clipped) return;
    const row = (screen.offsetHeight / terminal.rows) * scale;
    // With two rows under it, where prompts have their hints.
    host.scrollTop = Math.max(0, (terminal.buffer.active.cursorY + 4) * row - host.clientHeight);
  }

  private follow(event: MouseEvent, address: string): void {
    // A plain click belongs to the program and to selecting.
    if (!(this.ports.mac ? event.metaKey : event.ctrlKey)) return;
    const url = openable(address);
    if (!url) this.ports.notify(say.terminal.doesNotOpen(address.slice(0, 200)));
    else
      this.ports.surroundings.openLink(url).catch(() => this.ports.notify(say.terminal.couldNotOpenUrl(url)));
  }

  private clipboard(text: string): void {
    if (!this.focused) return;
    const { notify, surroundings } = this.ports;
    surroundings.writeClipboard(text).then(
      () => notify(say.terminal.putOnClipboard(text.length)),
      () => notify(say.terminal.theProgramWantedToPutTextOn),
    );
  }

  /** What the terminal shows is worth nothing now: another one takes its place, and a snapshot fills it. */
  private threw(): void {
    if (this.broken) return;
    this.broken = true;
    const now = performance.now();
    this.throws = this.throws.filter((at) => now - at < THROW_SPAN).concat(now);
    queueMicrotask(() => {
      const { focused, host } = this;
      this.screens.give(this.screen);
      this.element.replaceChildren();
      [this.screen, this.renderer] = this.build();
      this.broken = false;
      if (host) {
        this.host = undefined;
        if (this.throws.length > MAX_THROWS) {
          this.change({ problem: say.terminal.theTerminalCouldNotDrawWhatThe });
          return;
        }
        this.channel.close();
        this.attach(host, this.small ? { cols: this.terminal.cols, rows: this.terminal.rows } : undefined);
        if (focused) this.focus();
      }
    });
  }

  private change(part: Partial<ViewState>): void {
    this.state = { ...this.state, ...part };
    for (const listener of this.listeners) listener();
  }
}
