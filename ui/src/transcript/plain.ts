/**
 * Controls, and what turns the order of letters around. Marks that scripts and emoji are joined by stay: prose has them, other
 * than a command.
 */
const TURNING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Prose as it is, with what could hide or turn something around made visible. */
export function plain(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(TURNING, (one) => `⟨U+${one.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}⟩`);
}
