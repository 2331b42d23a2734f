// Changes against a real daemon with real repositories.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { closeBrowser, newPage } from './support/page';
import { RealDaemon } from './support/real-daemon';
import { until, Win } from './support/window';

let daemon: RealDaemon;
let opened: Awaited<ReturnType<typeof newPage>>;
let win: Win;

beforeAll(async () => {
  daemon = await RealDaemon.start();
});
beforeEach(async () => {
  opened = await newPage();
  win = new Win(opened.page);
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

const WHO = ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.org', '-c', 'init.defaultBranch=main'];
const git = (at: string, ...args: string[]) =>
  execFileSync('git', [...WHO, ...args], {
    cwd: at,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

const code = (count: number) => Array.from({ length: count }, (_, at) => `let line_${at} = ${at};`);

/** A repository on a branch of its own, with a remote on disk, and a session in it. */
async function repository(name: string): Promise<{ at: string; remote: string; id: string }> {
  const [at, remote] = [join(daemon.home, name), join(daemon.home, `${name}.git`)];
  mkdirSync(join(at, 'src'), { recursive: true });
  git(daemon.home, 'init', '--bare', '--quiet', remote);
  git(at, 'init', '--quiet');
  git(at, 'config', 'user.name', 'Dev');
  git(at, 'config', 'user.email', 'dev@example.org');
  writeFileSync(join(at, 'src/lib.rs'), `${code(60).join('\n')}\n`);
  writeFileSync(join(at, 'notes.md'), 'one\n');
  git(at, 'add', '.');
  git(at, 'commit', '--quiet', '-m', 'Begin');
  git(at, 'remote', 'add', 'origin', remote);
  git(at, 'push', '--quiet', '-u', 'origin', 'main');
  git(at, 'checkout', '--quiet', '-b', 'feature');
  const id = await daemon.cli('new', '--agent', 'shell', '--cwd', at, '--name', name, '--', 'cat');
  return { at, remote, id: id.trim() };
}

const file = (path: string) =>
  win.by('changes-face').locator(`[data-testid=file-row][data-path="${path}"] [data-testid=file-open]`);

it('follows what is written, and stages, commits, pushes and brings back', async () => {
  const { at, remote } = await repository('shop');
  await daemon.open(opened.page);
  await win.show('shop');
  await win.by('inspector-changes').click();
  const lines = code(60);
  lines[3] = 'let line_3 = "three";';
  lines[50] = 'let line_50 = "fifty";';
  writeFileSync(join(at, 'src/lib.rs'), `${lines.join('\n')}\n`);
  writeFileSync(join(at, 'new file.txt'), 'a\nb\n');
  await win.row('shop').getByTestId('counts').getByText('+4').waitFor();
  await win.by('file-row').filter({ hasText: 'new file.txt' }).waitFor();

  // One of two changes of a file is staged.
  await opened.page.keyboard.press('Control+Shift+O');
  await win.by('between').selectOption('unstaged');
  await file('src/lib.rs').click();
  await win.by('diff-lines').getByText('"three"').waitFor();
  expect(await opened.page.locator('.word').first().innerText()).not.toBe('');
  await win.by('stage-hunk').first().click();
  await until(
    () => git(at, 'diff', '--cached', '--stat'),
    (stat) => stat.includes('1 insertion'),
  );
  expect(git(at, 'diff', '--cached')).toContain('three');
  expect(git(at, 'diff', '--cached')).not.toContain('fifty');

  // What is staged is committed, and what is not stays.
  await opened.page.keyboard.press('Alt+Shift+C');
  const message = win.by('commit-message');
  await until(
    () => message.inputValue(),
    (text) => text !== '',
  );
  await message.fill('Write three out');
  await win.by('commit-now').click();
  await win.by('commit-dialog').waitFor({ state: 'detached' });
  expect(git(at, 'log', '-1', '--format=%s')).toBe('Write three out');
  await win.by('commit-row').getByText('Write three out').waitFor();
  await win.by('push').click();
  await until(
    () => git(remote, 'branch', '--list', 'feature'),
    (branch) => branch.includes('feature'),
  );

  // What is thrown away comes back.
  await win.by('discard').click();
  await opened.page.getByTestId('question-agree').click();
  await until(
    () => git(at, 'status', '--porcelain'),
    (status) => status === '',
  );
  await opened.page.getByRole('button', { name: 'Undo' }).click();
  await until(
    () => git(at, 'status', '--porcelain'),
    (status) => status.includes('new file.txt'),
  );
  expect(readFileSync(join(at, 'src/lib.rs'), 'utf8')).toContain('fifty');
});

it('stops at a conflict, says so, and takes it back', async () => {
  const { at, remote } = await repository('cart');
  const write = (text: string) => writeFileSync(join(at, 'notes.md'), text);
  write('mine\n');
  git(at, 'commit', '--quiet', '-am', 'Mine');
  git(at, 'checkout', '--quiet', 'main');
  write('theirs\n');
  git(at, 'commit', '--quiet', '-am', 'Theirs');
  git(at, 'push', '--quiet', 'origin', 'main');
  git(at, 'checkout', '--quiet', 'feature');
  expect(git(remote, 'log', '-1', '--format=%s', 'main')).toBe('Theirs');
  await daemon.open(opened.page);
  await win.show('cart');
  await win.by('inspector-changes').click();
  await win.by('commit-row').getByText('Mine').waitFor();
  await win.by('more-actions').click();
  await win.by('pull-merge').click();
  await win.by('operation').getByText('A merge stands in the middle').waitFor();
  await win.row('cart').getByTestId('counts').getByText('! 1').waitFor();
  await win.by('abort').click();
  await opened.page.getByTestId('question-agree').click();
  await win.by('operation').waitFor({ state: 'detached' });
  expect(git(at, 'status', '--porcelain')).toBe('');
  expect(readFileSync(join(at, 'notes.md'), 'utf8')).toBe('mine\n');
});

it('shows files of very many lines, and says of others that they are no text', async () => {
  const { at } = await repository('large');
  writeFileSync(join(at, 'many.rs'), `${code(9_000).join('\n')}\n`);
  writeFileSync(join(at, 'data.bin'), Buffer.from([0, 1, 2, 3, 0, 255]));
  await daemon.open(opened.page);
  await win.show('large');
  await win.row('large').getByTestId('counts').waitFor();
  await opened.page.keyboard.press('Control+Shift+O');
  await file('data.bin').click();
  expect(await win.by('diff-note').innerText()).toContain('was not there → 6 B');
  await file('many.rs').click();
  await win.by('diff-lines').getByText('let line_0 = 0;').waitFor();
  await opened.page.keyboard.press('End');
  await win.by('show-all').click();
  await win.by('show-all').waitFor({ state: 'detached' });
  await opened.page.keyboard.press('End');
  await win.by('diff-lines').getByText('let line_8999 = 8999;').waitFor();
  expect(await win.by('diff-line').count()).toBeLessThan(200);
});
