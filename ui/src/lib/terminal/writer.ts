import type { Terminal } from '@xterm/xterm';
import { goToAnchor, takeAnchor, type Anchor } from './anchor';
import { holdPainting } from './internals';
import type { Snapshot } from './snapshot';

/** Reset, then hold painting back until the whole snapshot is in (xterm.js 6 knows synchronized output). */
const BEGIN = '\x1bc\x1b[?2026h';
const END = '\x1b[?2026l';

/**
 * Puts a snapshot in place of all that the terminal has: nothing half-done is ever painted, and whoever had scrolled up
 * stays at the same lines, those of `wanted` or where they look now. `done` is called when it is parsed, with the anchor
 * where the snapshot does not reach back so far.
 */
export function writeSnapshot(
  terminal: Terminal,
  snapshot: Snapshot,
  wanted: Anchor | undefined,
  done: (missed: Anchor | undefined) => void,
): void {
  let anchor = wanted;
  let missed: Anchor | undefined;
  let release = () => {};
  terminal.write('', () => {
    anchor ??= takeAnchor(terminal);
    release = holdPainting(terminal);
  });
  terminal.write(BEGIN);
  for (const piece of snapshot.pieces) terminal.write(piece);
  terminal.write('', () => {
    release();
    if (anchor && !goToAnchor(terminal, anchor)) missed = anchor;
  });
  terminal.write(END, () => done(missed));
}
