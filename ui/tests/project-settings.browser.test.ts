// What is set for a project and for all workspaces; against a pretended daemon.
import { expect, it } from 'vitest';
import { FakeWindow } from './support/fake-window';
import { scripts } from './support/fake-workspaces';
import { RULES } from './support/scenes-workspaces';

const my = new FakeWindow();

async function open() {
  await my.open();
  await my.page.locator('[data-testid=section]').first().click({ button: 'right' });
  await my.win.by('project-defaults').click();
  await my.win.by('rule-setup').waitFor();
}

it('a project says where its sessions work and what their workspaces are made with', async () => {
  const project = my.daemon.tree.addProject('storefront');
  my.add({ name: 'one', project: project.id });
  my.daemon.workspaces.scripts = scripts({ rules: RULES, hash: 'h', trusted: false });
  await open();
  const dialog = my.win.by('project-defaults-dialog');
  // What the repository says stands under each field, and is not trusted.
  await expect.poll(() => dialog.innerText()).toContain('.belfry.toml: npm ci');
  expect(await dialog.innerText()).toContain('dev: npm run dev');
  await my.win.by('rules-read').click();
  await my.win.by('scripts-trust').click();
  await expect.poll(() => dialog.innerText()).toContain('.belfry.toml is trusted as it is.');
  await my.win.by('default-where').selectOption('worktree');
  await my.win.by('default-base').fill('origin/release');
  await my.win.by('rule-setup').fill('pnpm install\npnpm build');
  await my.win.by('rule-run-add').click();
  await my.win.by('rule-run-name').fill('dev');
  await my.win.by('defaults-save').click();
  await expect.poll(() => my.win.by('rules-wrong').innerText()).toContain('A command needs a name');
  await my.win.by('rule-run-command').fill('pnpm dev');
  await my.win.by('rule-copy').fill('.env*\n\n!.env.prod');
  await my.win.by('warm-agent').click();
  await my.win.by('defaults-save').click();
  await dialog.waitFor({ state: 'detached' });
  await expect
    .poll(() => my.daemon.tree.projects.get(project.id)?.defaults)
    .toEqual({
      workspace: 'worktree',
      rules: {
        setup: 'pnpm install\npnpm build',
        base: 'origin/release',
        warm: 'agent',
        run: [{ name: 'dev', command: 'pnpm dev' }],
        copy: ['.env*', '!.env.prod'],
        link: [],
      },
    });
  // A double click starts one so, with what is made ahead.
  await my.page.locator('[data-testid=section]').first().dblclick();
  await expect
    .poll(() => my.daemon.requested('new_session').at(-1)?.params)
    .toMatchObject({ workspace: 'worktree', warm: true, project: project.id });
});

it('rules that are taken away leave nothing behind', async () => {
  const project = my.daemon.tree.addProject('storefront', { defaults: { rules: RULES, agent: 'codex' } });
  my.add({ name: 'one', project: project.id });
  await open();
  for (const field of ['rule-setup', 'rule-teardown', 'rule-copy', 'rule-link'])
    await my.win.by(field).fill('');
  const remove = my.win.by('project-defaults-dialog').getByRole('button', { name: /^Remove / });
  await remove.first().click();
  await remove.first().click();
  await my.win.by('defaults-save').click();
  await expect.poll(() => my.daemon.tree.projects.get(project.id)?.defaults).toEqual({ agent: 'codex' });
});

it('the settings say where sessions work by default, and which ports workspaces have', async () => {
  my.add({ name: 'one' });
  await my.open();
  await my.win.by('open-settings').click();
  await my.win.by('settings-workspaces').click();
  await my.win.by('workspace-kind-worktree').check();
  await my.page.locator('#first-port').fill('4000');
  await my.page.locator('#first-port').press('Tab');
  await expect.poll(() => my.win.by('settings').innerText()).toContain('a whole number');
  await my.page.locator('#last-port').fill('4999');
  await my.page.locator('#last-port').press('Tab');
  await my.page.locator('#ports-each').fill('5');
  await my.page.locator('#ports-each').press('Tab');
  await expect
    .poll(() => my.daemon.set.changes)
    .toEqual([
      { path: 'workspaces.kind', value: 'worktree' },
      { path: 'workspaces.last_port', value: 4999 },
      { path: 'workspaces.ports', value: 5 },
    ]);
  await my.win.by('settings-all-workspaces').click();
  await my.win.by('workspaces').waitFor();
});
