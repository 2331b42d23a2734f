import { number } from './locale';

/** The forms that English has: one, and all others. Another language brings its own. */
const english = new Intl.PluralRules('en');

/** A number with its noun: `1 session`, `3 sessions`. */
export function counted(count: number, one: string, other: string): string {
  return `${number(count)} ${form(count, one, other)}`;
}

/** The noun or verb alone that goes with a number. */
export function form(count: number, one: string, other: string): string {
  return english.select(count) === 'one' ? one : other;
}
