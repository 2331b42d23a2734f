import { TerminalView, type ViewPorts } from './view';

/** Hidden views whose last screen is kept, so that coming back to them shows something before the snapshot is in. */
const RECENT = 4;
/** Milliseconds after which a window that nobody can see stops its views' flow. */
const HIDDEN_GRACE = 5_000;

/** The window's live terminals: those that are shown, and the few that were shown last. Components come and go. */
export class ViewRegistry {
  private readonly views = new Map<string, TerminalView>();
  private readonly hosts = new Map<string, HTMLElement>();
  private hiddenTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ports: ViewPorts) {
    document.addEventListener('visibilitychange', () => this.visibility());
  }

  /** Shows a session in a host. Again with the same host: nothing happens. */
  attach(session: string, host: HTMLElement): TerminalView {
    let view = this.views.get(session);
    if (!view) view = new TerminalView(session, this.ports);
    // Last in the map is last used.
    this.views.delete(session);
    this.views.set(session, view);
    this.hosts.set(session, host);
    view.attach(host);
    return view;
  }

  /** Hides a session, unless another host has taken it over in between. */
  detach(session: string, host: HTMLElement): void {
    if (this.hosts.get(session) !== host) return;
    this.hosts.delete(session);
    this.views.get(session)?.detach();
    const hidden = [...this.views.keys()].filter((id) => !this.hosts.has(id));
    for (const id of hidden.slice(0, Math.max(0, hidden.length - RECENT))) this.drop(id);
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

  private visibility(): void {
    clearTimeout(this.hiddenTimer);
    const shown = [...this.hosts.keys()].map((session) => this.views.get(session));
    if (document.hidden) {
      this.hiddenTimer = setTimeout(() => shown.forEach((view) => view?.suspend()), HIDDEN_GRACE);
    } else shown.forEach((view) => view?.resume());
  }
}
