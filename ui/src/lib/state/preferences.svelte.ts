import type { Settings as Values, ThemeChoice } from '../client/generated/protocol';
import { FONT_SIZE, type TerminalPreferences } from '../terminal/preferences';
import { DARK, LIGHT, type Palette } from '../terminal/theme';
import { themeNamed } from '../terminal/themes';
import type { OwnThemes } from './own-themes.svelte';
import type { Settings } from './settings.svelte';

export type { ThemeChoice } from '../client/generated/protocol';

interface Wanted {
  theme: ThemeChoice;
  terminalDark: string;
  terminalLight: string;
  scale: number;
  fontFamily: string | null;
  fontSize: number;
  copyOnSelect: boolean;
  screenReader: boolean;
  renderer: TerminalPreferences['renderer'];
  messageBox: boolean;
}

const USUAL: Wanted = {
  theme: 'system',
  terminalDark: 'belfry-dark',
  terminalLight: 'belfry-light',
  scale: 100,
  fontFamily: null,
  fontSize: FONT_SIZE.usual,
  copyOnSelect: false,
  screenReader: false,
  renderer: 'auto',
  messageBox: true,
};
/** A copy for the first paint, before the daemon has answered; it is never the truth. */
const FIRST_PAINT = 'belfry.preferences';

/** Where each lies in the settings. */
const PATHS: Readonly<Record<keyof Wanted, readonly string[]>> = {
  theme: ['appearance', 'theme'],
  terminalDark: ['appearance', 'terminal_dark'],
  terminalLight: ['appearance', 'terminal_light'],
  scale: ['appearance', 'scale'],
  fontFamily: ['fonts', 'family'],
  fontSize: ['fonts', 'size'],
  copyOnSelect: ['terminal', 'copy_on_select'],
  screenReader: ['terminal', 'screen_reader'],
  renderer: ['terminal', 'renderer'],
  messageBox: ['terminal', 'message_box'],
};

/** How the person wants the window and its terminals to look and behave: the part of the settings that it draws with. */
export class Preferences {
  private readonly media = matchMedia('(prefers-color-scheme: dark)');
  private systemDark = $state(this.media.matches);
  private wanted = $state.raw<Wanted>(USUAL);
  readonly dark = $derived(this.wanted.theme === 'system' ? this.systemDark : this.wanted.theme === 'dark');
  readonly palette: Palette = $derived.by(() => {
    const name = this.dark ? this.wanted.terminalDark : this.wanted.terminalLight;
    return this.own.get(name)?.palette ?? themeNamed(name)?.palette ?? (this.dark ? DARK : LIGHT);
  });
  readonly terminal: TerminalPreferences = $derived.by(() => ({
    fontFamily: this.wanted.fontFamily,
    fontSize: this.wanted.fontSize,
    zoom: this.zooms ? this.wanted.scale / 100 : 1,
    palette: this.palette,
    copyOnSelect: this.wanted.copyOnSelect,
    screenReader: this.wanted.screenReader,
    renderer: this.wanted.renderer,
  }));

  constructor(
    private readonly settings: () => Settings,
    private readonly own: OwnThemes,
    /** The window can be drawn larger as a whole. */
    readonly zooms: boolean,
  ) {
    this.media.addEventListener('change', ({ matches }) => (this.systemDark = matches));
    try {
      this.wanted = checked(JSON.parse(localStorage.getItem(FIRST_PAINT) ?? 'null'));
    } catch {
      // No storage, or nonsense in it: the usual preferences are a fine first paint.
    }
  }

  get theme(): ThemeChoice {
    return this.wanted.theme;
  }

  /** The terminals' theme, by its id. */
  get terminalTheme(): string {
    return this.dark ? this.wanted.terminalDark : this.wanted.terminalLight;
  }

  /** Percent. */
  get scale(): number {
    return this.wanted.scale;
  }

  /** Agents' terminals have a box for messages under them. */
  get messageBox(): boolean {
    return this.wanted.messageBox;
  }

  /** The settings have come, or have changed. */
  take({ appearance, fonts, terminal }: Values): void {
    this.wanted = checked({
      theme: appearance.theme,
      terminalDark: appearance.terminal_dark,
      terminalLight: appearance.terminal_light,
      scale: appearance.scale,
      fontFamily: fonts.family,
      fontSize: fonts.size,
      copyOnSelect: terminal.copy_on_select,
      screenReader: terminal.screen_reader,
      renderer: terminal.renderer,
      messageBox: terminal.message_box,
    });
    try {
      localStorage.setItem(FIRST_PAINT, JSON.stringify(this.wanted));
    } catch {
      // Without storage the first paint follows the system.
    }
  }

  set(part: Partial<Wanted>): void {
    const next = checked({ ...this.wanted, ...part });
    for (const name of Object.keys(part) as (keyof Wanted)[]) {
      if (next[name] !== this.wanted[name]) void this.settings().change(PATHS[name], next[name]);
    }
  }
}

function checked(value: unknown): Wanted {
  const from = (typeof value === 'object' && value !== null ? value : {}) as Partial<
    Record<keyof Wanted, unknown>
  >;
  const oneOf = <T extends string>(wanted: unknown, known: readonly T[], usual: T): T =>
    known.find((one) => one === wanted) ?? usual;
  const text = (wanted: unknown, usual: string) => (typeof wanted === 'string' && wanted ? wanted : usual);
  const number = (wanted: unknown, usual: number, least: number, most: number) =>
    typeof wanted === 'number' && Number.isFinite(wanted)
      ? Math.min(most, Math.max(least, Math.round(wanted)))
      : usual;
  return {
    theme: oneOf(from.theme, ['system', 'dark', 'light'], USUAL.theme),
    terminalDark: text(from.terminalDark, USUAL.terminalDark),
    terminalLight: text(from.terminalLight, USUAL.terminalLight),
    scale: number(from.scale, USUAL.scale, 100, 200),
    fontFamily: typeof from.fontFamily === 'string' && from.fontFamily.trim() ? from.fontFamily : null,
    fontSize: number(from.fontSize, USUAL.fontSize, FONT_SIZE.smallest, FONT_SIZE.largest),
    copyOnSelect: from.copyOnSelect === true,
    screenReader: from.screenReader === true,
    renderer: oneOf(from.renderer, ['auto', 'dom', 'webgl'], USUAL.renderer),
    messageBox: from.messageBox !== false,
  };
}
