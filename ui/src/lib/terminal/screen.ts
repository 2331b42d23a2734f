import { SearchAddon } from '@xterm/addon-search';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal, type IDisposable } from '@xterm/xterm';
import { guardParsing, silenceReplies } from './internals';
import { drawnFontSize } from './measure';
import { fontFamily, type TerminalPreferences } from './preferences';
import { swallowQueries } from './queries';
import { xtermTheme } from './theme';

export interface ScreenPorts {
  /** The pointer is over a link (null: over none), and the person may want to know where it leads. */
  onLinkHover(address: string | null): void;
  onLinkClick(event: MouseEvent, address: string): void;
  /** The program set xterm's modifyOtherKeys level. */
  onOtherKeys(level: number): void;
  /** The terminal threw while parsing, and what it shows cannot be trusted. */
  onThrown(error: unknown): void;
}

/** Lines above the screen that are kept; as many as the daemon keeps. */
const SCROLLBACK = 10_000;

/**
 * Programs put text on any of the sixteen colours, and choose the pair for another palette than this. What cannot be
 * read is shifted until it can; on a light ground, where more goes wrong, by more.
 */
function contrastRatio({ palette }: TerminalPreferences): number {
  return palette.dark ? 3 : 4.5;
}

/**
 * What ends whatever a program may have left open, half a character and half a sequence too, and brings back what a reset
 * alone does not: the cursor, the palette, the text's, the ground's and the cursor's colour. As bytes, since text has a
 * decoder of its own.
 */
const CLEAN = new TextEncoder().encode('\x18\x1bc\x1b[?25h\x1b]104\x07\x1b]110\x07\x1b]111\x07\x1b]112\x07');

/** A terminal with what every view of ours needs. Nothing here knows where its bytes come from. */
export class Screen {
  readonly terminal: Terminal;
  readonly search = new SearchAddon({ highlightLimit: 2000 });
  /** Whoever has it; nobody, while it waits for a session. */
  ports: ScreenPorts | undefined;
  /** It threw once, and is not used again. */
  broken = false;
  private readonly held: IDisposable[] = [];

  constructor(preferences: TerminalPreferences) {
    this.terminal = createTerminal(preferences, {
      onLinkHover: (address) => this.ports?.onLinkHover(address),
      onLinkClick: (event, address) => this.ports?.onLinkClick(event, address),
      onOtherKeys: (level) => this.ports?.onOtherKeys(level),
      onThrown: (error) => {
        this.broken = true;
        this.ports?.onThrown(error);
      },
    });
    this.terminal.loadAddon(this.search);
  }

  /**
   * Opens it in the page. Its style sheets go to the page's own and stay there: for each one that comes or goes with its
   * terminal, or is written anew, the web view works out the style of everything in the window again (WebKitGTK: 20 ms).
   */
  open(parent: HTMLElement): void {
    this.terminal.open(parent);
    for (const sheet of this.terminal.element?.querySelectorAll('style') ?? []) {
      keepSame(sheet);
      document.head.append(sheet);
    }
  }

  /** Listens in one session's name, until the screen is cleaned. */
  hold(...listeners: IDisposable[]): void {
    this.held.push(...listeners);
  }

  /** Takes all that one session has left in it away. `done` is called once that is so, after whatever still had to be parsed. */
  clean(done: () => void): void {
    const { terminal } = this;
    this.ports = undefined;
    this.held.splice(0).forEach((listener) => listener.dispose());
    terminal.attachCustomKeyEventHandler(() => true);
    terminal.write(CLEAN, () => {
      this.search.clearDecorations();
      terminal.clearSelection();
      // What was selected last, where middle clicks paste that.
      if (terminal.textarea) terminal.textarea.value = '';
      // Links are looked for once for each line, until there is another size.
      terminal.resize(terminal.cols, terminal.rows + 1);
      terminal.resize(terminal.cols, terminal.rows - 1);
      done();
    });
  }

  dispose(): void {
    this.ports = undefined;
    this.terminal.dispose();
  }
}

/** Lets only another text be written: at each change of size the terminal writes its rules as they were. */
function keepSame(sheet: HTMLStyleElement): void {
  let text = sheet.textContent;
  Object.defineProperty(sheet, 'textContent', {
    get: () => text,
    set(wanted: string) {
      if (wanted === text) return;
      text = wanted;
      sheet.replaceChildren(wanted);
    },
  });
}

/** In the page's own pixels. The web views' zoom (WebKit's, on Linux and macOS) leaves `devicePixelRatio` as it is. */
function fontSize({ fontSize, zoom }: TerminalPreferences): number {
  return drawnFontSize(fontSize / zoom, window.devicePixelRatio * zoom);
}

function createTerminal(preferences: TerminalPreferences, ports: ScreenPorts): Terminal {
  const terminal = new Terminal({
    allowProposedApi: true,
    cursorBlink: false,
    cursorInactiveStyle: 'outline',
    drawBoldTextInBrightColors: false,
    fontFamily: fontFamily(preferences),
    fontSize: fontSize(preferences),
    fontWeightBold: '700',
    macOptionClickForcesSelection: true,
    minimumContrastRatio: contrastRatio(preferences),
    rightClickSelectsWord: false,
    screenReaderMode: preferences.screenReader,
    scrollback: SCROLLBACK,
    scrollOnUserInput: true,
    smoothScrollDuration: 0,
    theme: xtermTheme(preferences.palette),
    overviewRuler: { width: 10 },
    // A web page's own links come through the program; only the schemes of links.ts are ever opened.
    linkHandler: {
      allowNonHttpProtocols: true,
      activate: (event, address) => ports.onLinkClick(event, address),
      hover: (_, address) => ports.onLinkHover(address),
      leave: () => ports.onLinkHover(null),
    },
  });
  terminal.loadAddon(new Unicode11Addon());
  // The same width tables as the daemon's engine, or lines would shift.
  terminal.unicode.activeVersion = '11';
  terminal.loadAddon(
    new WebLinksAddon((event, address) => ports.onLinkClick(event, address), {
      hover: (_, address) => ports.onLinkHover(address),
      leave: () => ports.onLinkHover(null),
    }),
  );
  silenceReplies(terminal);
  swallowQueries(terminal);
  guardParsing(terminal, ports.onThrown);
  terminal.parser.registerCsiHandler({ prefix: '>', final: 'm' }, (params) => {
    if (params[0] === 4) ports.onOtherKeys(typeof params[1] === 'number' ? params[1] : 0);
    return true;
  });
  return terminal;
}

/** Applies what can change while the terminal lives. */
export function applyPreferences(terminal: Terminal, preferences: TerminalPreferences): void {
  const { options } = terminal;
  options.theme = xtermTheme(preferences.palette);
  options.minimumContrastRatio = contrastRatio(preferences);
  options.screenReaderMode = preferences.screenReader;
  const size = fontSize(preferences);
  if (options.fontSize !== size) options.fontSize = size;
  const family = fontFamily(preferences);
  if (options.fontFamily !== family) options.fontFamily = family;
}
