// A session that takes its time to start: the form waits with it.
import { beforeEach, describe, expect, it } from 'vitest';
import { FakeWindow } from './support/fake-window';
import { branches, scripts } from './support/fake-workspaces';
import { RULES } from './support/scenes-workspaces';

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

describe('where a new session works', () => {
  const started = () => my.daemon.requested('new_session').at(-1)?.params;
  const hint = () => my.win.by('where-hint').innerText();
  const known = (part: Parameters<typeof branches>[0]) => (my.daemon.workspaces.branches = branches(part));
  async function open() {
    await my.open();
    await my.win.press('Control+Shift+N');
    await expect.poll(() => my.daemon.workspaces.requested('branches').length).toBeGreaterThan(0);
  }
  beforeEach(() => {
    my.daemon.tree.addProject('storefront');
    my.add({ name: 'before' });
  });

  it('is a worktree on a branch that is named after the prompt, shown before it is made', async () => {
    known({ warm: true, changed: 3, names: ['main', 'origin/main', 'origin/rotate-refresh-tokens'] });
    await open();
    await my.win.by('where-worktree').click();
    await expect.poll(hint).toContain('ready at once: one is warm');
    expect(await hint()).toContain('3 files are changed here and stay here');
    expect(await hint()).toContain('isolation, not a sandbox');
    await my.win.by('prompt').fill('Rotate refresh tokens and revoke the old family on reuse');
    await expect.poll(() => my.win.by('names').innerText()).toContain('rotate-refresh-tokens-2');
    await my.win.by('base').fill('origin/main');
    await my.win.press('Enter');
    await my.win.by('new-session-dialog').waitFor({ state: 'detached' });
    expect(started()).toMatchObject({
      workspace: 'worktree',
      branch: 'rotate-refresh-tokens-2',
      base: 'origin/main',
      warm: true,
    });
  });

  it('says what was probably meant by a base that is not there, and completes branches by keys', async () => {
    await open();
    await my.win.by('where-worktree').click();
    await my.win.by('base').fill('origin/relese');
    await expect.poll(() => my.win.by('base-error').innerText()).toContain('Did you mean origin/release?');
    await my.win.by('base-meant').click();
    expect(await my.win.by('base').inputValue()).toBe('origin/release');
    await my.win.by('base').fill('cart');
    await my.win.press('ArrowDown', 'Enter');
    expect(await my.win.by('base').inputValue()).toBe('cart/totals');
    await my.win.by('name').fill('done');
    await my.win.by('branch').fill('fixed-name');
    await my.win.press('Enter');
    await my.win.by('new-session-dialog').waitFor({ state: 'detached' });
    expect(started()).toMatchObject({ branch: 'fixed-name', base: 'cart/totals' });
  });

  it('is on a branch that is there, where it is not checked out elsewhere', async () => {
    await open();
    await my.win.by('where-worktree').click();
    await my.win.by('branch').fill('auth/refresh');
    await expect.poll(() => my.win.by('branch-error').innerText()).toContain('checked out elsewhere');
    await my.win.press('Enter');
    expect(my.daemon.requested('new_session')).toEqual([]);
    await my.win.by('branch').fill('release');
    await expect.poll(() => my.win.by('branch-about').innerText()).toContain('It is at origin');
    expect(await my.win.by('base').isDisabled()).toBe(true);
    await my.win.by('more-options').click();
    await my.win.by('pull-request').fill('42');
    expect(await my.win.by('branch').isDisabled()).toBe(true);
    await my.win.by('pull-request').press('Enter');
    await my.win.by('new-session-dialog').waitFor({ state: 'detached' });
    expect(started()).toMatchObject({ workspace: 'worktree', pull_request: 42 });
    expect(started()).not.toHaveProperty('branch');
  });

  it('cannot be a worktree where there is no repository, and says so', async () => {
    known({ repository: null, remote: null, names: [], taken: [], base: null });
    my.daemon.set.set('workspaces.kind', 'worktree');
    await open();
    await expect.poll(() => my.win.by('where-missing').innerText()).toContain('Worktree, Clone: ');
    expect(await my.win.by('where-worktree').isDisabled()).toBe(true);
    expect(await my.win.by('where-directory').isChecked()).toBe(true);
    await my.win.by('where-scratch').click();
    await my.win.by('start').click();
    await my.win.by('new-session-dialog').waitFor({ state: 'detached' });
    expect(started()).toMatchObject({ workspace: 'scratch', warm: false });
  });

  it('is remembered for the project, whose own default goes before', async () => {
    await open();
    await my.win.by('where-clone').click();
    await my.win.by('start').click();
    await my.win.by('new-session-dialog').waitFor({ state: 'detached' });
    await my.win.press('Control+Shift+N');
    await expect.poll(() => my.win.by('where-clone').isChecked()).toBe(true);
    await my.win.press('Escape');
    await expect
      .poll(() => my.daemon.settings.get('workspace-kinds'))
      .toEqual({ '/home/dev/src/storefront': 'clone' });
    const [project] = my.daemon.tree.projects.values();
    my.daemon.event({ event: 'project', project: { ...project, defaults: { workspace: 'worktree' } } });
    await my.win.press('Control+Shift+N');
    await expect.poll(() => my.win.by('where-worktree').isChecked()).toBe(true);
  });

  it('brings scripts that are read and trusted before, or left out', async () => {
    my.daemon.workspaces.scripts = scripts({ rules: RULES, hash: 'h', trusted: false });
    await open();
    expect(await my.win.by('scripts-notice').count()).toBe(0);
    await my.win.by('where-worktree').click();
    await my.win.by('scripts-read').click();
    await expect.poll(() => my.win.by('rules-setup').innerText()).toContain('npm ci');
    await my.win.by('scripts-trust-here').click();
    await my.win.by('scripts-notice').waitFor({ state: 'detached' });
    expect(my.daemon.workspaces.requested('trust')).toHaveLength(1);
    my.daemon.workspaces.scripts = scripts({ rules: RULES, hash: 'i', trusted: false, before: RULES });
    await my.win.press('Escape', 'Control+Shift+N');
    await my.win.by('scripts-start-without').check();
    await my.win.by('start').click();
    await my.win.by('new-session-dialog').waitFor({ state: 'detached' });
    const [id] = [...my.daemon.sessions.keys()].slice(-1);
    my.daemon.change(id!, {
      status: 'starting',
      preparing: { state: { is: 'untrusted' }, line: null, prompt_waits: true },
    });
    await expect
      .poll(() => my.daemon.workspaces.requested('skip_setup'))
      .toEqual([{ do: 'skip_setup', session: id }]);
  });
});
