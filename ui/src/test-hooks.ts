import type { Belfry } from '$lib/state/belfry.svelte';

/** What an element looks like, as text. */
const markup = (element: Element | null | undefined): string | undefined =>
  element ? new XMLSerializer().serializeToString(element) : undefined;

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
  /** A number for the screen that a session has; screens go from one session to another. */
  screen(session: string): number | null;
  /** All that can be told of a session's terminal from outside. */
  look(session: string): Record<string, unknown>;
  /** Looks for a text, and marks where it is. */
  find(session: string, text: string): void;
}

declare global {
  interface Window {
    __belfry?: TestHooks;
  }
}

export function exposeToTests(belfry: Belfry): void {
  const terminal = (session: string) => belfry.views.get(session)?.terminal;
  const recorded = new Map<string, string[]>();
  const screens: unknown[] = [];
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
    screen(session) {
      const found = belfry.views.get(session)?.screen;
      if (!found) return null;
      if (!screens.includes(found)) screens.push(found);
      return screens.indexOf(found);
    },
    look(session) {
      const found = terminal(session);
      const element = found?.element;
      const ground = element?.querySelector('.xterm-scrollable-element');
      return {
        lines: this.text(session),
        modes: found?.modes,
        type: found?.buffer.active.type,
        cursor: [found?.buffer.active.cursorX, found?.buffer.active.cursorY],
        selection: found?.getSelection(),
        markers: found?.markers.length,
        classes: element?.className.replace(/xterm-dom-renderer-owner-\d+/, ''),
        // Where it stands in the cells depends on the size that the screen was built with.
        rows: markup(element?.querySelector('.xterm-rows'))?.replaceAll(
          / style="letter-spacing[^"]*"| letter-spacing:[^;"]*;/g,
          '',
        ),
        decorations: markup(element?.querySelector('.xterm-decoration-container')),
        textarea: found?.textarea?.value,
        ground: ground && getComputedStyle(ground).backgroundColor,
        palette: [...(element?.querySelectorAll('.xterm-rows span') ?? [])].map(
          (span) => getComputedStyle(span).color,
        ),
      };
    },
    find(session, text) {
      const decorations = { matchOverviewRuler: '#ff0000', activeMatchColorOverviewRuler: '#00ff00' };
      belfry.views.get(session)?.search.findNext(text, { decorations });
    },
  };
}
