import type { Size } from '../client/generated/protocol';
import { wake } from './internals';
import type { TerminalPreferences } from './preferences';
import { Screen } from './screen';

/** Screens that wait: one for the next session that is shown, and one for a pane that is split off or a second click. */
const READY = 2;

/**
 * What agents and shells print most, in the cuts that they print it in. The terminal measures each character of each cut
 * when it first draws it, and lays the whole page out for that.
 */
const USUAL = (() => {
  const ascii = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join('');
  const signs = '─│╭╮╰╯┌┐└┘├┤┬┴┼━█▀▄▌▐░▒▓▏▎▔▁●○◐◯✓✔✗✘❯›»•·…—–→←↑↓⏵⏺⎿✻✽✶✳✢⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏★☐☑☒⚠';
  return `\x1b[H${ascii}\r\n${signs}\r\n\x1b[1m${ascii}\r\n${signs}\x1b[m`;
})();

/**
 * Screens that are ready for the next session. Building one, opening it in the page and measuring its characters takes
 * longer than all else that showing a session takes, so those that are done with are cleaned and used again.
 */
export class ScreenPool {
  private readonly ready: Screen[] = [];
  private storing = 0;
  private readonly shelf = document.createElement('div');

  constructor(private readonly preferences: () => TerminalPreferences) {
    const { style } = this.shelf;
    // In sight for the browser, or nothing would be drawn and measured there; not for anybody else.
    style.cssText =
      'position: fixed; inset: 0; overflow: hidden; visibility: hidden; pointer-events: none; z-index: -1';
    this.shelf.inert = true;
    this.shelf.ariaHidden = 'true';
  }

  /** One that may have the preferences of a while ago: they are applied in the page, where characters can be measured. */
  take(): Screen {
    return this.ready.pop() ?? new Screen(this.preferences());
  }

  /** Takes a screen back that nobody shows any more. */
  give(screen: Screen): void {
    if (screen.broken || !screen.terminal.element || this.full) screen.dispose();
    else void this.store(screen);
  }

  /** Builds one where one is missing, with the size that it will probably have. Takes a while: for a quiet moment. */
  restock(size: Size): void {
    if (this.full) return;
    const screen = new Screen(this.preferences());
    screen.terminal.resize(size.cols, size.rows);
    screen.open(this.shelf);
    void this.store(screen, USUAL);
  }

  private get full(): boolean {
    // A terminal that is read out keeps what it said in places of its own.
    return this.ready.length + this.storing >= READY || this.preferences().screenReader;
  }

  private async store(screen: Screen, text = ''): Promise<void> {
    const { terminal } = screen;
    const { element } = terminal;
    if (!element) return;
    this.storing += 1;
    document.body.append(this.shelf);
    this.shelf.append(element);
    wake(terminal);
    const drawn = () =>
      new Promise<void>((resolve) => {
        const render = terminal.onRender(() => {
          render.dispose();
          resolve();
        });
        terminal.refresh(0, terminal.rows - 1);
      });
    if (text) {
      await new Promise<void>((resolve) => terminal.write(text, resolve));
      await drawn();
    }
    await new Promise<void>((resolve) => screen.clean(resolve));
    // Its rows hold what was drawn last, and nobody shall see that in another session.
    await drawn();
    this.storing -= 1;
    element.remove();
    if (this.storing === 0) this.shelf.remove();
    if (screen.broken) screen.dispose();
    else this.ready.push(screen);
  }
}
