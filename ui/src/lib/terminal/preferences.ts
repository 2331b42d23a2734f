import type { Palette } from './theme';

/** How terminals look and behave; the same for all of a window. */
export interface TerminalPreferences {
  /** A font of this machine, before those that come with Belfry. */
  fontFamily: string | null;
  /** Pixels. */
  fontSize: number;
  /** How much larger the page is drawn than its pixels say; letters of terminals are not. */
  zoom: number;
  palette: Palette;
  copyOnSelect: boolean;
  screenReader: boolean;
  /** `auto`: WebGL where the system's web view is good at it and measuring bears that out, the DOM elsewhere. */
  renderer: 'auto' | 'dom' | 'webgl';
}

export const FONT_SIZE = { smallest: 8, usual: 13, largest: 32 };

/** The fonts of a terminal, as CSS; a name with quotes or escapes in it cannot end the list. */
export function fontFamily({ fontFamily: own }: TerminalPreferences): string {
  const bundled = '"JetBrains Mono", "Belfry Symbols", ui-monospace, "DejaVu Sans Mono", monospace';
  const name = own?.replace(/["\\\n\r\f;{}]/g, '').trim();
  return name ? `"${name}", ${bundled}` : bundled;
}
