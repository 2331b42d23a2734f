// The page of workspaces, and how one is removed; against a pretended daemon.
import { beforeEach, describe, expect, it } from 'vitest';
import { usualDay } from './support/scenes';
import { FakeWindow } from './support/fake-window';
import { losses } from './support/fake-workspaces';
import { manyWorkspaces, named } from './support/scenes-workspaces';

const my = new FakeWindow();
const row = (name: string) => my.page.locator('[data-testid=workspace-row]', { hasText: name });
const asked = () => my.daemon.workspaces;

beforeEach(() => {
  usualDay(my);
  manyWorkspaces(my);
});

describe('the page of workspaces', () => {
  it('shows all with their sessions, state and size, and is moved through by keys', async () => {
    await my.open();
    await my.win.press('Alt+Shift+W');
    await expect.poll(() => row('auth/refresh').innerText()).toMatch(/Worktree · Token refresh/);
    await expect.poll(() => row('auth/refresh').innerText()).toContain('137 MB');
    expect(await row('old-idea').innerText()).toContain('orphan');
    expect(await row('by-hand').innerText()).toContain('not Belfry’s');
    expect(await row('gone').innerText()).toContain('removed');
    expect(await my.win.by('workspaces-count').innerText()).toBe('7 workspaces');
    await my.win.press('ArrowDown', 'ArrowDown');
    await expect.poll(() => my.win.by('workspace-detail').innerText()).toContain('old-idea');
    await my.win.type('totals');
    await expect.poll(() => row('').count()).toBe(1);
    await my.win.press('Escape');
    await my.win.by('workspaces-orphans').click();
    await expect.poll(() => my.win.by('workspaces-count').innerText()).toBe('3 workspaces');
    await row('old-idea').click();
    await my.win.by('workspaces-all').click();
    await row('auth/refresh').click();
    await my.win.by('workspace-session').click();
    await my.win.terminal(named(my, 'Token refresh').id).waitFor();
  });

  it('removes what nothing is lost with, brings it back, and cleans', async () => {
    await my.open();
    await my.win.press('Alt+Shift+W');
    await row('old-idea').click();
    await my.win.by('workspace-remove').click();
    await expect.poll(() => my.win.by('losses').innerText()).toContain('Nothing would be lost');
    await my.win.by('remove-agree').click();
    await my.win.by('remove-workspace').waitFor({ state: 'detached' });
    await expect.poll(() => row('old-idea').getAttribute('data-state')).toBe('removed');
    await my.win.by('workspace-restore').click();
    await expect.poll(() => row('old-idea').getAttribute('data-state')).toBe('ready');
    await my.win.by('workspaces-clean').click();
    await expect.poll(() => row('old-idea').getAttribute('data-state')).toBe('removed');
    // Something would be lost with that one.
    expect(await row('half-done').getAttribute('data-state')).toBe('ready');
  });

  it('shows what would be lost, removes exactly what was shown, and undoes it', async () => {
    await my.open();
    await my.win.press('Alt+Shift+W');
    await row('half-done').click();
    await my.win.press('Tab');
    await my.win.by('workspace-search').press('Delete');
    const dialog = my.win.by('remove-workspace');
    await expect
      .poll(() => my.win.by('loss-untracked').innerText())
      .toMatch(/62 files, 2 MB[^]*notes\.md[^]*and 60 more/);
    expect(await my.win.by('loss-unpushed').innerText()).toContain('2 commits');
    expect(await my.win.by('loss-stashes').innerText()).toContain('try the other table');
    expect(await dialog.innerText()).toContain('commits stay under a ref');
    expect(await my.win.by('remove-agree').innerText()).toBe('Save and remove');
    const dirty = asked().list.find(({ branch }) => branch === 'half-done')!;
    // The agent goes on meanwhile.
    const more = losses({ stashes: ['one more'], fingerprint: 'seen-2' });
    asked().losses.set(dirty.id!, more);
    await my.win.by('remove-agree').click();
    await my.win.by('remove-changed').waitFor();
    await expect.poll(() => my.win.by('loss-stashes').innerText()).toContain('one more');
    await my.win.by('remove-agree').click();
    await dialog.waitFor({ state: 'detached' });
    expect(
      asked()
        .requested('remove')
        .map(({ seen }) => seen),
    ).toEqual(['seen-1', 'seen-2']);
    await my.win.by('toast').getByText('Undo').click();
    await expect.poll(() => asked().requested('restore')).toEqual([{ do: 'restore', workspace: dirty.id }]);
  });

  it('does not remove what programs work in, or what may not go', async () => {
    const [first] = asked().list;
    asked().losses.set(first!.id!, losses({ processes: ['node (4242)'] }));
    await my.open();
    await my.win.press('Alt+Shift+W');
    await row('auth/refresh').click();
    await my.win.by('workspace-remove').click();
    await expect.poll(() => my.win.by('losses-processes').innerText()).toContain('node (4242)');
    expect(await my.win.by('remove-agree').count()).toBe(0);
    asked().losses.set(first!.id!, losses({ refused: 'It is locked: portable disk.' }));
    await my.win.by('remove-again').click();
    await expect.poll(() => my.win.by('losses-refused').innerText()).toContain('portable disk');
    expect(await my.win.by('remove-agree').isDisabled()).toBe(true);
    await my.win.press('Escape');
    expect(await my.win.by('workspaces').isVisible()).toBe(true);
  });
});

describe('deleting a session that has a workspace', () => {
  it('offers to remove it, and shows first what would be lost', async () => {
    await my.open();
    await my.win.row('Token refresh').first().click({ button: 'right' });
    await my.win.by('menu-delete').click();
    await expect
      .poll(() => my.win.by('delete-session').innerText())
      .toContain('a worktree of its own: auth/refresh');
    await my.win.by('delete-agree').click();
    await expect.poll(() => my.win.by('losses').innerText()).toContain('Nothing would be lost');
    expect(my.daemon.requested('remove_session')).toHaveLength(1);
    await my.win.by('remove-agree').click();
    await expect.poll(() => asked().requested('remove')).toHaveLength(1);
  });

  it('leaves it where that is wanted, or another session works there', async () => {
    await my.open();
    const token = named(my, 'Token refresh');
    await my.win.row('Token refresh').first().click({ button: 'right' });
    await my.win.by('menu-delete').click();
    await my.win.by('delete-also').uncheck();
    expect(await my.win.by('delete-agree').innerText()).toBe('Delete');
    my.daemon.change(named(my, 'Release notes').id, {
      workspace: 'worktree',
      workspace_id: token.workspace_id,
    });
    await expect.poll(() => my.win.by('delete-session').innerText()).toContain('Another session works there');
    await my.win.by('delete-agree').click();
    await my.win.by('delete-session').waitFor({ state: 'detached' });
    await expect.poll(() => my.daemon.requested('remove_session')).toHaveLength(1);
    expect(asked().requested('losses')).toEqual([]);
  });
});
