import { DARK } from '../theme';
import type { NamedTheme } from './built-in';
import { paletteOf } from './palette';

/** Largest theme file that is read, in characters: the largest known ones have about ten thousand. */
const LONGEST = 262_144;

/** What is wrong with a theme file, in one sentence. */
export class ThemeError extends Error {}

/** The colours that a file names: `0` to `15`, and the others by these words. */
type Part = 'foreground' | 'background' | 'cursor' | 'cursorText' | 'selection' | `${number}`;
type Found = Map<Part, string>;

/** Reads a theme in the way of xterm (X resources), iTerm (`.itermcolors`) or Ghostty, whichever it is. */
export function readTheme(file: string, text: string): NamedTheme {
  if (text.length > LONGEST) throw new ThemeError('The file is too large for a theme.');
  const found = /<plist|<dict>/.test(text) ? iterm(text) : lines(text);
  if (found.size === 0)
    throw new ThemeError('No colours were found in the file: it is no xterm, iTerm or Ghostty theme.');
  const missing = Array.from({ length: 16 }, (_, at) => at).filter((at) => !found.has(`${at}`));
  const [background, foreground] = [found.get('background'), found.get('foreground')];
  if (!background || !foreground) throw new ThemeError('The theme names no foreground or no background.');
  // Eight colours alone are common: their bright ones are then the same. With fewer it is no theme.
  if (missing.some((at) => at < 8)) throw new ThemeError(`The theme has no colour ${missing[0]}.`);
  const ansi = DARK.ansi.map((_, at) => found.get(`${at}`) ?? found.get(`${at - 8}`) ?? foreground);
  const name =
    file
      .replace(/^.*[\\/]/, '')
      .replace(/\.(itermcolors|xresources|conf|theme|txt)$/i, '')
      .slice(0, 60) || 'Theme';
  return {
    id: `own-${
      name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '') || 'theme'
    }`,
    name,
    palette: paletteOf({
      foreground,
      background,
      ansi,
      cursor: found.get('cursor'),
      cursorText: found.get('cursorText'),
      selection: found.get('selection'),
    }),
  };
}

const WORDS: Readonly<Record<string, Part>> = {
  foreground: 'foreground',
  background: 'background',
  cursor: 'cursor',
  cursorcolor: 'cursor',
  cursortext: 'cursorText',
  selection: 'selection',
  highlightcolor: 'selection',
  selectionbackground: 'selection',
};

/** X resources (`*.color0: #282828`, with `#define` names) and Ghostty (`palette = 0=#282828`, `background = 282828`). */
function lines(text: string): Found {
  const found: Found = new Map();
  const names = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const define = /^\s*#define\s+(\w+)\s+(\S+)/.exec(line);
    if (define?.[1] && define[2]) names.set(define[1], define[2]);
    const palette = /^\s*palette\s*=\s*(\d{1,2})\s*=\s*(\S+)/.exec(line);
    const resource = /^\s*(?:[\w*?.-]*[*.])?([A-Za-z-]+)(\d{0,2})\s*[:=]\s*(\S+)/.exec(line);
    const [word, number, written] = palette ? ['color', palette[1], palette[2]] : (resource?.slice(1) ?? []);
    const value = color(names.get(written ?? '') ?? written ?? '');
    if (!value || word === undefined) continue;
    const key = word.replace(/-/g, '').toLowerCase();
    if (key === 'color' && number && Number(number) < 16) found.set(`${Number(number)}`, value);
    else if (!number && WORDS[key]) found.set(WORDS[key], value);
  }
  return found;
}

const ITERM: Readonly<Record<string, Part>> = {
  Foreground: 'foreground',
  Background: 'background',
  Cursor: 'cursor',
  'Cursor Text': 'cursorText',
  Selection: 'selection',
};

/** A property list of colours, each with three parts between 0 and 1. */
function iterm(text: string): Found {
  const found: Found = new Map();
  for (const [, name = '', body = ''] of text.matchAll(
    /<key>([\w ]+) Color<\/key>\s*<dict>([\s\S]*?)<\/dict>/g,
  )) {
    const ansi = /^Ansi (\d{1,2})$/.exec(name)?.[1];
    const part = ansi !== undefined && Number(ansi) < 16 ? (`${Number(ansi)}` as const) : ITERM[name];
    const parts = ['Red', 'Green', 'Blue'].map((one) => {
      const value = new RegExp(`<key>${one} Component</key>\\s*<(?:real|integer)>([\\d.eE+-]+)<`).exec(
        body,
      )?.[1];
      return Math.round(Math.min(1, Math.max(0, Number(value ?? NaN))) * 255);
    });
    if (part && parts.every(Number.isFinite)) {
      found.set(part, `#${parts.map((one) => one.toString(16).padStart(2, '0')).join('')}`);
    }
  }
  return found;
}

/** `#rrggbb`, `rrggbb`, `#rgb`, or X's `rgb:rr/gg/bb` with one to four digits each. */
function color(written: string): string | undefined {
  const value = written.replace(/["',;]/g, '').toLowerCase();
  const six = /^#?([0-9a-f]{6})$/.exec(value)?.[1];
  if (six) return `#${six}`;
  const three = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(value);
  if (three)
    return `#${three
      .slice(1)
      .map((digit) => digit + digit)
      .join('')}`;
  const parts = /^rgb:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})$/.exec(value)?.slice(1);
  if (!parts) return undefined;
  const two = (part: string) => Math.round((parseInt(part, 16) / (16 ** part.length - 1)) * 255);
  return `#${parts.map((part) => two(part).toString(16).padStart(2, '0')).join('')}`;
}
