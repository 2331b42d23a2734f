import type { Client } from '../client/client';
import { Setting } from './setting';

export const INSPECTOR_TABS = ['summary', 'changes', 'outline', 'history', 'details'] as const;
export type InspectorTab = (typeof INSPECTOR_TABS)[number];

/** Widths of the window from which it has room beside the panes: when it was asked for, and when it was not. */
const ROOM = { asked: '(min-width: 1000px)', usual: '(min-width: 1200px)' };

/** What is told of the session in front, at the right of the panes. */
export class Inspector {
  tab = $state<InspectorTab>('summary');
  /** Opened in a window that has no room for it: it lies over the panes, and that is not kept. */
  over = $state(false);
  private wanted = $state<boolean | null>(null);
  private readonly setting: Setting;
  private roomy = $state({ asked: true, usual: true });

  constructor(client: Client) {
    this.setting = new Setting(client, 'window.main.inspector');
    for (const which of ['asked', 'usual'] as const) {
      const media = matchMedia(ROOM[which]);
      this.roomy[which] = media.matches;
      media.addEventListener('change', ({ matches }) => {
        this.roomy[which] = matches;
        if (matches) this.over = false;
      });
    }
  }

  /** It has its place beside the panes. */
  get docked(): boolean {
    return this.wanted === null ? this.roomy.usual : this.wanted && this.roomy.asked;
  }

  get shown(): boolean {
    return this.docked || this.over;
  }

  toggle(): void {
    if (this.roomy.asked) {
      this.wanted = !this.docked;
      this.over = false;
      this.keep();
    } else this.over = !this.over;
  }

  show(tab: InspectorTab): void {
    this.choose(tab);
    if (!this.shown) this.toggle();
  }

  choose(tab: InspectorTab): void {
    if (this.tab === tab) return;
    this.tab = tab;
    this.keep();
  }

  async load(): Promise<void> {
    const stored = await this.setting.load().catch(() => null);
    if (typeof stored !== 'object' || stored === null) return;
    const { open, tab } = stored as { open?: unknown; tab?: unknown };
    if (typeof open === 'boolean') this.wanted = open;
    this.tab = INSPECTOR_TABS.find((one) => one === tab) ?? this.tab;
  }

  private keep(): void {
    this.setting.save({ open: this.wanted, tab: this.tab });
  }
}
