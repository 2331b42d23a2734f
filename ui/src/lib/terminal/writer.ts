import type { Terminal } from '@xterm/xterm';
import { holdPainting } from './internals';
import type { Snapshot } from './snapshot';

/** Reset, then hold painting back until the whole snapshot is in (xterm.js 6 knows synchronized output). */
const BEGIN = '\x1bc\x1b[?2026h';
const END = '\x1b[?2026l';

/**
 * Puts a snapshot in place of all that the terminal has: nothing half-done is ever painted, and whoever had scrolled up
 * stays at the same lines, counted from the bottom. `done` is called when it is parsed.
 */
export function writeSnapshot(terminal: Terminal, snapshot: Snapshot, done: () => void): void {
  let fromBottom = 0;
  let release = () => {};
  terminal.write('', () => {
    const { baseY, viewportY } = terminal.buffer.active;
    fromBottom = baseY - viewportY;
    release = holdPainting(terminal);
  });
  terminal.write(BEGIN);
  for (const piece of snapshot.pieces) terminal.write(piece);
  terminal.write('', () => {
    release();
    if (fromBottom > 0) terminal.scrollToLine(Math.max(0, terminal.buffer.active.baseY - fromBottom));
  });
  terminal.write(END, done);
}
