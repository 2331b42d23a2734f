// Settings, from the page to the daemon and back, against a daemon that only pretends.
import { describe, expect, it } from 'vitest';
import { FakeWindow } from './support/fake-window';

const my = new FakeWindow();

async function openSettings(page: string): Promise<void> {
  await my.win.press('Control+Shift+Comma');
  await my.win.by('settings').waitFor();
  await my.win.by(`settings-${page}`).click();
}

const changes = () => my.daemon.set.changes;

describe('settings', () => {
  it('change the window at once, and are kept by the daemon', async () => {
    await my.open();
    await openSettings('appearance');
    await my.page.getByText('Light', { exact: true }).click();
    await expect.poll(() => my.page.evaluate(() => document.documentElement.dataset['theme'])).toBe('light');
    await expect.poll(changes).toContainEqual({ path: 'appearance.theme', value: 'light' });
  });

  it('follow the file that somebody edits', async () => {
    await my.open();
    await openSettings('notifications');
    my.daemon.set.set('notifications.sounds', false);
    my.daemon.event({ event: 'settings', state: my.daemon.set.state });
    await expect.poll(() => my.win.by('sounds').isChecked()).toBe(false);
    my.daemon.set.state = {
      ...my.daemon.set.state,
      error: { line: 7, column: 12, text: 'expected a value' },
    };
    my.daemon.event({ event: 'settings', state: my.daemon.set.state });
    const error = my.win.by('settings-error');
    await error.waitFor();
    expect(await error.textContent()).toContain('Line 7, column 12: expected a value');
  });

  it('record keys, say which are taken, and bring the usual ones back', async () => {
    await my.open();
    await openSettings('keys');
    await my.win.by('find-key').fill('new session');
    const row = my.win.by('key-new-session');
    await row.getByText('Change').click();
    await my.win.press('Control+Alt+KeyN');
    await row.getByText('Ctrl Alt N').waitFor();
    expect(changes().at(-1)).toEqual({ path: 'keys.new-session', value: ['Ctrl+Alt+N'] });
    // While a key is recorded it does nothing else; afterwards it does what it is for.
    await my.win.press('Escape');
    await my.win.press('Control+Alt+KeyN');
    await my.win.by('new-session-dialog').waitFor();
    await my.win.press('Escape');
    await openSettings('keys');
    await my.win.by('key-palette').getByText('Change').click();
    await my.win.press('Control+Alt+KeyN');
    await my.win.by('key-palette').getByText('Ctrl Alt N is also').waitFor();
    await my.win.by('reset-keys').click();
    await my.win.by('key-palette').getByText('Ctrl Shift K').waitFor();
    expect(my.daemon.set.state.settings.keys).toEqual({});
  });

  it('refuse a key that people type', async () => {
    await my.open();
    await openSettings('keys');
    await my.win.by('key-new-session').getByText('Change').click();
    await my.win.press('a');
    await my.page.getByText('is what people type').waitFor();
    await my.win.press('Control+KeyC');
    await my.page.getByText('is what programs in terminals are steered with').waitFor();
    expect(changes()).toEqual([]);
  });

  it('take in a theme of another terminal', async () => {
    await my.open();
    await openSettings('appearance');
    const colors = Array.from({ length: 16 }, (_, at) => `palette = ${at}=#10203${at.toString(16)}`);
    await my.win.by('theme-file').setInputFiles({
      name: 'Mine.conf',
      mimeType: 'text/plain',
      buffer: Buffer.from(['background = 101010', 'foreground = eeeeee', ...colors].join('\n')),
    });
    await my.page.getByText('Mine', { exact: true }).waitFor();
    await expect.poll(changes).toContainEqual({ path: 'appearance.terminal_dark', value: 'own-mine' });
    await my.win.by('theme-file').setInputFiles({
      name: 'x.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('no theme'),
    });
    await my.page.getByText('No colours were found').waitFor();
  });

  it('are walked by keyboard alone', async () => {
    await my.open();
    await my.win.press('Control+Shift+Comma');
    await my.win.by('settings').waitFor();
    await my.win.by('settings-appearance').focus();
    await my.win.press('ArrowDown', 'ArrowDown');
    await my.win.by('do-not-disturb').waitFor();
    await my.win.press('Tab', 'Tab', 'Space');
    await expect.poll(changes).toContainEqual({ path: 'notifications.do_not_disturb', value: true });
    await my.win.press('Escape');
    await my.win.by('settings').waitFor({ state: 'detached' });
  });
});
