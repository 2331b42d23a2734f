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

  it('say when the window opens that the file is broken, and which settings are in force', async () => {
    my.daemon.set.state = {
      ...my.daemon.set.state,
      error: { line: 3, column: 8, text: 'fonts.size: it is a whole number from 8 to 32, not `99`' },
    };
    await my.open();
    await my.page
      .getByText('settings.toml, line 3, column 8: fonts.size: it is a whole number from 8 to 32, not `99`')
      .waitFor();
    await openSettings('appearance');
    const said = await my.win.by('settings-error').textContent();
    expect(said).toContain('the last settings without one are in force');
    my.daemon.set.state = { ...my.daemon.set.state, defaults: true };
    my.daemon.event({ event: 'settings', state: my.daemon.set.state });
    await my.page.getByText('the default settings are in force').waitFor();
  });

  it('refuse a number that cannot be, and say which can', async () => {
    await my.open();
    await openSettings('privacy');
    const days = my.page.locator('#history-days');
    await days.fill('99999');
    await days.press('Tab');
    await my.page.getByText('a whole number from 1 to 3650').waitFor();
    expect(await days.getAttribute('aria-invalid')).toBe('true');
    expect(changes()).toEqual([]);
    await days.fill('30');
    await days.press('Tab');
    await expect.poll(changes).toContainEqual({ path: 'privacy.history_days', value: 30 });
    expect(await my.page.getByText('a whole number from 1 to 3650').count()).toBe(0);
  });

  it('say that a font is not there', async () => {
    await my.open();
    await openSettings('appearance');
    await my.page.locator('#font-family').fill('No Such Font At All');
    await my.page.locator('#font-family').press('Tab');
    await my.win.by('font-missing').waitFor();
    await my.page.locator('#font-family').fill('');
    await my.page.locator('#font-family').press('Tab');
    await my.win.by('font-missing').waitFor({ state: 'detached' });
  });

  it('move the volume by one', async () => {
    await my.open();
    my.daemon.set.set('notifications.volume', 33);
    my.daemon.event({ event: 'settings', state: my.daemon.set.state });
    await openSettings('notifications');
    const volume = my.page.locator('#volume');
    await expect.poll(() => volume.inputValue()).toBe('33');
    await volume.press('ArrowRight');
    await expect.poll(changes).toContainEqual({ path: 'notifications.volume', value: 34 });
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
