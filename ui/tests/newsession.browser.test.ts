// A session that takes its time to start: the form waits with it.
import { describe, expect, it } from 'vitest';
import { FakeWindow } from './support/fake-window';

const my = new FakeWindow();

describe('a start that takes time', () => {
  it('switches the form off, takes no second Enter, and shows the session', async () => {
    my.daemon.held.add('new_session');
    await my.open();
    await my.win.press('Control+Shift+N');
    await my.win.by('name').fill('slow');
    await my.win.by('name').press('Enter');
    await expect.poll(() => my.win.by('start').textContent()).toContain('Starting…');
    for (const field of ['name', 'directory', 'prompt', 'more-options'])
      expect(await my.win.by(field).isDisabled(), field).toBe(true);
    await my.win.press('Enter', 'Enter');
    await my.win.by('start').click({ force: true });
    expect(my.daemon.requested('new_session')).toHaveLength(1);
    my.daemon.release();
    await my.win.by('new-session-dialog').waitFor({ state: 'detached' });
    await my.win.row('slow').waitFor();
    expect(my.daemon.requested('new_session')).toHaveLength(1);
  });

  it('gives the keyboard back where it was when it fails', async () => {
    my.daemon.held.add('new_session');
    my.daemon.failures.set('new_session', { code: 'bad_request', message: 'It would not.' });
    await my.open();
    await my.win.press('Control+Shift+N');
    await my.win.by('name').fill('kept');
    await my.win.by('name').press('Enter');
    await expect.poll(() => my.win.by('name').isDisabled()).toBe(true);
    my.daemon.release();
    await my.win.by('form-error').waitFor();
    await expect.poll(() => my.page.evaluate(() => document.activeElement?.id)).toBe('name');
    expect(await my.win.by('name').inputValue()).toBe('kept');
  });

  it('closes nothing else where it was left meanwhile', async () => {
    my.daemon.held.add('new_session');
    await my.open();
    await my.win.press('Control+Shift+N');
    await my.win.by('name').fill('left');
    await my.win.by('name').press('Enter');
    await expect.poll(() => my.daemon.requested('new_session').length).toBe(1);
    await my.win.press('Escape');
    await my.win.by('new-session-dialog').waitFor({ state: 'detached' });
    await my.win.press('Control+Shift+Comma');
    await my.win.by('settings').waitFor();
    my.daemon.release();
    await my.win.row('left').waitFor();
    expect(await my.win.by('settings').isVisible()).toBe(true);
  });
});
