/** How a key without text is written: a number and the final byte, after the protocol's table of functional keys. */
export interface Functional {
  number: number;
  final: string;
}

const u = (number: number): Functional => ({ number, final: 'u' });
const tilde = (number: number): Functional => ({ number, final: '~' });
const letter = (final: string): Functional => ({ number: 1, final });

/** By `KeyboardEvent.key`. */
const NAMED: Record<string, Functional> = {
  Escape: u(27),
  Enter: u(13),
  Tab: u(9),
  Backspace: u(127),
  Insert: tilde(2),
  Delete: tilde(3),
  ArrowLeft: letter('D'),
  ArrowRight: letter('C'),
  ArrowUp: letter('A'),
  ArrowDown: letter('B'),
  PageUp: tilde(5),
  PageDown: tilde(6),
  Home: letter('H'),
  End: letter('F'),
  CapsLock: u(57358),
  ScrollLock: u(57359),
  NumLock: u(57360),
  PrintScreen: u(57361),
  Pause: u(57362),
  ContextMenu: u(57363),
  F1: letter('P'),
  F2: letter('Q'),
  F3: tilde(13),
  F4: letter('S'),
  F5: tilde(15),
  F6: tilde(17),
  F7: tilde(18),
  F8: tilde(19),
  F9: tilde(20),
  F10: tilde(21),
  F11: tilde(23),
  F12: tilde(24),
  MediaPlay: u(57428),
  MediaPause: u(57429),
  MediaPlayPause: u(57430),
  MediaRewind: u(57434),
  MediaFastForward: u(57433),
  MediaStop: u(57432),
  MediaTrackNext: u(57435),
  MediaTrackPrevious: u(57436),
  MediaRecord: u(57437),
  AudioVolumeDown: u(57438),
  AudioVolumeUp: u(57439),
  AudioVolumeMute: u(57440),
};
for (let n = 13; n <= 35; n += 1) NAMED[`F${n}`] = u(57376 + n - 13);

/** The number pad, by `KeyboardEvent.code`: what each key is with NumLock on, and off. */
const KEYPAD: Record<string, readonly [locked: number, unlocked: number]> = {
  Numpad0: [57399, 57425],
  Numpad1: [57400, 57424],
  Numpad2: [57401, 57420],
  Numpad3: [57402, 57422],
  Numpad4: [57403, 57417],
  Numpad5: [57404, 57427],
  Numpad6: [57405, 57418],
  Numpad7: [57406, 57423],
  Numpad8: [57407, 57419],
  Numpad9: [57408, 57421],
  NumpadDecimal: [57409, 57426],
  NumpadDivide: [57410, 57410],
  NumpadMultiply: [57411, 57411],
  NumpadSubtract: [57412, 57412],
  NumpadAdd: [57413, 57413],
  NumpadEnter: [57414, 57414],
  NumpadEqual: [57415, 57415],
  NumpadComma: [57416, 57416],
};

/** Modifier keys, by `KeyboardEvent.code`. */
const MODIFIERS: Record<string, number> = {
  ShiftLeft: 57441,
  ControlLeft: 57442,
  AltLeft: 57443,
  MetaLeft: 57444,
  OSLeft: 57444,
  ShiftRight: 57447,
  ControlRight: 57448,
  AltRight: 57449,
  MetaRight: 57450,
  OSRight: 57450,
};
/** AltGr. */
const LEVEL3_SHIFT = 57453;

export function functional(key: string): Functional | undefined {
  return NAMED[key];
}

export function keypad(code: string, text: boolean): Functional | undefined {
  const numbers = KEYPAD[code];
  return numbers && u(numbers[text ? 0 : 1]);
}

export function modifier(key: string, code: string): Functional | undefined {
  if (key === 'AltGraph') return u(LEVEL3_SHIFT);
  const number = MODIFIERS[code];
  return number && /^(Shift|Control|Alt|Meta|OS)$/.test(key) ? u(number) : undefined;
}
