import type { IBuffer, Terminal } from '@xterm/xterm';
import { scrollTo } from './internals';

/** Lines whose text tells a place in the scrollback from others. */
const COMPARED = 3;

/** The place that a person looks back at. It outlives other columns, and the same lines written anew. */
export interface Anchor {
  /** Lines, as the program printed them, below the one at the top. */
  below: number;
  /** The first of them, without blanks. */
  texts: readonly string[];
  /** Cells of the line at the top that are above the screen. */
  offset: number;
}

/** The rows at which lines begin; what is blank at the end belongs to the screen's height and does not count. */
function lineStarts(buffer: IBuffer): number[] {
  let last = buffer.length - 1;
  while (last > 0 && !buffer.getLine(last)?.translateToString(true)) last -= 1;
  const starts = [];
  for (let row = 0; row <= last; row += 1) if (row === 0 || !buffer.getLine(row)?.isWrapped) starts.push(row);
  return starts;
}

function textOf(buffer: IBuffer, start: number): string {
  let text = '';
  for (let row = start; row === start || buffer.getLine(row)?.isWrapped; row += 1)
    text += buffer.getLine(row)?.translateToString(true) ?? '';
  return text.replaceAll(/\s/g, '');
}

/** Where the person looks, or nothing where they follow what is printed. */
export function takeAnchor(terminal: Terminal): Anchor | undefined {
  const buffer = terminal.buffer.active;
  if (buffer.viewportY >= buffer.baseY) return undefined;
  const starts = lineStarts(buffer);
  const at = Math.max(
    0,
    starts.findLastIndex((row) => row <= buffer.viewportY),
  );
  const start = starts[at] ?? 0;
  return {
    below: starts.length - at,
    texts: starts.slice(at, at + COMPARED).map((row) => textOf(buffer, row)),
    offset: (buffer.viewportY - start) * terminal.cols,
  };
}

/** Goes to an anchor. False where the terminal does not reach back so far; it is at the oldest line it has then. */
export function goToAnchor(terminal: Terminal, anchor: Anchor): boolean {
  const buffer = terminal.buffer.active;
  const starts = lineStarts(buffer);
  const expected = starts.length - anchor.below;
  // Lines that are not there may look like ones that are.
  const at = expected < 0 ? undefined : nearest(buffer, starts, expected, anchor.texts);
  const start = starts[at ?? expected];
  scrollTo(terminal, (start ?? 0) + Math.floor(anchor.offset / terminal.cols));
  return start !== undefined;
}

/** The line nearest to where it is expected that begins the same text; more may have been printed meanwhile. */
function nearest(
  buffer: IBuffer,
  starts: readonly number[],
  expected: number,
  texts: readonly string[],
): number | undefined {
  const same = (at: number) => {
    if (at < 0 || at + texts.length > starts.length) return false;
    return texts.every((text, index) => textOf(buffer, starts[at + index] ?? 0) === text);
  };
  for (let away = 0; away < starts.length; away += 1) {
    if (same(expected - away)) return expected - away;
    if (same(expected + away)) return expected + away;
  }
  return undefined;
}
