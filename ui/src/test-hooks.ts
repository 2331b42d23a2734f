import type { Belfry } from '$lib/state/belfry.svelte';

/** What browser tests may look at; only in builds with `VITE_TEST_HOOKS=1`. */
export interface TestHooks {
  /** All lines of a session's terminal, scrollback first, trailing blanks cut. */
  text(session: string): string[];
  size(session: string): { cols: number; rows: number } | null;
  scroll(session: string): { baseY: number; viewportY: number } | null;
  scrollToTop(session: string): void;
  /** Scrolls so that the line that begins with a text is at the top. */
  scrollToLine(session: string, text: string): void;
  selectAll(session: string): void;
  /** Feeds bytes as if they came from the daemon, and resolves when they are parsed. */
  write(session: string, text: string): Promise<void>;
  /** Lets the terminal's parser throw once, as it does on some input. */
  breakParser(session: string): void;
  /** What the terminal sent since the last call. */
  sent(session: string): string[];
  liveViews(): number;
}

declare global {
  interface Window {
    __belfry?: TestHooks;
  }
}

export function exposeToTests(belfry: Belfry): void {
  const terminal = (session: string) => belfry.views.get(session)?.terminal;
  const recorded = new Map<string, string[]>();
  window.__belfry = {
    text(session) {
      const buffer = terminal(session)?.buffer.active;
      if (!buffer) return [];
      return Array.from(
        { length: buffer.length },
        (_, at) => buffer.getLine(at)?.translateToString(true) ?? '',
      );
    },
    size: (session) => {
      const found = terminal(session);
      return found ? { cols: found.cols, rows: found.rows } : null;
    },
    scroll: (session) => {
      const buffer = terminal(session)?.buffer.active;
      return buffer ? { baseY: buffer.baseY, viewportY: buffer.viewportY } : null;
    },
    scrollToTop: (session) => terminal(session)?.scrollToTop(),
    scrollToLine(session, text) {
      const row = this.text(session).findIndex((line) => line.startsWith(text));
      if (row >= 0) terminal(session)?.scrollToLine(row);
    },
    selectAll: (session) => terminal(session)?.selectAll(),
    write: (session, text) =>
      new Promise((resolve) => {
        const found = terminal(session);
        if (found) found.write(text, resolve);
        else resolve();
      }),
    breakParser(session) {
      const found = terminal(session);
      found?.parser.registerOscHandler(9999, () => {
        throw new Error('thrown by a test');
      });
      found?.write('\x1b]9999;x\x07');
    },
    sent(session) {
      const known = recorded.get(session);
      if (!known) {
        const list: string[] = [];
        recorded.set(session, list);
        terminal(session)?.onData((data) => list.push(data));
        return [];
      }
      return known.splice(0);
    },
    liveViews: () => belfry.views.size,
  };
}
