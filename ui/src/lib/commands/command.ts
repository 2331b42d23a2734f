import type { Belfry } from '../state/belfry.svelte';

/** Where a command stands in lists. */
export type Topic = 'Sessions' | 'Go' | 'Panes and tabs' | 'Terminal' | 'Window';

export interface Keys {
  /** Linux and Windows: with a terminal focused, Ctrl Shift and Alt combinations only. */
  other: readonly string[];
  /** macOS: Cmd combinations. */
  mac: readonly string[];
  /** The binding is the window's only where no terminal and no text field has the keyboard. */
  outside?: readonly string[];
}

/** Something that the window does, wherever it is asked for it: by key, in the palette, in a menu. */
export interface Command {
  id: string;
  title: string;
  topic: Topic;
  /** Other words that the palette finds it by. */
  words?: string;
  keys?: Keys;
  /** Its keys work while a dialog is open, too. */
  anywhere?: true;
  /** Text fields keep its keys: they mean something of their own there. */
  notInFields?: true;
  /** One of several that are told in one line: that line's words. */
  family?: string;
  /** Why it cannot be done just now. */
  unavailable?(belfry: Belfry): string | undefined;
  /** False: not dealt with, the browser may have the key. */
  run(belfry: Belfry): boolean | void;
}
