import type { Size } from '../client/generated/protocol';
import { ScreenPool } from './pool';
import { TerminalView, type ViewPorts } from './view';

/** Hidden views whose last screen is kept, so that coming back to them shows something before the snapshot is in. */
const RECENT = 4;
/** Milliseconds after which a window that nobody can see stops its views' flow. */
const HIDDEN_GRACE = 5_000;

/** Milliseconds after which nothing that a view's end set going goes on any more. */
const QUIET = 500;

/** The window's live terminals: those that are shown, and the few that were shown last. Components come and go. */
export class ViewRegistry {
  private readonly views = new Map<string, TerminalView>();
  private readonly hosts = new Map<string, HTMLElement>();
  private readonly screens: ScreenPool;
  private hiddenTimer: ReturnType<typeof setTimeout> | undefined;
  private tidying = false;

  constructor(private readonly ports: ViewPorts) {
    this.screens = new ScreenPool(() => ports.preferences());
    document.addEventListener('visibilitychange', () => this.visibility());
  }

  /** Asks for a session that `show` is going to bring to where it is shown at that size. */
  prepare(session: string, size: Size, focused: boolean, show: () => void): void {
    this.last(session).prepare(size, focused);
    show();
    // Something else may have come of it.
    this.views.get(session)?.settle();
  }

  /**
   * Shows a session in a host. Again with the same host: nothing happens. With `small`, the session's size, it is shown
   * whole and leaves that size as it is.
   */
  attach(session: string, host: HTMLElement, small?: Size): TerminalView {
    const view = this.last(session);
    this.hosts.set(session, host);
    // With the first snapshot, which is the end of what the person waits for.
    const stop = view.listen(() => {
      if (!view.state.shown) return;
      stop();
      this.tidy();
    });
    view.attach(host, small);
    return view;
  }

  /** Hides a session, unless another host has taken it over in between. */
  detach(session: string, host: HTMLElement): void {
    if (this.hosts.get(session) !== host) return;
    this.hosts.delete(session);
    // It may only move: the place that it goes to is made after the one that it leaves is gone.
    queueMicrotask(() => {
      if (!this.hosts.has(session)) this.views.get(session)?.detach();
    });
    // Where another session takes the place, that one's first snapshot is earlier.
    setTimeout(() => this.tidy(), QUIET);
  }

  /** Forgets a session that is gone. */
  drop(session: string): void {
    this.hosts.delete(session);
    this.views.get(session)?.dispose();
    this.views.delete(session);
  }

  get(session: string): TerminalView | undefined {
    return this.views.get(session);
  }

  /** The view that has the keyboard. */
  focused(): TerminalView | undefined {
    return [...this.views.values()].find((view) => view.focused);
  }

  /** Live terminals, shown or not. */
  get size(): number {
    return this.views.size;
  }

  applyPreferences(): void {
    for (const session of this.hosts.keys()) this.views.get(session)?.applyPreferences();
  }

  /** A session's view, which is the last used one from now on; that is the last in the map. */
  private last(session: string): TerminalView {
    const view = this.views.get(session) ?? new TerminalView(session, this.ports, this.screens);
    this.views.delete(session);
    this.views.set(session, view);
    return view;
  }

  /** What nobody waits for, once the frame with what they do wait for has been painted. */
  private tidy(): void {
    if (this.tidying) return;
    this.tidying = true;
    requestAnimationFrame(() =>
      setTimeout(() => {
        this.tidying = false;
        this.thin();
        const [shown] = this.hosts.keys();
        const terminal = shown === undefined ? undefined : this.views.get(shown)?.terminal;
        if (terminal) this.screens.restock(terminal);
      }),
    );
  }

  private thin(): void {
    const hidden = [...this.views.keys()].filter((id) => !this.hosts.has(id));
    for (const id of hidden.slice(0, Math.max(0, hidden.length - RECENT))) this.drop(id);
  }

  private visibility(): void {
    clearTimeout(this.hiddenTimer);
    const shown = [...this.hosts.keys()].map((session) => this.views.get(session));
    if (document.hidden) {
      this.hiddenTimer = setTimeout(() => shown.forEach((view) => view?.suspend()), HIDDEN_GRACE);
    } else shown.forEach((view) => view?.resume());
  }
}
