// Making and removing workspaces against a real daemon, with repositories on disk.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { closeBrowser, newPage } from './support/page';
import { RealDaemon } from './support/real-daemon';
import { until, Win } from './support/window';

const run = promisify(execFile);
const ME = ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.com', '-c', 'init.defaultBranch=main'];
let daemon: RealDaemon;
let repository: string;
let opened: Awaited<ReturnType<typeof newPage>>;
let win: Win;

const git = async (directory: string, ...args: string[]) =>
  (await run('git', ['-C', directory, ...ME, ...args])).stdout.trim();

beforeAll(async () => {
  daemon = await RealDaemon.start();
  const bare = join(daemon.home, 'remotes', 'shop.git');
  repository = join(daemon.home, 'src', 'shop');
  await mkdir(bare, { recursive: true });
  await git(bare, 'init', '--quiet', '--bare');
  await mkdir(join(daemon.home, 'src'), { recursive: true });
  await git(join(daemon.home, 'src'), 'clone', '--quiet', bare, repository);
  await writeFile(join(repository, 'readme'), 'shop\n');
  await writeFile(join(repository, '.belfry.toml'), '[workspace]\nsetup = "echo set up > made-by-setup"\n');
  await git(repository, 'add', '.');
  await git(repository, 'commit', '--quiet', '-m', 'Begin');
  await git(repository, 'push', '--quiet', '-u', 'origin', 'HEAD:main');
  await daemon.cli('project', 'add', repository);
});
beforeEach(async () => {
  opened = await newPage();
  win = new Win(opened.page);
  await daemon.open(opened.page);
});
afterEach(async () => {
  const { errors } = opened;
  await opened.context.close();
  expect(errors.filter((error) => !/WebSocket|ERR_|media-src/.test(error))).toEqual([]);
});
afterAll(async () => {
  await closeBrowser();
  await daemon?.stop();
});

/** The dialog for a new session, at the repository, with a shell. */
async function describe(name: string, kind: string) {
  await win.press('Control+Shift+N');
  await win.by('agent-shell').click();
  await win.by('directory').fill(repository);
  await win.by('name').click();
  await win.by('name').fill(name);
  await until(
    () => win.by(`where-${kind}`).isEnabled(),
    (enabled) => enabled,
  );
  await win.by(`where-${kind}`).click();
}

async function started(name: string) {
  await win.by('new-session-dialog').waitFor({ state: 'detached' });
  const id = (await win.row(name).first().getAttribute('data-session')) ?? '';
  return until(
    () => daemon.session(id),
    (session) => session.preparing === null || session.preparing.state.is === 'untrusted',
  );
}

it('makes a worktree on a named branch, sets it up once its scripts are trusted, and removes it without a loss', async () => {
  await describe('Fix the totals', 'worktree');
  await win.by('scripts-read').click();
  expect(await win.by('rules-setup').innerText()).toContain('made-by-setup');
  await win.by('scripts-trust-here').click();
  await win.by('scripts-notice').waitFor({ state: 'detached' });
  await win.by('branch').fill('fix-the-totals');
  await win.by('start').click();
  const session = await started('Fix the totals');
  expect(session).toMatchObject({ workspace: 'worktree', branch: 'fix-the-totals' });
  expect(session.cwd).not.toBe(repository);
  expect(await readFile(join(session.cwd, 'made-by-setup'), 'utf8')).toBe('set up\n');
  await writeFile(join(session.cwd, 'readme'), 'changed\n');
  await writeFile(join(session.cwd, 'notes.md'), 'new\n');

  await win.row('Fix the totals').first().click({ button: 'right' });
  await win.by('menu-delete').click();
  await win.by('delete-agree').click();
  await until(
    () => win.by('losses').innerText(),
    (text) => text.includes('notes.md') && text.includes('readme'),
  );
  await until(
    async () => {
      const again = win.by('remove-again');
      if ((await again.count()) > 0) await again.click();
      return win.by('remove-agree').count();
    },
    (count) => count === 1,
  );
  await win.by('remove-agree').click();
  await win.by('remove-workspace').waitFor({ state: 'detached' });
  await until(
    () => existsSync(session.cwd),
    (there) => !there,
  );
  await win.by('toast').filter({ hasText: 'kept for a day' }).getByText('Undo').click();
  await until(
    () => existsSync(join(session.cwd, 'notes.md')),
    (there) => there,
  );
  expect(await readFile(join(session.cwd, 'readme'), 'utf8')).toBe('changed\n');
});

it('asks again about scripts that changed, and starts without them', async () => {
  await writeFile(join(repository, '.belfry.toml'), '[workspace]\nsetup = "echo other > made-by-setup"\n');
  await git(repository, 'commit', '--quiet', '-am', 'Other');
  await git(repository, 'push', '--quiet');
  await describe('Careful', 'worktree');
  await win.by('branch').fill('careful');
  await win.by('start').click();
  const session = await started('Careful');
  expect(session.preparing?.state.is).toBe('untrusted');
  await win.by('preparing-review').click();
  await until(
    () => win.by('rules-setup').innerText(),
    (text) => text.includes('+ echo other') && text.includes('− echo set up'),
  );
  await win.by('scripts-without').click();
  await win.by('preparing').waitFor({ state: 'detached' });
  expect(existsSync(join(session.cwd, 'made-by-setup'))).toBe(false);
});

it('makes clones and scratch repositories, and lists all with their sessions', async () => {
  await describe('Cloned', 'clone');
  await win.by('branch').fill('cloned-one');
  await win.by('scripts-start-without').check();
  await win.by('start').click();
  const cloned = await started('Cloned');
  expect(await git(cloned.cwd, 'branch', '--show-current')).toBe('cloned-one');
  await describe('Empty', 'scratch');
  await win.by('start').click();
  const scratch = await started('Empty');
  expect(scratch.workspace).toBe('scratch');
  await win.press('Alt+Shift+W');
  for (const name of ['Cloned', 'Empty']) await win.by('workspace-row').filter({ hasText: name }).waitFor();
  await until(
    () => win.by('workspaces-total').innerText(),
    (text) => text.includes('in all'),
  );
});

it('fetches a project by its address, and says why one did not come', async () => {
  const address = `file://${join(daemon.home, 'remotes', 'shop.git')}`;
  const fetched = join(daemon.home, 'src', 'fetched');
  await win.by('add-project').click();
  await win.by('directory').fill(address);
  await win.by('clone-into').fill(fetched);
  await win.by('add-project-add').click();
  await opened.page
    .locator('[data-testid=section]', { hasText: /fetched|shop/ })
    .nth(1)
    .waitFor();
  await until(
    () => existsSync(join(fetched, 'readme')),
    (there) => there,
  );
  await win.by('add-project').click();
  await win.by('directory').fill(`file://${join(daemon.home, 'remotes', 'nothing.git')}`);
  await win.by('add-project-add').click();
  await win.by('cloning-retry').waitFor();
  await win.by('cloning-forget').click();
  await win.by('cloning').waitFor({ state: 'detached' });
});

it('runs a command beside a session and stops it', async () => {
  await rm(join(repository, '.belfry.toml'));
  await writeFile(join(repository, '.belfry.toml'), '[run]\ndev = "echo is up; cat"\n');
  const id = await daemon.run('agent', 'cat');
  await daemon.cli('rm', id, '--now', '--kill');
  await describe('Beside', 'directory');
  await win.by('start').click();
  const session = await started('Beside');
  const row = opened.page.locator('[data-testid=run-row]', { hasText: 'dev' });
  await row.getByTestId('run-start').click();
  await win.by('scripts-trust').click();
  await row.getByTestId('run-stop').waitFor();
  const beside = opened.page.locator('[data-testid=session-row]:has(.t:text-is("dev"))');
  const output = (await beside.getAttribute('data-session')) ?? '';
  expect((await daemon.session(output)).runs_for).toEqual({ session: session.id, name: 'dev' });
  await row.getByTestId('run-output').click();
  await win.shows(output, 'is up');
  await row.getByTestId('run-stop').click();
  await row.getByTestId('run-start').waitFor();
});

it('makes one ahead where the project says so, and has it at once', async () => {
  // Nothing is made ahead before its scripts are trusted.
  await git(repository, 'rm', '--quiet', '--force', '.belfry.toml');
  await git(repository, 'commit', '--quiet', '-m', 'No scripts');
  await git(repository, 'push', '--quiet');
  await opened.page.locator('[data-testid=section]', { hasText: 'shop' }).first().click({ button: 'right' });
  await win.by('project-defaults').click();
  await win.by('default-agent').selectOption('shell');
  await win.by('default-where').selectOption('worktree');
  await win.by('warm-directory').click();
  await win.by('defaults-save').click();
  await win.by('project-defaults-dialog').waitFor({ state: 'detached' });
  await until(
    async () => JSON.parse(await daemon.cli('worktree', 'ls', '--json')) as { state: { is: string } }[],
    (all) => all.some(({ state }) => state.is === 'warm'),
  );
  await win.press('Control+Shift+N');
  await win.by('directory').fill(repository);
  await win.by('name').click();
  await until(
    () => win.by('where-hint').innerText(),
    (hint) => hint.includes('ready at once'),
  );
  await win.by('agent-shell').click();
  await win.by('name').fill('From ahead');
  await win.by('start').click();
  const session = await started('From ahead');
  expect(session).toMatchObject({ workspace: 'worktree', branch: 'from-ahead' });
});

it('lists an agent that was made ahead once it is spoken to, and gives it back where it is not', async () => {
  const section = opened.page.locator('[data-testid=section]', { hasText: 'shop' }).first();
  await section.click({ button: 'right' });
  await win.by('project-defaults').click();
  await win.by('default-agent').selectOption('shell');
  await win.by('default-where').selectOption('worktree');
  await win.by('warm-agent').click();
  await win.by('defaults-save').click();
  await win.by('project-defaults-dialog').waitFor({ state: 'detached' });
  const ahead = () =>
    until(
      async () => JSON.parse(await daemon.cli('worktree', 'ls', '--json')) as { state: { is: string } }[],
      (all) => all.some(({ state }) => state.is === 'warm'),
    );
  const rows = () => win.by('session-row').count();
  await ahead();
  const before = await rows();
  const terminals = opened.page.locator('[data-testid=terminal]');
  // What other tests left open.
  await until(
    async () => {
      const open = await win.by('tab').count();
      if (open > 0) await win.press('Control+Shift+W');
      return open;
    },
    (open) => open === 0,
  );
  await section.dblclick();
  await terminals.first().waitFor();
  expect(await rows()).toBe(before);
  await win.press('Control+Shift+W');
  await terminals.first().waitFor({ state: 'detached' });
  expect(await rows()).toBe(before);
  await ahead();
  await section.dblclick();
  await terminals.first().waitFor();
  const id = (await terminals.first().getAttribute('data-session')) ?? '';
  await win.type('echo spoken');
  await win.press('Enter');
  await win.shows(id, 'spoken');
  await until(rows, (count) => count === before + 1);
  // What waits unseen is nobody's session, and would outlive the test.
  await section.click({ button: 'right' });
  await win.by('project-defaults').click();
  await win.by('warm-off').click();
  await win.by('defaults-save').click();
  await until(
    async () => JSON.parse(await daemon.cli('worktree', 'ls', '--json')) as { state: { is: string } }[],
    (all) => all.every(({ state }) => state.is !== 'warm' && state.is !== 'making'),
  );
});
