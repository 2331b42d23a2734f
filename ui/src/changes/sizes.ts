import { number } from '$lib/words/locale';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** A number of bytes as people write it. */
export function size(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1_000 && unit < UNITS.length - 1) [value, unit] = [value / 1_000, unit + 1];
  return `${number(value, unit > 0 && value < 10 ? 1 : 0)} ${UNITS[unit]}`;
}
