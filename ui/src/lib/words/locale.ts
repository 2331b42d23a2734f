/** How the person's own country writes numbers, dates and times, whatever language the window speaks. */

let chosen: readonly string[] | undefined;

/** The person's locales, the best first, as Intl takes them. */
export function locales(): readonly string[] {
  if (chosen) return chosen;
  if (typeof navigator === 'undefined' || !navigator.languages) return [];
  return navigator.languages;
}

/** Takes others, or with nothing the person's again; what was formatted stays as it is. */
export function setLocales(list?: readonly string[]): void {
  chosen = list;
  formats.clear();
}

type Format = Intl.NumberFormat | Intl.DateTimeFormat;
/** Making one takes about as long as a thousand uses of it. */
const formats = new Map<string, Format>();

function kept<F extends Format>(key: string, make: (list: string[]) => F): F {
  const found = formats.get(key) as F | undefined;
  if (found) return found;
  const list = [...locales()];
  let made: F;
  try {
    made = make(list);
  } catch {
    // A locale that the system names and the engine does not know, such as `C`.
    made = make([]);
  }
  formats.set(key, made);
  return made;
}

function dates(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return kept(JSON.stringify(options), (list) => new Intl.DateTimeFormat(list, options));
}

/** A number, with so many digits behind its point. */
export function number(value: number, digits = 0): string {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return kept(`number ${digits}`, (list) => new Intl.NumberFormat(list, options)).format(value);
}

/** A time of the day, to the minute. */
export function timeOfDay(time: Date): string {
  return dates({ hour: '2-digit', minute: '2-digit' }).format(time);
}

/** The same to the second. */
export function timeToSecond(time: Date): string {
  return dates({ hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(time);
}

/** A moment with its day, to the second. */
export function moment(time: Date): string {
  return dates({ dateStyle: 'medium', timeStyle: 'medium' }).format(time);
}

/** A day, short; with its year where that is not this one. */
export function day(date: Date, withYear: boolean): string {
  return dates({
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(withYear && { year: 'numeric' }),
  }).format(date);
}

/** Several things in a sentence: `A, B, and C`; in the window's own language, of which the joining word is one. */
export function conjunction(list: readonly string[], language: string): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(list);
}
