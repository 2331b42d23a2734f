import { say } from '../../words';
import type { FileDiff } from '../../client/generated/protocol';
import { numbered } from './rows';

/** Of which of the two states a line is. */
export type Side = 'old' | 'new';

/** Lines of a file on one side. */
export interface Place {
  side: Side;
  from: number;
  to: number;
}

/** What the person wants to say about some lines. */
export interface Comment extends Place {
  id: number;
  path: string;
  /** The lines as they were. */
  quote: readonly string[];
  text: string;
}

/** Lines of code that are quoted to the agent. */
const QUOTED = 12;
/** Characters of one. */
const LONGEST = 300;

/** Comments of one session, not sent yet. In this window only. */
export class Comments {
  list = $state.raw<readonly Comment[]>([]);
  private next = 1;

  of(path: string): Comment[] {
    return this.list.filter((one) => one.path === path);
  }

  add(path: string, place: Place, quote: readonly string[], text: string): void {
    const comment = { id: this.next++, path, quote, text: text.trim(), ...place };
    if (comment.text) this.list = [...this.list, comment];
  }

  edit(id: number, text: string): void {
    if (!text.trim()) return this.remove(id);
    this.list = this.list.map((one) => (one.id === id ? { ...one, text: text.trim() } : one));
  }

  remove(...ids: readonly number[]): void {
    this.list = this.list.filter(({ id }) => !ids.includes(id));
  }

  /** Follows the lines to where they are in a diff now. */
  follow(diff: FileDiff): void {
    const of = this.of(diff.file.path);
    if (of.length === 0) return;
    const lines = numbered(diff).flat();
    const sides = {
      old: lines.flatMap(({ old, text }) => (old === null ? [] : { number: old, text })),
      new: lines.flatMap(({ now, text }) => (now === null ? [] : { number: now, text })),
    };
    let moved = false;
    const list = this.list.map((one) => {
      if (one.path !== diff.file.path) return one;
      const by = shift(one, sides[one.side]);
      if (!by) return one;
      moved = true;
      return { ...one, from: one.from + by, to: one.to + by };
    });
    if (moved) this.list = list;
  }
}

/** By how many lines the quoted ones have moved; none where they are nowhere. */
function shift({ from, quote }: Comment, lines: readonly { number: number; text: string }[]): number | null {
  const fits = (at: number) => quote.every((text, ahead) => lines[at + ahead]?.text === text);
  let best: number | null = null;
  for (const [at, { number }] of lines.entries()) {
    if (best !== null && Math.abs(number - from) >= Math.abs(best)) continue;
    if (fits(at)) best = number - from;
  }
  return best;
}

/** Where a comment belongs, in words. */
export function placeWords({ side, from, to }: Place): string {
  const words = say.changes.lines(from, to);
  return side === 'old' ? say.changes.removedLines(words) : words;
}

/** All comments as one text: where, what stands there, what is said of it; file by file. */
export function composed(comments: readonly Comment[]): string {
  const words = say.changes;
  const order = [...new Set(comments.map(({ path }) => path))];
  const sorted = comments.toSorted(
    (one, other) => order.indexOf(one.path) - order.indexOf(other.path) || one.from - other.from,
  );
  const parts = sorted.map(({ path, side, from, to, quote, text }) => {
    const place = words.place(path.replaceAll(/[\r\n]+/g, ' '), from, to);
    const quoted = quote.slice(0, QUOTED).map((line) => `> ${line.slice(0, LONGEST)}`);
    if (quote.length > QUOTED) quoted.push(`> ${words.moreQuoted(quote.length - QUOTED)}`);
    return [side === 'old' ? words.placeBefore(place) : place, ...quoted, text].join('\n');
  });
  return [sorted.length === 1 ? words.headOne : words.head, ...parts].join('\n\n');
}
