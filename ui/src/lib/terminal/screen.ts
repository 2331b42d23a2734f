import { SearchAddon } from '@xterm/addon-search';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal } from '@xterm/xterm';
import { guardParsing, silenceReplies } from './internals';
import { drawnFontSize } from './measure';
import type { TerminalPreferences } from './preferences';
import { swallowQueries } from './queries';
import { xtermTheme } from './theme';

export interface Screen {
  terminal: Terminal;
  search: SearchAddon;
}

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

/** A terminal with what every view of ours needs. Nothing here knows where its bytes come from. */
export function createScreen(preferences: TerminalPreferences, ports: ScreenPorts): Screen {
  const terminal = new Terminal({
    allowProposedApi: true,
    cursorBlink: false,
    cursorInactiveStyle: 'outline',
    drawBoldTextInBrightColors: false,
    fontFamily: '"JetBrains Mono", "Belfry Symbols", ui-monospace, "DejaVu Sans Mono", monospace',
    fontSize: drawnFontSize(preferences.fontSize, window.devicePixelRatio),
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
  const search = new SearchAddon({ highlightLimit: 2000 });
  terminal.loadAddon(search);
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
  return { terminal, search };
}

/** Applies what can change while the terminal lives. */
export function applyPreferences(terminal: Terminal, preferences: TerminalPreferences): void {
  const { options } = terminal;
  options.theme = xtermTheme(preferences.palette);
  options.minimumContrastRatio = contrastRatio(preferences);
  options.screenReaderMode = preferences.screenReader;
  const size = drawnFontSize(preferences.fontSize, window.devicePixelRatio);
  if (options.fontSize !== size) options.fontSize = size;
}
