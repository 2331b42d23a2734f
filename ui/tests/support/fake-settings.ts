import type { Request, Settings, SettingsState } from '../../src/lib/client/generated/protocol';
import { replaced } from '../../src/lib/state/replaced';

/** As a daemon without a file answers. */
function usual(): Settings {
  return {
    appearance: {
      theme: 'system',
      terminal_dark: 'belfry-dark',
      terminal_light: 'belfry-light',
      scale: 100,
    },
    fonts: { family: null, size: 13 },
    terminal: { copy_on_select: false, screen_reader: false, renderer: 'auto', message_box: true },
    keys: {},
    notifications: {
      waiting: true,
      blocked: true,
      done: true,
      died: true,
      done_after_seconds: 10,
      do_not_disturb: false,
      quiet_hours: null,
      sounds: true,
      volume: 60,
      sound_waiting: true,
      sound_blocked: true,
      sound_done: true,
      sound_died: true,
    },
    tray: { show: true, close_to_tray: false },
    shortcut: { show: 'Ctrl+Alt+B' },
    agents: {},
    workspaces: { kind: 'directory', first_port: 3100, last_port: 3999, ports: 10 },
    sessions: { resume_after_reboot: false, find: true, adopt: false },
    hibernate: { after_minutes: 0, above_sessions: 0, above_memory_mb: 0 },
    privacy: { journal_cap_mb: 64, history_days: 90 },
  };
}

/** The settings of a fake daemon; no file is written. */
export class FakeSettings {
  state: SettingsState = {
    settings: usual(),
    file: '/home/dev/.config/belfry/settings.toml',
    error: null,
    warnings: [],
    defaults: false,
  };

  /** Every change that was asked for. */
  readonly changes: { path: string; value: unknown }[] = [];

  set(path: string, value: unknown): void {
    const keys = path.split('.');
    if (value === null) {
      const [section, name] = keys as [keyof Settings, string];
      const before = { ...(this.state.settings[section] as Record<string, unknown>) };
      const normal = usual()[section] as Record<string, unknown>;
      if (Object.hasOwn(normal, name)) before[name] = normal[name];
      else delete before[name];
      this.state = { ...this.state, settings: { ...this.state.settings, [section]: before } };
      return;
    }
    this.state = { ...this.state, settings: replaced(this.state.settings, keys, value) as Settings };
  }

  /** The answer to a request about settings; none where it is about something else. */
  answer(request: Request): SettingsState | undefined {
    if (request.method === 'change_setting') {
      this.changes.push({ path: request.params.path, value: request.params.value });
      this.set(request.params.path, request.params.value);
    }
    const about = ['get_settings', 'make_settings_file', 'change_setting'].includes(request.method);
    return about ? this.state : undefined;
  }
}
