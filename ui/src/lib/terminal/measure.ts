import type { Terminal } from '@xterm/xterm';
import type { Size } from '../client/generated/protocol';

/** Height of JetBrains Mono's line in em: ascent 1020 and descent 300 of 1000 units, from the font's `hhea` table. */
const FONT_LINE = 1.32;

/**
 * xterm's `lineHeight` for rows without gaps. The terminal rounds a line up to whole device pixels, which leaves a
 * hairline between block characters; this rounds it down instead, and the overlap is cut off.
 */
export function lineHeight(fontSize: number, pixelRatio: number): number {
  const exact = FONT_LINE * fontSize * pixelRatio;
  return (Math.floor(exact) + 0.01) / Math.ceil(exact);
}

/** Pixels at the right of a terminal that its scroll bar needs. */
export const SCROLL_BAR = 10;

/** The size that a terminal has room for in `width` by `height` pixels, or nothing where it cannot be told. */
export function fit(terminal: Terminal, width: number, height: number): Size | undefined {
  const screen = terminal.element?.querySelector<HTMLElement>('.xterm-screen');
  if (!screen || !screen.offsetWidth || !screen.offsetHeight || width <= 0 || height <= 0) return undefined;
  const cellWidth = screen.offsetWidth / terminal.cols;
  const cellHeight = screen.offsetHeight / terminal.rows;
  return fitCells(width, height, cellWidth, cellHeight);
}

export function fitCells(width: number, height: number, cellWidth: number, cellHeight: number): Size {
  const clamp = (value: number, low: number) => Math.min(1000, Math.max(low, Math.floor(value)));
  return { cols: clamp(width / cellWidth, 2), rows: clamp(height / cellHeight, 1) };
}
