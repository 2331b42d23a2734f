import type { Client } from '../client/client';
import { COMMANDS, type Listed } from '../commands';
import { Setting } from './setting';

/** Commands that are remembered. */
const REMEMBERED = 12;
/** What a newcomer sees first. */
const FIRST = ['new-session', 'next-need', 'grid', 'split-right', 'keys'];

/** The commands that were chosen in the palette last, which come first in it. */
export class RecentCommands {
  private ids = $state.raw<readonly string[]>([]);
  private readonly setting: Setting;
  private loaded = false;

  constructor(client: Client) {
    this.setting = new Setting(client, 'window.main.commands');
  }

  async load(): Promise<void> {
    if (this.loaded) return;
    const stored = await this.setting.load().catch(() => undefined);
    if (stored === undefined || this.loaded) return;
    this.loaded = true;
    if (Array.isArray(stored)) this.ids = stored.filter((id): id is string => typeof id === 'string');
  }

  used(id: string): void {
    this.ids = [id, ...this.ids.filter((one) => one !== id)].slice(0, REMEMBERED);
    this.setting.save(this.ids);
  }

  /** All commands, those that were used last first. */
  get ordered(): readonly Listed[] {
    const first = [...new Set([...this.ids, ...FIRST])];
    const rank = (id: string) => (first.indexOf(id) + 1 || first.length + 1) - 1;
    return COMMANDS.toSorted((a, b) => rank(a.id) - rank(b.id));
  }
}
