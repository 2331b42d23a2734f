/** A key event as the encoders see it, free of the browser's types. */
export interface Key {
  type: 'press' | 'repeat' | 'release';
  /** `KeyboardEvent.key`: the text, or the name of a key without one. */
  key: string;
  /** `KeyboardEvent.code`: where the key is. */
  code: string;
  shift: boolean;
  alt: boolean;
  ctrl: boolean;
  /** The Windows, Super or Command key. */
  meta: boolean;
  capsLock: boolean;
  numLock: boolean;
  /** AltGr or the macOS Option key made this text: the modifiers are used up. */
  composed: boolean;
  /** What the key gives without Shift, as far as is known. */
  unshifted: string;
}

/** Keys of the PC-101 layout that give text, by code: without and with Shift. */
const PC101: Record<string, readonly [string, string]> = {
  Backquote: ['`', '~'],
  Minus: ['-', '_'],
  Equal: ['=', '+'],
  BracketLeft: ['[', '{'],
  BracketRight: [']', '}'],
  Backslash: ['\\', '|'],
  Semicolon: [';', ':'],
  Quote: ["'", '"'],
  Comma: [',', '<'],
  Period: ['.', '>'],
  Slash: ['/', '?'],
  Space: [' ', ' '],
};
')!@#$%^&*('.split('').forEach((shifted, digit) => (PC101[`Digit${digit}`] = [String(digit), shifted]));

/** What the PC-101 layout has at a place, without Shift. */
export function baseLayoutKey(code: string): string | undefined {
  if (/^Key[A-Z]$/.test(code)) return code.slice(3).toLowerCase();
  return PC101[code]?.[0];
}

export function isText(key: string): boolean {
  return [...key].length === 1;
}

/**
 * Reads browser events. A browser tells what a key gives with the modifiers held, never what it would give without
 * Shift; that is learnt from what the person types, and taken from PC-101 until then.
 */
export class KeyReader {
  private readonly learnt = new Map<string, string>();

  constructor(private readonly mac: boolean) {}

  read(event: KeyboardEvent): Key {
    const { key, code } = event;
    const altGraph = event.getModifierState('AltGraph');
    const option = this.mac && event.altKey && isText(key) && key !== this.guess(key, code);
    if (isText(key) && !event.shiftKey && !event.altKey && !altGraph)
      this.learnt.set(code, key.toLowerCase());
    return {
      type: event.type === 'keyup' ? 'release' : event.repeat ? 'repeat' : 'press',
      key,
      code,
      shift: event.shiftKey,
      alt: event.altKey && !altGraph,
      ctrl: event.ctrlKey && !altGraph,
      meta: event.metaKey,
      capsLock: event.getModifierState('CapsLock'),
      numLock: event.getModifierState('NumLock'),
      composed: isText(key) && (altGraph || option),
      unshifted: this.guess(key, code),
    };
  }

  private guess(key: string, code: string): string {
    if (!isText(key)) return key;
    const learnt = this.learnt.get(code);
    if (learnt) return learnt;
    const lower = key.toLowerCase();
    if (lower !== key.toUpperCase()) return lower;
    const place = PC101[code];
    return place && place[1] === key ? place[0] : key;
  }
}
