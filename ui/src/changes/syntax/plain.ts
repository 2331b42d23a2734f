import type { Span } from '../segments';

const PARTS = /((?:^|(?<=\s))#.*$)|("(?:[^"\\]|\\.)*"|'[^']*')|((?<![\w.])\d[\d_.]*(?![\w]))/g;

/** Comments, texts and numbers of a line in a language that begins its comments with a `#`. */
export function plainSpans(line: string): Span[] {
  return [...line.matchAll(PARTS)].map((found): Span => {
    const kind = found[1] !== undefined ? 'comment' : found[2] !== undefined ? 'string' : 'number';
    return [found.index, found.index + found[0].length, kind];
  });
}
