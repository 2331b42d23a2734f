/**
 * The kitty keyboard protocol, the part that the terminal in the window lacks: xterm.js 6 does not know it, and the
 * daemon tells which of its flags the program has asked for.
 */
import { functional, keypad, modifier, type Functional } from './functional';
import { baseLayoutKey, isText, type Key } from './key';

export const DISAMBIGUATE = 1;
export const EVENT_TYPES = 2;
export const ALTERNATES = 4;
export const ALL_KEYS = 8;
export const TEXT = 16;

const EVENT = { press: 1, repeat: 2, release: 3 };
/** Enter, Tab and Backspace alone stay as they are, so that a person can still type `reset` after a crashed program. */
const PLAIN: Record<string, string> = { Enter: '\r', Tab: '\t', Backspace: '\x7f' };

function modifiers(key: Key, locks: boolean): number {
  return (
    (key.shift ? 1 : 0) +
    (key.alt ? 2 : 0) +
    (key.ctrl ? 4 : 0) +
    (key.meta ? 8 : 0) +
    (locks && key.capsLock ? 64 : 0) +
    (locks && key.numLock ? 128 : 0)
  );
}

/** The escape code of a key with a number and a final byte. */
function sequence(key: Key, what: Functional, flags: number, number: string, text = ''): string {
  // Locks are told only to programs that ask for every key: with NumLock on, as it is for most, the others would see
  // a modifier on each arrow key, and few expect that.
  const mods = modifiers(key, (flags & ALL_KEYS) !== 0);
  const type = flags & EVENT_TYPES && key.type !== 'press' ? `:${EVENT[key.type]}` : '';
  let fields = '';
  if (mods || type) fields = `;${mods + 1}${type}`;
  else if (text) fields = ';';
  if (text) fields += `;${text}`;
  // The number 1 of the keys that end in a letter goes without saying where nothing follows it.
  const head = what.final !== 'u' && what.final !== '~' && !fields ? '' : number;
  return `\x1b[${head}${fields}${what.final}`;
}

function alternates(key: Key, code: number, flags: number): string {
  if (!(flags & ALTERNATES)) return String(code);
  const shifted = key.shift && isText(key.key) ? key.key.codePointAt(0) : undefined;
  const base = baseLayoutKey(key.code)?.codePointAt(0);
  let text = String(code);
  if (shifted && shifted !== code) text += `:${shifted}`;
  if (base && base !== code) text += shifted && shifted !== code ? `:${base}` : `::${base}`;
  return text;
}

/**
 * What to send for a key: a string (empty: nothing, and nobody else shall), or undefined where the key is to be treated
 * as without the protocol.
 */
export function encodeKitty(key: Key, flags: number): string | undefined {
  if (flags === 0) return undefined;
  const all = (flags & ALL_KEYS) !== 0;
  if (key.type === 'release' && !(flags & EVENT_TYPES)) return '';

  const asModifier = modifier(key.key, key.code);
  if (asModifier) return all ? sequence(key, asModifier, flags, String(asModifier.number)) : undefined;

  const text = isText(key.key);
  const held = !key.composed && (key.ctrl || key.alt || key.meta);
  const pad = keypad(key.code, text);
  const what = pad && (all || !text || held) ? pad : functional(key.key);
  if (what && (!text || all || held)) {
    if (!(flags & (DISAMBIGUATE | ALL_KEYS)) && key.type !== 'release') return undefined;
    const plain = PLAIN[key.key];
    if (plain && !all && !pad) {
      if (key.type === 'release') return '';
      if (!modifiers(key, false)) return plain;
    }
    return sequence(key, what, flags, String(what.number), all && text && !held ? textOf(key, flags) : '');
  }
  if (!text) return undefined;

  if (!all && !held) return key.type === 'release' ? '' : undefined;
  if (!all && !(flags & DISAMBIGUATE)) return key.type === 'release' ? '' : undefined;
  const code = key.unshifted.codePointAt(0) ?? 0;
  const bare = key.composed ? { ...key, ctrl: false, alt: false } : key;
  const number = alternates(key, code, flags);
  return sequence(bare, { number: code, final: 'u' }, flags, number, held ? '' : textOf(key, flags));
}

function textOf(key: Key, flags: number): string {
  if (!(flags & TEXT) || !(flags & ALL_KEYS) || key.type === 'release' || !isText(key.key)) return '';
  return String(key.key.codePointAt(0));
}
