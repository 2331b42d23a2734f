// The first day: before there is any session.
import { describe, expect, it } from 'vitest';
import { FakeWindow } from './support/fake-window';

const my = new FakeWindow();

describe('welcome', () => {
  it('finds agents, lets a call be tried, and starts the first session', async () => {
    await my.open();
    await my.win.by('welcome').waitFor();
    await my.win.by('first-codex').click();
    await my.win.by('welcome-start').click();
    await my.win.by('new-session-dialog').waitFor();
    const chosen = my.win.by('new-session-dialog').getByTestId('agent-codex');
    await expect.poll(() => chosen.getAttribute('aria-checked')).toBe('true');
    await my.win.press('Enter');
    await my.page.locator('[data-testid=terminal]').first().waitFor();
    await my.win.by('welcome').waitFor({ state: 'detached' });
    await expect.poll(() => my.daemon.settings.get('welcomed')).toBe(true);
  });

  it('comes once, and not to somebody who has sessions', async () => {
    await my.open();
    await my.win.by('welcome-skip').click();
    await my.win.by('empty-pane').waitFor();
    await expect.poll(() => my.daemon.settings.get('welcomed')).toBe(true);
    await my.page.reload();
    await my.win.by('empty-pane').waitFor();
    expect(await my.win.by('welcome').count()).toBe(0);
    my.daemon.settings.delete('welcomed');
    my.add({ name: 'one' });
    await my.page.reload();
    await my.win.by('empty-pane').waitFor();
    expect(await my.win.by('welcome').count()).toBe(0);
  });
});
