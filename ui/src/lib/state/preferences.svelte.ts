import type { Client } from '../client/client';
import { FONT_SIZE, type TerminalPreferences } from '../terminal/preferences';
import { DARK, LIGHT } from '../terminal/theme';
import { Setting } from './setting';

export type ThemeChoice = 'system' | 'dark' | 'light';

interface Stored {
  theme: ThemeChoice;
  fontSize: number;
  copyOnSelect: boolean;
  screenReader: boolean;
  renderer: TerminalPreferences['renderer'];
  messageBox: boolean;
}

const USUAL: Stored = {
  theme: 'system',
  fontSize: FONT_SIZE.usual,
  copyOnSelect: false,
  screenReader: false,
  renderer: 'auto',
  messageBox: true,
};
/** A copy for the first paint, before the daemon has answered; it is never the truth. */
const FIRST_PAINT = 'belfry.preferences';

/** How the person wants this window. */
export class Preferences {
  private readonly setting: Setting;
  private readonly media = matchMedia('(prefers-color-scheme: dark)');
  private systemDark = $state(this.media.matches);
  private stored = $state.raw<Stored>(USUAL);
  readonly dark = $derived(this.stored.theme === 'system' ? this.systemDark : this.stored.theme === 'dark');
  readonly terminal: TerminalPreferences = $derived({
    fontSize: this.stored.fontSize,
    palette: this.dark ? DARK : LIGHT,
    copyOnSelect: this.stored.copyOnSelect,
    screenReader: this.stored.screenReader,
    renderer: this.stored.renderer,
  });

  constructor(client: Client) {
    this.setting = new Setting(client, 'window.main.preferences');
    this.media.addEventListener('change', ({ matches }) => (this.systemDark = matches));
    try {
      this.stored = read(JSON.parse(localStorage.getItem(FIRST_PAINT) ?? 'null'));
    } catch {
      // No storage, or nonsense in it: the usual preferences are a fine first paint.
    }
  }

  get theme(): ThemeChoice {
    return this.stored.theme;
  }

  /** Agents' terminals have a box for messages under them. */
  get messageBox(): boolean {
    return this.stored.messageBox;
  }

  async load(): Promise<void> {
    const value = await this.setting.load().catch(() => null);
    if (value !== null) this.stored = read(value);
    this.remember();
  }

  set(part: Partial<Stored>): void {
    this.stored = read({ ...this.stored, ...part });
    this.setting.save(this.stored);
    this.remember();
  }

  private remember(): void {
    try {
      localStorage.setItem(FIRST_PAINT, JSON.stringify(this.stored));
    } catch {
      // Without storage the first paint follows the system.
    }
  }
}

function read(value: unknown): Stored {
  const from = (typeof value === 'object' && value !== null ? value : {}) as Partial<
    Record<keyof Stored, unknown>
  >;
  const oneOf = <T extends string>(wanted: unknown, known: readonly T[], usual: T): T =>
    known.find((one) => one === wanted) ?? usual;
  const size =
    typeof from.fontSize === 'number' && Number.isFinite(from.fontSize) ? from.fontSize : USUAL.fontSize;
  return {
    theme: oneOf(from.theme, ['system', 'dark', 'light'], USUAL.theme),
    fontSize: Math.min(FONT_SIZE.largest, Math.max(FONT_SIZE.smallest, Math.round(size))),
    copyOnSelect: from.copyOnSelect === true,
    screenReader: from.screenReader === true,
    renderer: oneOf(from.renderer, ['auto', 'dom', 'webgl'], USUAL.renderer),
    messageBox: from.messageBox !== false,
  };
}
