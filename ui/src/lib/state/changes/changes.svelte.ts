import type { Between, Session } from '../../client/generated/protocol';
import { Setting } from '../setting';
import type { Belfry } from '../belfry.svelte';
import { Review } from './review.svelte';

/** The changes of all sessions, as far as somebody has looked at them, and how they are shown. */
export class AllChanges {
  /** Before and after stand side by side. */
  split = $state(false);
  /** Files stand in their folders. */
  tree = $state(true);
  private readonly reviews = new Map<string, Review>();
  private readonly setting: Setting;

  constructor(private readonly belfry: Belfry) {
    this.setting = new Setting(belfry.client, 'window.main.changes');
  }

  of(id: string): Review {
    const found = this.reviews.get(id) ?? new Review(this.belfry, id);
    this.reviews.set(id, found);
    return found;
  }

  /** Shows a session's diff in its pane: of a file, between two states. */
  open(session: Session, path: string | null = null, between?: Between): void {
    const { pane } = this.of(session.id);
    void pane.show(path ?? pane.path, between ?? pane.between);
    this.belfry.faces.show(session.id, 'changes');
  }

  /** Opens the dialog that commits. */
  commit(id: string): void {
    const { dialogs } = this.belfry;
    dialogs.about = id;
    dialogs.open = 'commit';
  }

  setSplit(split: boolean): void {
    this.split = split;
    this.keep();
  }

  setTree(tree: boolean): void {
    this.tree = tree;
    this.keep();
  }

  forget(id: string): void {
    this.reviews.delete(id);
  }

  async load(): Promise<void> {
    const stored = await this.setting.load().catch(() => null);
    if (typeof stored !== 'object' || stored === null) return;
    const { split, tree } = stored as { split?: unknown; tree?: unknown };
    if (typeof split === 'boolean') this.split = split;
    if (typeof tree === 'boolean') this.tree = tree;
  }

  private keep(): void {
    this.setting.save({ split: this.split, tree: this.tree });
  }
}
