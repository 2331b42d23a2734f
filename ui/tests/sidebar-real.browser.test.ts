// The list against a real daemon: what a person arranges is there again in another window and after a restart.
import { mkdir, readFile } from 'node:fs/promises';
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
  expect(errors.filter((error) => !/WebSocket|ERR_/.test(error))).toEqual([]);
});
afterAll(async () => {
  await closeBrowser();
  await daemon?.stop();
});

const toast = (text: string) => win.by('toast').filter({ hasText: text });
const section = (name: string) => win.by('section').filter({ hasText: name });

async function addProject(name: string): Promise<string> {
  const path = join(daemon.home, name);
  await mkdir(path, { recursive: true });
  await win.by('add-project').click();
  await win.by('directory').fill(path);
  await win.by('add-project-add').click();
  await section(name).waitFor();
  return path;
}

async function runIn(path: string, name: string, ...command: string[]): Promise<string> {
  const id = await daemon.cli('new', '--agent', 'shell', '--cwd', path, '--name', name, '--', ...command);
  await win.row(name).waitFor();
  return id.trim();
}

it('keeps projects, groups and what is in them', async () => {
  await daemon.open(opened.page);
  const path = await addProject('orchard');
  const id = await runIn(path, 'apples', 'cat');
  expect((await daemon.session(id)).project).not.toBeNull();

  await section('orchard').click({ button: 'right' });
  await win.by('project-new-group').click();
  await win.by('rename-input').fill('Fruit');
  await win.press('Enter');
  await win.by('group').filter({ hasText: 'Fruit' }).waitFor();
  await win.row('apples').click({ button: 'right' });
  await win.by('menu-move').click();
  await opened.page.getByRole('menuitemradio', { name: 'Fruit' }).click();
  await toast('apples is in Fruit (orchard).').waitFor();
  expect((await daemon.session(id)).group).not.toBeNull();

  await daemon.open(opened.page);
  expect(await win.row('apples').getAttribute('aria-level')).toBe('3');
  await section('orchard').click({ button: 'right' });
  await win.by('project-remove').click();
  await toast('orchard is no project any more').getByTestId('toast-action').click();
  await win.by('group').filter({ hasText: 'Fruit' }).waitFor();
  await until(
    () => win.row('apples').getAttribute('aria-level'),
    (level) => level === '3',
  );
});

it('starts a session with a project’s defaults by a double click', async () => {
  await daemon.open(opened.page);
  const path = await addProject('workshop');
  await section('workshop').click({ button: 'right' });
  await win.by('project-defaults').click();
  await win.by('default-agent').selectOption('shell');
  await win.by('defaults-save').click();
  await win.by('project-defaults-dialog').waitFor({ state: 'detached' });
  const project = JSON.parse(await daemon.cli('project', 'ls', '--json').catch(() => '[]')) as unknown[];
  expect(Array.isArray(project)).toBe(true);
  await section('workshop').dblclick();
  const terminal = opened.page.locator('[data-testid=terminal][data-shown=true]');
  await terminal.waitFor();
  const started = await daemon.session((await terminal.getAttribute('data-session')) ?? '');
  expect(started).toMatchObject({ agent: 'shell', cwd: path });
  expect(started.project).not.toBeNull();
});

it('orders sessions by dragging, and keeps the order', async () => {
  await daemon.open(opened.page);
  const path = await addProject('stable');
  for (const name of ['horse', 'mule', 'donkey']) await runIn(path, name, 'cat');
  const order = async () =>
    (
      await win
        .by('session-row')
        .evaluateAll((rows) =>
          [...rows]
            .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
            .map((row) => row.querySelector('.t')?.textContent ?? ''),
        )
    ).filter((name) => ['horse', 'mule', 'donkey'].includes(name));
  expect(await order()).toEqual(['horse', 'mule', 'donkey']);
  const [from, to] = [(await win.row('donkey').boundingBox())!, (await win.row('horse').boundingBox())!];
  await opened.page.mouse.move(from.x + 90, from.y + 20);
  await opened.page.mouse.down();
  await opened.page.mouse.move(to.x + 90, to.y + 4, { steps: 5 });
  await opened.page.mouse.up();
  await until(order, (list) => list.join() === 'donkey,horse,mule');
  await daemon.open(opened.page);
  expect(await order()).toEqual(['donkey', 'horse', 'mule']);
});

it('pins, mutes, snoozes, archives and deletes several, and undoes it', async () => {
  const ids: string[] = [];
  for (const name of ['one of two', 'two of two']) ids.push(await daemon.run(name, 'cat'));
  await daemon.open(opened.page);
  await win.by('list-filter').fill('of two');
  await win.row('two of two').focus();
  await win.press('Control+a');
  const all = () => Promise.all(ids.map((id) => daemon.session(id)));
  await win.by('bulk-pin').click();
  await toast('2 sessions are pinned.').waitFor();
  await win.by('bulk-mute').click();
  await toast('2 sessions are muted.').waitFor();
  expect((await all()).map(({ pinned, muted }) => [pinned, muted])).toEqual([
    [true, true],
    [true, true],
  ]);
  await toast('muted').getByTestId('toast-action').click();
  await toast('2 sessions are not muted any more.').waitFor();
  await win.by('bulk-delete').click();
  expect(await win.by('question').textContent()).toContain('2 sessions are still running');
  await win.by('question-agree').click();
  await toast('2 sessions are in the trash').getByTestId('toast-action').click();
  await toast('2 sessions are back.').waitFor();
  expect((await all()).map(({ trashed_at, status }) => [trashed_at, status])).toEqual([
    [null, 'dead'],
    [null, 'dead'],
  ]);
});

it('duplicates a session, and saves what its terminal showed', async () => {
  const id = await daemon.run('original', 'sh', '-c', 'echo recorded; cat');
  await daemon.open(opened.page);
  await win.show('original');
  await win.shows(id, 'recorded');
  await win.row('original').click({ button: 'right' });
  const [download] = await Promise.all([opened.page.waitForEvent('download'), win.by('menu-export').click()]);
  const cast = await readFile(await download.path(), 'utf8');
  expect(download.suggestedFilename()).toBe('original.cast');
  expect(JSON.parse(cast.split('\n')[0] ?? '')).toMatchObject({ version: 2, title: 'original' });
  expect(cast).toContain('recorded');
  await win.row('original').first().click({ button: 'right' });
  await win.by('menu-duplicate').click();
  await until(
    () => win.row('original').count(),
    (count) => count === 2,
  );
});

it('sends one message to several', async () => {
  const ids: string[] = [];
  for (const name of ['ear one', 'ear two']) ids.push(await daemon.run(name, 'cat'));
  await daemon.open(opened.page);
  await win.by('list-filter').fill('ear');
  await win.row('ear one').focus();
  await win.press('Control+a');
  await win.by('bulk-broadcast').click();
  await win.by('broadcast-shells').check();
  await win.by('broadcast-now').check();
  await win.by('broadcast-text').fill('listen');
  await win.by('broadcast-send').click();
  await win.by('broadcast-result').waitFor();
  expect(await win.by('broadcast').textContent()).toContain('2 delivered');
  for (const id of ids)
    await until(
      () => daemon.cli('screen', id),
      (screen) => screen.includes('listen'),
    );
});
