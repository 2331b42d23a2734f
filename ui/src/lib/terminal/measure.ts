import type { Terminal } from '@xterm/xterm';
import type { Size } from '../client/generated/protocol';

/** Height of JetBrains Mono's line in em: ascent 1020 and descent 300 of 1000 units, from the font's `hhea` table. */
const FONT_LINE = 1.32;

/**
 * The size to draw the font in, near the one that was asked for, so that rows join without gaps. The terminal rounds a
 * line up to whole device pixels, which leaves a hairline between block characters in most sizes; this is the largest
 * size, not above the wanted one, whose line is a whole number of device pixels by itself.
 */
export function drawnFontSize(wanted: number, pixelRatio: number): number {
  const pixels = Math.max(1, Math.floor(FONT_LINE * wanted * pixelRatio));
  // A touch less, or rounding errors would add a pixel.
  return (pixels / (FONT_LINE * pixelRatio)) * 0.9999;
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

/** Below this text is not read any more: 13 px would be drawn at 9. */
const SMALLEST_SCALE = 0.7;

/** A picture of a terminal is looked at, not read; below this it shows nothing any more. */
export const SMALLEST_PICTURE = 0.4;

/** How a terminal of one size is drawn where there is room for another, and whether it is cut off even so. */
export function fitInto(room: Size, size: Size): { scale: number; clipped: boolean } {
  const whole = Math.min(1, room.cols / size.cols, room.rows / size.rows);
  return { scale: Math.max(SMALLEST_SCALE, whole), clipped: whole < SMALLEST_SCALE };
}
