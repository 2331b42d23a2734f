/** The window's own keys. With a terminal focused only these are taken from the program. */

import { COMMANDS, commandOf, type CommandId, type Listed } from './commands';
import { changedKeys } from './state/changed-keys.svelte';

export type { CommandId } from './commands';

/** Every command in words, in the order of the lists that the window shows. */
export const LISTED: readonly (readonly [CommandId, string])[] = COMMANDS.map(
  ({ id, title }) => [id, title] as const,
);

export type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'>;

/** Who has the keyboard. */
export type Place = 'terminal' | 'field' | 'elsewhere';

const BRACKETS: Record<string, string> = { BracketLeft: '[', BracketRight: ']' };

/** How a key press is written in a binding. */
export function written(event: Pressed): string {
  return combinations(event)[0] ?? '';
}

/** The same in all ways in which a binding may mean it, the best first. */
export function combinations(event: Pressed): string[] {
  const held = [
    event.ctrlKey && 'Ctrl',
    event.metaKey && 'Cmd',
    event.altKey && 'Alt',
    event.shiftKey && 'Shift',
  ].filter(Boolean);
  const keys = [event.key.length === 1 ? event.key.toUpperCase() : event.key];
  if (event.key === ' ') keys[0] = 'Space';
  // On a layout without Latin letters the place of the key decides, as the labels on most keyboards do. With Option held
  // a Mac's keys write other signs.
  const latin = /^[\x20-\x7e]$/.test(event.key);
  const other = !latin || (event.altKey && event.metaKey);
  if (/^Key[A-Z]$/.test(event.code) && other) keys.unshift(event.code.slice(3));
  // Shift makes other signs of digits and brackets, on every layout others.
  if (/^Digit\d$/.test(event.code) && held.length > 0) keys.push(event.code.slice(5));
  const bracket = BRACKETS[event.code];
  if (bracket && held.length > 0) keys.push(bracket);
  return [...new Set(keys)].map((key) => [...held, key].join('+'));
}

/** The usual combinations of a command, the one that is shown first. */
export function usualKeys(id: CommandId, mac: boolean): readonly string[] {
  const { keys } = commandOf(id);
  return (mac ? keys?.mac : keys?.other) ?? [];
}

/** The combinations of a command, as the person has set them. */
export function keysOf(id: CommandId, mac: boolean): readonly string[] {
  return changedKeys.get(id)?.map(normalised) ?? usualKeys(id, mac);
}

const HELD = ['Ctrl', 'Cmd', 'Alt', 'Shift'];

/** A combination as it is written here, however a person has written it in the file: `shift + ctrl + k` too. */
export function normalised(keys: string): string {
  const plus = /\+\s*$/.test(keys);
  const parts = keys.split('+').flatMap((part) => part.trim() || []);
  const of = (part: string) => HELD.find((held) => held.toLowerCase() === part.toLowerCase());
  const held = HELD.filter((one) => parts.some((part) => of(part) === one));
  const key = plus ? '+' : parts.findLast((part) => !of(part));
  const written = key?.length === 1 ? key.toUpperCase() : key;
  return [...held, ...(written === undefined ? [] : [written])].join('+');
}

/** Whether a combination can be told from typing: with a terminal or a text field in use no other one is the window's. */
export function isCommand(keys: string): boolean {
  return /(^|\+)(Ctrl|Cmd|Alt)\+/.test(keys) || /^(Shift\+)?F\d{1,2}$/.test(keys);
}

/** Whether programs in terminals live by it: Ctrl with a letter or sign alone, which on a Mac are no commands either. */
export function isProgramsOwn(keys: string, mac: boolean): boolean {
  return !mac && /^Ctrl\+[A-Z[\]\\^_@ ]$/.test(keys);
}

/** The command that a key press means. */
export function commandFor(event: Pressed, mac: boolean, place: Place): CommandId | undefined {
  const pressed = combinations(event);
  for (const keys of pressed) {
    const found = COMMANDS.find((command) => bound(command, keys, mac, place));
    if (found) return found.id;
  }
  return undefined;
}

function bound(command: Listed, keys: string, mac: boolean, place: Place): boolean {
  if (keysOf(command.id, mac).includes(keys)) return place === 'elsewhere' || isCommand(keys);
  if (place !== 'elsewhere' || changedKeys.get(command.id)) return false;
  const outside = command.keys?.outside ?? [];
  // What is Ctrl elsewhere is Cmd on a Mac, and bound already.
  return outside.includes(keys) && !(mac && keys.startsWith('Ctrl+'));
}

/** Commands that share a combination, by that combination. */
export function conflicts(mac: boolean): Map<string, CommandId[]> {
  const users = new Map<string, CommandId[]>();
  for (const { id } of COMMANDS) {
    for (const keys of new Set(keysOf(id, mac))) users.set(keys, [...(users.get(keys) ?? []), id]);
  }
  return new Map([...users].filter(([, ids]) => ids.length > 1));
}

const WORDS: Record<string, string> = {
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Escape: 'Esc',
};

/** A combination as it is shown: `Ctrl Shift N`. */
export function shownKeys(keys: string): string {
  const plus = keys.endsWith('++');
  const parts = (plus ? keys.slice(0, -2) : keys).split('+').map((part) => WORDS[part] ?? part);
  return [...parts, ...(plus ? ['+'] : [])].join(' ');
}

/** The keys of a command as a label; empty where it has none. */
export function label(id: CommandId, mac: boolean): string {
  return shownKeys(keysOf(id, mac)[0] ?? '');
}
