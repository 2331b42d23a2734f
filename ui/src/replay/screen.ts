import type { Terminal } from '@xterm/xterm';
import { holdPainting, wake } from '$lib/terminal/internals';
import { SCROLL_BAR } from '$lib/terminal/measure';
import type { TerminalPreferences } from '$lib/terminal/preferences';
import { Renderer } from '$lib/terminal/renderer';
import { applyPreferences, Screen } from '$lib/terminal/screen';
import type { Line } from './player';

/** Characters that are not parsed yet, above which nothing more is given to it. */
const BUSY = 512 * 1024;

/** Below this a terminal that is too large is scrolled to, and not made smaller. */
const SMALLEST = 0.55;

/** Ends what a program may have left open, and begins anew, in the colours that it had. */
const FRESH = '\x18\x1bc\x1b[?25h\x1b]104\x07\x1b]110\x07\x1b]111\x07\x1b]112\x07';

/** Modes by which a program takes the mouse: nobody can use it in a recording but to select. */
const MOUSE: ReadonlySet<unknown> = new Set([9, 1000, 1001, 1002, 1003, 1005, 1006, 1015, 1016]);

/** The terminal that a recording is shown in. It takes no keys, answers nothing and opens nothing. */
export class ReplayScreen {
  private readonly screen: Screen;
  private readonly renderer: Renderer;
  private readonly observer = new ResizeObserver(() => this.fit());
  private unparsed = 0;
  private disposed = false;

  constructor(
    private readonly host: HTMLElement,
    private readonly frame: HTMLElement,
    preferences: TerminalPreferences,
    private readonly heard: { thrown(): void; drained(): void },
  ) {
    this.screen = new Screen(preferences);
    // No port leads to the clipboard or to a link.
    this.screen.ports = {
      onLinkHover: () => {},
      onLinkClick: () => {},
      onOtherKeys: () => {},
      onThrown: () => this.threw(),
    };
    const { terminal } = this;
    terminal.options.disableStdin = true;
    terminal.options.cursorInactiveStyle = 'block';
    terminal.attachCustomKeyEventHandler(() => false);
    terminal.parser.registerCsiHandler({ prefix: '?', final: 'h' }, (modes) =>
      modes.every((mode) => MOUSE.has(mode)),
    );
    // Not as a session's terminal does: its style sheets go when it goes.
    terminal.open(frame);
    const { textarea } = terminal;
    if (textarea) {
      textarea.tabIndex = -1;
      textarea.readOnly = true;
    }
    this.renderer = new Renderer(terminal);
    void this.renderer.show('dom');
    wake(terminal);
    this.observer.observe(host);
  }

  get terminal(): Terminal {
    return this.screen.terminal;
  }

  /** So much waits to be parsed that more would only pile up. */
  get busy(): boolean {
    return this.unparsed > BUSY;
  }

  /** Puts it on the screen, after all that was given before. */
  show(lines: readonly Line[]): void {
    for (const line of lines) {
      if (line.is === 'resize') this.write('', () => this.resize(line.cols, line.rows));
      else if (line.is === 'output') this.write(line.text);
      else this.picture(line);
    }
  }

  select(): string {
    return this.terminal.getSelection();
  }

  apply(preferences: TerminalPreferences): void {
    applyPreferences(this.terminal, preferences);
    this.fit();
  }

  dispose(): void {
    this.disposed = true;
    this.observer.disconnect();
    this.renderer.hide();
    this.screen.dispose();
    this.frame.replaceChildren();
  }

  private picture(line: Extract<Line, { is: 'picture' }>): void {
    let release = () => {};
    this.write('', () => {
      release = holdPainting(this.terminal);
      this.resize(line.cols, line.rows);
    });
    this.write(FRESH);
    this.write(line.text, () => {
      release();
      this.terminal.scrollToBottom();
      this.terminal.refresh(0, this.terminal.rows - 1);
      this.fit();
    });
  }

  private write(text: string, done?: () => void): void {
    if (this.disposed || this.screen.broken) return;
    this.unparsed += text.length;
    this.terminal.write(text, () => {
      this.unparsed -= text.length;
      if (this.disposed) return;
      done?.();
      if (this.unparsed === 0) this.heard.drained();
    });
  }

  private resize(cols: number, rows: number): void {
    if (cols < 1 || rows < 1) return;
    if (cols !== this.terminal.cols || rows !== this.terminal.rows) this.terminal.resize(cols, rows);
    this.fit();
  }

  /** Small enough to be seen whole, or as small as can be read. */
  private fit(): void {
    const { frame, host, terminal } = this;
    const screen = terminal.element?.querySelector<HTMLElement>('.xterm-screen');
    if (this.disposed || !screen?.offsetWidth || !screen.offsetHeight || !host.clientWidth) return;
    const width = screen.offsetWidth + SCROLL_BAR;
    const height = screen.offsetHeight;
    const style = getComputedStyle(host);
    const room = {
      width: host.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight),
      height: host.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom),
    };
    const whole = Math.min(1, room.width / width, room.height / height);
    const scale = Math.max(SMALLEST, whole);
    frame.style.width = `${width}px`;
    frame.style.height = `${height}px`;
    frame.style.transform = scale < 1 ? `scale(${scale})` : '';
    // What is made smaller takes the room that it is seen to take.
    frame.style.marginRight = `${(scale - 1) * width}px`;
    frame.style.marginBottom = `${(scale - 1) * height}px`;
    host.classList.toggle('clipped', whole < SMALLEST);
    host.classList.toggle(
      'smaller',
      room.width - width * scale > width / terminal.cols ||
        room.height - height * scale > height / terminal.rows,
    );
    // With two rows under the cursor, where prompts have their hints.
    const row = (height / terminal.rows) * scale;
    if (whole < SMALLEST) host.scrollTop = (terminal.buffer.active.cursorY + 3) * row - host.clientHeight;
  }

  private threw(): void {
    queueMicrotask(() => {
      if (!this.disposed) this.heard.thrown();
    });
  }
}
