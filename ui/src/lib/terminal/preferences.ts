import type { Palette } from './theme';

/** How terminals look and behave; the same for all of a window. */
export interface TerminalPreferences {
  /** Pixels. */
  fontSize: number;
  palette: Palette;
  copyOnSelect: boolean;
  screenReader: boolean;
  /** `auto`: WebGL where the system's web view is good at it and measuring bears that out, the DOM elsewhere. */
  renderer: 'auto' | 'dom' | 'webgl';
}

export const FONT_SIZE = { smallest: 8, usual: 13, largest: 32 };
