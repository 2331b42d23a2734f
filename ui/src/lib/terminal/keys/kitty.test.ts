import { describe, expect, it } from 'vitest';
import type { Key } from './key';
import { ALL_KEYS, ALTERNATES, DISAMBIGUATE, encodeKitty, EVENT_TYPES, TEXT } from './kitty';
import { encodeLegacy } from './legacy';

const CODES: Record<string, string> = {
  a: 'KeyA',
  A: 'KeyA',
  c: 'KeyC',
  i: 'KeyI',
  '[': 'BracketLeft',
  ' ': 'Space',
};

function press(key: string, more: Partial<Key> = {}): Key {
  const code = CODES[key] ?? key;
  return {
    type: 'press',
    key,
    code,
    shift: false,
    alt: false,
    ctrl: false,
    meta: false,
    capsLock: false,
    numLock: false,
    composed: false,
    unshifted: key.length === 1 ? key.toLowerCase() : key,
    ...more,
  };
}

const D = DISAMBIGUATE;

describe('without flags', () => {
  it('leaves every key to the terminal', () => {
    for (const key of ['a', 'Escape', 'Enter', 'ArrowUp', 'F1'])
      expect(encodeKitty(press(key), 0)).toBeUndefined();
  });
});

describe('disambiguate', () => {
  it.each<[string, Key, string | undefined]>([
    ['text', press('a'), undefined],
    ['shifted text', press('A', { shift: true }), undefined],
    ['Esc', press('Escape'), '\x1b[27u'],
    ['Alt [', press('[', { alt: true }), '\x1b[91;3u'],
    ['Ctrl C', press('c', { ctrl: true }), '\x1b[99;5u'],
    ['Ctrl I', press('i', { ctrl: true }), '\x1b[105;5u'],
    ['Ctrl Shift A', press('A', { ctrl: true, shift: true }), '\x1b[97;6u'],
    ['Shift Alt A', press('A', { alt: true, shift: true }), '\x1b[97;4u'],
    ['Super A', press('a', { meta: true }), '\x1b[97;9u'],
    ['Ctrl Space', press(' ', { ctrl: true }), '\x1b[32;5u'],
    ['Enter', press('Enter'), '\r'],
    ['Tab', press('Tab'), '\t'],
    ['Backspace', press('Backspace'), '\x7f'],
    ['Shift Enter', press('Enter', { shift: true }), '\x1b[13;2u'],
    ['Shift Tab', press('Tab', { shift: true }), '\x1b[9;2u'],
    ['Ctrl Backspace', press('Backspace', { ctrl: true }), '\x1b[127;5u'],
    ['Up', press('ArrowUp'), '\x1b[A'],
    ['Ctrl Right', press('ArrowRight', { ctrl: true }), '\x1b[1;5C'],
    ['Home', press('Home'), '\x1b[H'],
    ['Shift End', press('End', { shift: true }), '\x1b[1;2F'],
    ['Insert', press('Insert'), '\x1b[2~'],
    ['Alt Delete', press('Delete', { alt: true }), '\x1b[3;3~'],
    ['Page Up', press('PageUp'), '\x1b[5~'],
    ['F1', press('F1'), '\x1b[P'],
    ['Shift F2', press('F2', { shift: true }), '\x1b[1;2Q'],
    ['F3', press('F3'), '\x1b[13~'],
    ['F5', press('F5'), '\x1b[15~'],
    ['F12', press('F12'), '\x1b[24~'],
    ['F13', press('F13'), '\x1b[57376u'],
    ['F35', press('F35'), '\x1b[57398u'],
    ['Menu', press('ContextMenu'), '\x1b[57363u'],
    ['keypad Enter', press('Enter', { code: 'NumpadEnter' }), '\x1b[57414u'],
    ['keypad Up', press('ArrowUp', { code: 'Numpad8' }), '\x1b[57419u'],
    ['keypad 8 as text', press('8', { code: 'Numpad8', numLock: true }), undefined],
    ['AltGr text', press('@', { code: 'KeyQ', composed: true, unshifted: 'q' }), undefined],
    ['a lone modifier', press('Shift', { code: 'ShiftLeft', shift: true }), undefined],
    ['NumLock on an arrow', press('ArrowUp', { numLock: true }), '\x1b[A'],
  ])('%s', (_, key, expected) => {
    expect(encodeKitty(key, D)).toBe(expected);
  });

  it('sends nothing on release', () => {
    expect(encodeKitty(press('Escape', { type: 'release' }), D)).toBe('');
    expect(encodeKitty(press('a', { type: 'release' }), D)).toBe('');
  });
});

describe('event types', () => {
  const flags = D | EVENT_TYPES;
  it.each<[string, Key, string | undefined]>([
    ['press', press('Escape'), '\x1b[27u'],
    ['repeat', press('Escape', { type: 'repeat' }), '\x1b[27;1:2u'],
    ['release', press('Escape', { type: 'release' }), '\x1b[27;1:3u'],
    ['release with Ctrl', press('c', { ctrl: true, type: 'release' }), '\x1b[99;5:3u'],
    ['release of an arrow', press('ArrowUp', { type: 'release' }), '\x1b[1;1:3A'],
    ['release of Enter', press('Enter', { type: 'release' }), ''],
    ['release of text', press('a', { type: 'release' }), ''],
    ['repeat of text', press('a', { type: 'repeat' }), undefined],
  ])('%s', (_, key, expected) => {
    expect(encodeKitty(key, flags)).toBe(expected);
  });
});

describe('alternate keys', () => {
  it.each<[string, Key, string]>([
    ['shifted', press('A', { ctrl: true, shift: true }), '\x1b[97:65;6u'],
    ['Ctrl +', press('+', { code: 'Equal', ctrl: true, shift: true, unshifted: '=' }), '\x1b[61:43;6u'],
    ['base layout', press('с', { code: 'KeyC', ctrl: true }), '\x1b[1089::99;5u'],
    ['both', press('С', { code: 'KeyC', ctrl: true, shift: true, unshifted: 'с' }), '\x1b[1089:1057:99;6u'],
    ['none', press('c', { ctrl: true }), '\x1b[99;5u'],
  ])('%s', (_, key, expected) => {
    expect(encodeKitty(key, D | ALTERNATES)).toBe(expected);
  });
});

describe('all keys', () => {
  it.each<[string, Key, number, string]>([
    ['text', press('a'), ALL_KEYS, '\x1b[97u'],
    ['shifted text', press('A', { shift: true }), ALL_KEYS, '\x1b[97;2u'],
    ['release', press('a', { type: 'release' }), ALL_KEYS | EVENT_TYPES, '\x1b[97;1:3u'],
    ['Enter', press('Enter'), ALL_KEYS, '\x1b[13u'],
    ['release of Enter', press('Enter', { type: 'release' }), ALL_KEYS | EVENT_TYPES, '\x1b[13;1:3u'],
    ['left Shift', press('Shift', { code: 'ShiftLeft', shift: true }), ALL_KEYS, '\x1b[57441;2u'],
    ['right Ctrl', press('Control', { code: 'ControlRight', ctrl: true }), ALL_KEYS, '\x1b[57448;5u'],
    ['keypad 8', press('8', { code: 'Numpad8' }), ALL_KEYS, '\x1b[57407u'],
    ['locks', press('a', { capsLock: true, numLock: true }), ALL_KEYS, '\x1b[97;193u'],
  ])('%s', (_, key, flags, expected) => {
    expect(encodeKitty(key, flags)).toBe(expected);
  });
});

describe('text', () => {
  const flags = ALL_KEYS | TEXT;
  it.each<[string, Key, string]>([
    ['Shift A', press('A', { shift: true }), '\x1b[97;2;65u'],
    ['a', press('a'), '\x1b[97;;97u'],
    [
      'Option A on macOS',
      press('å', { code: 'KeyA', alt: true, composed: true, unshifted: 'a' }),
      '\x1b[97;;229u',
    ],
    ['Ctrl C', press('c', { ctrl: true }), '\x1b[99;5u'],
    ['Esc', press('Escape'), '\x1b[27u'],
  ])('%s', (_, key, expected) => {
    expect(encodeKitty(key, flags)).toBe(expected);
  });
});

describe('keys that the terminal has no code for', () => {
  const shiftEnter = press('Enter', { shift: true });
  it('makes Shift Enter a new line in agents and leaves shells alone', () => {
    expect(encodeLegacy(shiftEnter, 0, true)).toBe('\x1b\r');
    expect(encodeLegacy(shiftEnter, 0, false)).toBeUndefined();
    expect(encodeLegacy(press('Enter'), 0, true)).toBeUndefined();
  });
  it('follows modifyOtherKeys', () => {
    expect(encodeLegacy(shiftEnter, 1, false)).toBe('\x1b[27;2;13~');
    expect(encodeLegacy(press('Enter', { ctrl: true }), 2, false)).toBe('\x1b[27;5;13~');
    expect(encodeLegacy(press('Tab', { shift: true }), 1, false)).toBeUndefined();
  });
});
