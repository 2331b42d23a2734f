import type { Client } from '../client/client';
import { ownTheme, type NamedTheme } from '../terminal/themes';
import { Setting } from './setting';

/** Most themes that are kept: each is half a kilobyte. */
const MOST = 50;

/** Terminal themes that the person has taken in from files. */
export class OwnThemes {
  private readonly setting: Setting;
  list = $state.raw<readonly NamedTheme[]>([]);

  constructor(client: Client) {
    this.setting = new Setting(client, 'themes');
  }

  get(id: string): NamedTheme | undefined {
    return this.list.find((theme) => theme.id === id);
  }

  async load(): Promise<void> {
    const value = await this.setting.load().catch(() => undefined);
    if (Array.isArray(value)) this.list = value.flatMap((one) => ownTheme(one) ?? []).slice(0, MOST);
  }

  /** Adds a theme, in place of one of the same name. */
  add(theme: NamedTheme): void {
    this.list = [theme, ...this.list.filter(({ id }) => id !== theme.id)].slice(0, MOST);
    this.setting.save(this.list);
  }

  remove(id: string): void {
    this.list = this.list.filter((theme) => theme.id !== id);
    this.setting.save(this.list);
  }
}
