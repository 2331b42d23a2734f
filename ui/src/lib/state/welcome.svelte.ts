import type { Client } from '../client/client';
import { Setting } from './setting';

/** Whether the person still has to be welcomed: once, on the first day, for all windows. */
export class Welcome {
  private readonly setting: Setting;
  /** Not known before the daemon has answered. */
  private seen = $state<boolean | null>(null);

  constructor(client: Client) {
    this.setting = new Setting(client, 'welcomed');
  }

  get due(): boolean {
    return this.seen === false;
  }

  async load(): Promise<void> {
    // Where it cannot be asked nobody is greeted a second time.
    this.seen = await this.setting.load().then(
      (value) => value === true,
      () => true,
    );
  }

  done(): void {
    if (this.seen) return;
    this.seen = true;
    this.setting.save(true);
  }
}
