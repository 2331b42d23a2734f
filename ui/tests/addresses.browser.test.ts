// Projects by address: fetched with progress, stopped, tried again; against a pretended daemon.
import { describe, expect, it } from 'vitest';
import { FakeWindow } from './support/fake-window';

const my = new FakeWindow();
const fetching = () => [...my.daemon.workspaces.clonings.values()].at(-1)!;

async function ask(address: string) {
  await my.win.by('add-project').click();
  await my.win.by('directory').fill(address);
  await expect.poll(() => my.win.by('add-project-add').innerText()).toContain('Fetch');
  await my.win.press('Enter');
  await my.win.by('add-project-dialog').waitFor({ state: 'detached' });
}

describe('a project by its address', () => {
  it('is fetched with its progress in the list, and is a project then', async () => {
    my.add({ name: 'one' });
    await my.open();
    await ask('github.com/acme/ledger');
    const row = my.win.by('cloning');
    await expect.poll(() => row.innerText()).toContain('Fetching ledger');
    expect(my.daemon.workspaces.requested('clone_project')).toMatchObject([
      { url: 'https://github.com/acme/ledger', path: null },
    ]);
    my.daemon.workspaces.clone(fetching().id, { step: 'Receiving objects', percent: 41 });
    await expect.poll(() => row.innerText()).toContain('Receiving objects 41 %');
    expect(await row.locator('progress').getAttribute('value')).toBe('41');
    my.daemon.workspaces.clone(fetching().id, { end: { how: 'done' } });
    await row.waitFor({ state: 'detached' });
    await my.page.locator('[data-testid=section]', { hasText: 'ledger' }).waitFor();
  });

  it('can be stopped by the keyboard', async () => {
    my.add({ name: 'one' });
    await my.open();
    await ask('git@github.com:acme/ledger.git');
    await expect
      .poll(() => my.page.evaluate(() => document.activeElement?.getAttribute('data-testid')))
      .toBe('cloning-cancel');
    await my.win.press('Enter');
    await my.win.by('cloning').waitFor({ state: 'detached' });
    expect(my.daemon.workspaces.requested('cancel_clone')).toHaveLength(1);
    await expect.poll(() => my.win.by('toast').first().innerText()).toContain('What had come is deleted');
  });

  it('says why it did not come, and is tried again', async () => {
    my.add({ name: 'one' });
    await my.open();
    await ask('https://github.com/acme/nothing.git');
    const error = { code: 'git' as const, message: 'Repository not found', next: 'Look at the address' };
    my.daemon.workspaces.clone(fetching().id, { end: { how: 'failed', error } });
    const row = my.win.by('cloning');
    await expect.poll(() => row.innerText()).toContain('Repository not found. Look at the address.');
    await my.win.by('cloning-retry').click();
    await expect.poll(() => row.innerText()).toContain('Fetching nothing');
    my.daemon.workspaces.clone(fetching().id, { end: { how: 'failed', error } });
    await my.win.by('cloning-forget').click();
    await row.waitFor({ state: 'detached' });
    expect(my.daemon.workspaces.requested('clone_project')).toHaveLength(2);
  });

  it('is refused beside its field, which keeps what was typed', async () => {
    my.daemon.workspaces.failures.set('clone_project', {
      code: 'conflict',
      message: 'There is such a directory',
    });
    await my.open();
    await my.win.by('welcome-project').click();
    await my.win.by('directory').fill('https://github.com/acme/ledger.git');
    await my.win.by('clone-into').fill('~/src/mine');
    await my.win.press('Enter');
    await expect.poll(() => my.win.by('directory-error').innerText()).toContain('There is such a directory.');
    expect(await my.win.by('clone-into').inputValue()).toBe('~/src/mine');
    expect(my.daemon.workspaces.requested('clone_project')).toMatchObject([{ path: '~/src/mine' }]);
  });
});
