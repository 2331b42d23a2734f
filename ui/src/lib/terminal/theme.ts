import type { ITheme } from '@xterm/xterm';

/** A terminal's colours, all written `#rrggbb`. */
export interface Palette {
  dark: boolean;
  foreground: string;
  background: string;
  cursor: string;
  cursorText: string;
  /** With alpha. */
  selection: string;
  ansi: readonly string[];
}

// Backgrounds, foregrounds and the hues of green, yellow, red and blue are the window's tokens. The other colours are
// set around them so that each has at least 4.5:1 on the background (bright black too: agents write hints in it).
export const DARK: Palette = {
  dark: true,
  background: '#0b0d10',
  foreground: '#e6e9ef',
  cursor: '#7aa2f7',
  cursorText: '#0b0d10',
  selection: '#7aa2f755',
  ansi: [
    '#232833',
    '#f2555a',
    '#4cc38a',
    '#f5b83d',
    '#7aa2f7',
    '#c58af9',
    '#4fc1d6',
    '#c3c9d5',
    '#8a94a6',
    '#ff7a7e',
    '#6fdba6',
    '#ffd166',
    '#9dbbff',
    '#d9aeff',
    '#7fdcec',
    '#f6f8fb',
  ],
};

export const LIGHT: Palette = {
  dark: false,
  background: '#eef0f3',
  foreground: '#171a21',
  cursor: '#2f5fd0',
  cursorText: '#ffffff',
  selection: '#2f5fd03d',
  ansi: [
    '#171a21',
    '#b8242a',
    '#0d6e41',
    '#8f5600',
    '#2f5fd0',
    '#8a35b8',
    '#0a6a7d',
    '#505968',
    '#5d6675',
    '#c62a30',
    '#0b6339',
    '#7d4b00',
    '#2450b8',
    '#7426a3',
    '#075c6d',
    '#3a424f',
  ],
};

const themes = new WeakMap<Palette, ITheme>();

/** The same object for the same palette: the terminal takes another one for another theme, and paints all anew. */
export function xtermTheme(palette: Palette): ITheme {
  let theme = themes.get(palette);
  if (!theme) themes.set(palette, (theme = buildTheme(palette)));
  return theme;
}

function buildTheme(palette: Palette): ITheme {
  const [black, red, green, yellow, blue, magenta, cyan, white] = palette.ansi;
  const [brightBlack, brightRed, brightGreen, brightYellow] = palette.ansi.slice(8);
  const [brightBlue, brightMagenta, brightCyan, brightWhite] = palette.ansi.slice(12);
  return {
    foreground: palette.foreground,
    background: palette.background,
    cursor: palette.cursor,
    cursorAccent: palette.cursorText,
    selectionBackground: palette.selection,
    scrollbarSliderBackground: palette.dark ? '#8a94a640' : '#5d667540',
    scrollbarSliderHoverBackground: palette.dark ? '#8a94a680' : '#5d667580',
    scrollbarSliderActiveBackground: palette.dark ? '#8a94a6b0' : '#5d6675b0',
    overviewRulerBorder: palette.background,
    black,
    red,
    green,
    yellow,
    blue,
    magenta,
    cyan,
    white,
    brightBlack,
    brightRed,
    brightGreen,
    brightYellow,
    brightBlue,
    brightMagenta,
    brightCyan,
    brightWhite,
  };
}

/** The contrast of two `#rrggbb` colours, from 1 to 21, as WCAG 2 reckons it. */
export function contrast(one: string, other: string): number {
  const luminance = (color: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const part = parseInt(color.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}
