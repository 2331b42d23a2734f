import type { Client } from '../client/client';
import type { Settings as Values, SettingsState } from '../client/generated/protocol';
import { changedKeys } from './changed-keys.svelte';
import { replaced } from './replaced';
import { say } from '../words';

/** What the person has set: one file, which they and every window edit; the daemon reads and writes it. */
export class Settings {
  /** None before the daemon has answered. */
  state = $state.raw<SettingsState | null>(null);
  /** The file's error that the person was told of. */
  private told = '';
  /** Changes that were sent and not answered. */
  private pending = 0;

  constructor(
    private readonly client: Client,
    private readonly fail: (text: string) => void,
    private readonly taken: (values: Values) => void,
  ) {}

  get values(): Values | undefined {
    return this.state?.settings;
  }

  async load(): Promise<void> {
    const state = await this.client.request('settings', { method: 'get_settings' }).catch(() => null);
    if (!state) return;
    this.take(state);
    this.tell(state);
  }

  /** A file that was broken before the window opened: nothing else would say so. */
  private tell({ error, file, defaults }: SettingsState): void {
    const name = file.replace(/^.*[\\/]/, '');
    const place = error && error.line > 0 ? say.window.lineAndColumn(error.line, error.column) : '';
    const force = defaults ? say.window.theDefaultSettings : say.window.theLastSettingsWithoutAnError;
    const text = error ? say.window.settingsAtFault(name, place, error.text, force) : '';
    if (text && text !== this.told) this.fail(text);
    this.told = text;
  }

  /** How the settings are now. While changes are on their way, an older state would take them back for a moment. */
  take(state: SettingsState): void {
    if (this.pending > 0) return;
    this.state = state;
    changedKeys.set(state.settings.keys);
    this.taken(state.settings);
  }

  /** Changes one setting: here at once, in the file as soon as the daemon has written it. Null brings back the default. */
  async change(path: readonly string[], value: unknown): Promise<boolean> {
    if (!this.state) {
      this.fail(say.window.settingsCannotBeChangedWhileBelfryIs);
      return false;
    }
    if (value !== null) {
      this.state = { ...this.state, settings: replaced(this.state.settings, path, value) as Values };
      changedKeys.set(this.state.settings.keys);
      this.taken(this.state.settings);
    }
    this.pending += 1;
    let answer: SettingsState | null = null;
    try {
      answer = await this.client.request('settings', {
        method: 'change_setting',
        params: { path: dotted(path), value },
      });
    } catch (error) {
      this.fail(error instanceof Error ? error.message : String(error));
    }
    this.pending -= 1;
    if (answer) this.take(answer);
    else if (this.pending === 0) await this.load();
    return answer !== null;
  }

  /** Makes the file where there is none, so that it can be opened; its path. */
  async makeFile(): Promise<string | null> {
    try {
      const state = await this.client.request('settings', { method: 'make_settings_file' });
      this.take(state);
      return state.file;
    } catch (error) {
      this.fail(error instanceof Error ? error.message : String(error));
      return null;
    }
  }
}

/** A key as TOML writes it; a command's name stands as it is. */
function dotted(path: readonly string[]): string {
  const bare = (part: string) => path[0] === 'keys' || /^[A-Za-z0-9_-]+$/.test(part);
  return path.map((part) => (bare(part) ? part : JSON.stringify(part))).join('.');
}
