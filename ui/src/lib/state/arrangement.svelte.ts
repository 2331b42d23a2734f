import type { Client } from '../client/client';
import { drop, type Target } from '../layout/drop';
import { restoreLayout } from '../layout/stored';
import { Trail } from '../layout/trail';
import * as tree from '../layout/tree';
import { NamedLayouts } from './named-layouts.svelte';
import { Setting } from './setting';

/** Closed tabs that can be opened again. */
const REMEMBERED = 30;

interface Closed {
  session: string;
  pane: string;
  index: number;
}

/** Which sessions are open where in this window. */
export class Arrangement {
  layout = $state.raw<tree.Layout>(tree.emptyLayout());
  /** All sessions at once, small, in place of the panes. */
  grid = $state(false);
  readonly trail = new Trail();
  readonly named: NamedLayouts;
  /** What was kept has been read, and what happens from now on is kept in turn. */
  private restored = false;
  private readonly setting: Setting;
  private closed = $state.raw<readonly Closed[]>([]);

  readonly focused = $derived(tree.focusedSession(this.layout));
  readonly visible = $derived(
    new Set(this.zoomed ? [this.focused].filter((id) => id !== null) : tree.visibleSessions(this.layout)),
  );

  constructor(
    client: Client,
    /** What is kept is on a disk, where nothing names a private session. */
    private readonly mayBeKept: (session: string) => boolean,
  ) {
    this.setting = new Setting(client, 'window.main.layout');
    this.named = new NamedLayouts(client);
  }

  /** The pane with the attention has the whole room. */
  get zoomed(): boolean {
    return this.layout.zoomed && this.layout.root.kind === 'split';
  }

  /** Reads the layout of last time, once. */
  async restore(exists: (session: string) => boolean): Promise<void> {
    if (this.restored) return;
    let stored: unknown;
    try {
      stored = await this.setting.load();
    } catch {
      // The connection was lost again; nothing is kept over what is there until it has been read.
      return;
    }
    if (this.restored) return;
    this.restored = true;
    void this.named.load();
    // The person was quicker: what is open now counts.
    if (tree.panes(this.layout.root).some((pane) => pane.tabs.length > 0)) return;
    this.layout = restoreLayout(stored, exists);
    this.visit();
  }

  change(operation: (layout: tree.Layout) => tree.Layout): void {
    const changed = operation(this.layout);
    if (changed === this.layout) return;
    this.layout = changed;
    this.visit();
    if (this.restored) this.setting.save(tree.only(changed, this.mayBeKept));
  }

  /** Closes the tabs of sessions that are gone. */
  prune(exists: (session: string) => boolean): void {
    this.change((layout) => tree.only(layout, exists));
  }

  /** Closes tabs; they can be opened again. */
  close(...sessions: string[]): void {
    for (const session of sessions) {
      const pane = tree.paneOf(this.layout, session);
      if (!pane) continue;
      const closed = { session, pane: pane.id, index: pane.tabs.indexOf(session) };
      this.closed = [...this.closed.filter((one) => one.session !== session), closed].slice(-REMEMBERED);
      this.change((layout) => tree.close(layout, session));
    }
  }

  /** Closes a pane with all its tabs; the last one is emptied. */
  closePane(id: string): void {
    const tabs = tree.findPane(this.layout, id)?.tabs ?? [];
    if (tabs.length > 0) this.close(...tabs);
    else this.change((layout) => tree.closePane(layout, id));
  }

  canReopen(exists: (session: string) => boolean): boolean {
    return this.closed.some(({ session }) => exists(session) && !tree.paneOf(this.layout, session));
  }

  /** Opens the tab that was closed last, where it was if that pane is still there. */
  reopen(exists: (session: string) => boolean): boolean {
    while (this.closed.length > 0) {
      const last = this.closed.at(-1);
      this.closed = this.closed.slice(0, -1);
      if (!last || !exists(last.session) || tree.paneOf(this.layout, last.session)) continue;
      const there = tree.findPane(this.layout, last.pane);
      const { id, tabs } = there ?? tree.focusedPane(this.layout);
      const index = there ? last.index : tabs.length;
      this.change((layout) => drop(layout, last.session, { kind: 'tab', pane: id, index }));
      return true;
    }
    return false;
  }

  drop(session: string, target: Target): void {
    this.change((layout) => drop(layout, session, target));
  }

  /** A new pane beside the one with the attention: for its front tab where it has others, else an empty one. */
  split(edge: tree.Edge): void {
    this.change((layout) => {
      const pane = tree.focusedPane(layout);
      return pane.active !== null && pane.tabs.length > 1
        ? tree.moveBeside(layout, pane.active, pane.id, edge)
        : tree.splitEmpty(layout, pane.id, edge);
    });
  }

  zoom(on = !this.zoomed): void {
    this.change((layout) =>
      layout.zoomed === on || (on && layout.root.kind === 'pane') ? layout : { ...layout, zoomed: on },
    );
  }

  /** Replaces all that is open by a layout that was given a name. */
  switchTo(name: string, exists: (session: string) => boolean): boolean {
    const stored = this.named.get(name);
    if (stored === undefined) return false;
    this.change(() => restoreLayout(stored, exists));
    return true;
  }

  /** Keeps what is open under a name; what is kept has no private sessions. */
  saveAs(name: string): void {
    this.named.put(name, tree.only(this.layout, this.mayBeKept));
  }

  private visit(): void {
    const { focused } = this;
    if (focused !== null) this.trail.visit(focused);
  }
}
