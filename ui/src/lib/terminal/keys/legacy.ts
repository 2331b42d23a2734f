import type { Key } from './key';

/** xterm's modifyOtherKeys level, as the program set it with `CSI > 4 ; level m`. */
export type OtherKeys = 0 | 1 | 2;

const ENTER_LIKE: Record<string, number> = { Enter: 13, Tab: 9, Backspace: 127, Escape: 27 };

/**
 * Keys that the terminal itself has no code for. Undefined: nothing special, the terminal encodes it.
 *
 * `newlineKey`: Shift Enter makes a new line in every agent, as a shell-integrated terminal would do it (Escape, Enter);
 * a shell gets a plain Enter, since there the same bytes would switch its editing mode.
 */
export function encodeLegacy(key: Key, otherKeys: OtherKeys, newlineKey: boolean): string | undefined {
  if (key.type === 'release' || key.meta) return undefined;
  const code = ENTER_LIKE[key.key];
  if (code === undefined) return undefined;
  if (otherKeys > 0) {
    const modifiers = (key.shift ? 1 : 0) + (key.alt ? 2 : 0) + (key.ctrl ? 4 : 0);
    // Level 1 leaves what has a well known code of its own: Shift Tab, Alt Enter, Ctrl Backspace.
    const own = key.key !== 'Enter' || !key.shift;
    if (modifiers && !(otherKeys === 1 && own)) return `\x1b[27;${modifiers + 1};${code}~`;
    return undefined;
  }
  if (newlineKey && key.key === 'Enter' && key.shift && !key.ctrl && !key.alt) return '\x1b\r';
  return undefined;
}
