/**
 * All that the window says, in one place. What a component or a command shows stands in `en/`, by parts of the window; a
 * text with something in it is a function, so that each language can put it where it belongs. A translation is another
 * object of the type {@link Words}; nothing else has to change.
 */
import { en } from './en';

export type Words = typeof en;

export const say: Words = en;

/** Which way the language of the words runs. */
export function direction(language: string): 'ltr' | 'rtl' {
  return /^(ar|arc|ckb|dv|fa|he|iw|ks|ku-arab|nqo|ps|sd|syr|ug|ur|yi)(-|$)/i.test(language) ? 'rtl' : 'ltr';
}
