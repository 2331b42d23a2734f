import type { Client } from '../client/client';
import * as tree from '../layout/tree';
import { restoreLayout } from '../layout/stored';
import { Setting } from './setting';

/** Which sessions are open where in this window. */
export class Arrangement {
  layout = $state.raw<tree.Layout>(tree.emptyLayout());
  /** What was kept has been read, and what happens from now on is kept in turn. */
  private restored = false;
  private readonly setting: Setting;

  readonly focused = $derived(tree.focusedSession(this.layout));
  readonly visible = $derived(new Set(tree.visibleSessions(this.layout)));

  constructor(
    client: Client,
    /** What is kept is on a disk, where nothing names a private session. */
    private readonly mayBeKept: (session: string) => boolean,
  ) {
    this.setting = new Setting(client, 'window.main.layout');
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
    // The person was quicker: what is open now counts.
    if (tree.panes(this.layout.root).some((pane) => pane.tabs.length > 0)) return;
    this.layout = restoreLayout(stored, exists);
  }

  change(operation: (layout: tree.Layout) => tree.Layout): void {
    const changed = operation(this.layout);
    if (changed === this.layout) return;
    this.layout = changed;
    if (this.restored) this.setting.save(tree.only(changed, this.mayBeKept));
  }

  /** Closes the tabs of sessions that are gone. */
  prune(exists: (session: string) => boolean): void {
    this.change((layout) => tree.only(layout, exists));
  }
}
