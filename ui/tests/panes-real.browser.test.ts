// Panes, grid, palette and inspector against a real daemon with real programs.
import { readFile, stat } from 'node:fs/promises';
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

const tab = (name: string) => opened.page.locator('[data-testid=tab]', { hasText: name });
const size = async (id: string) => {
  const { cols, rows } = await daemon.session(id);
  return `${cols}x${rows}`;
};

/** Panes with their tabs, the front one marked, and the pane with the attention marked. */
const seen = () =>
  opened.page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-testid=pane]')].map((pane) => {
      const tabs = [...pane.querySelectorAll('[data-testid=tab]')].map(
        (one) => `${one.querySelector('.cut')?.textContent}${one.ariaSelected === 'true' ? '*' : ''}`,
      );
      return `${pane.dataset['focused'] === 'true' ? '>' : ''}${tabs.join(', ')}`;
    }),
  );

it('moves a terminal between panes while its program prints, and loses nothing', async () => {
  const count = 'i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo "count $i"; done; echo over; cat';
  await daemon.run('beside', 'cat');
  const id = await daemon.run('counts', 'sh', '-c', `read go; ${count}`);
  await daemon.open(opened.page);
  await win.show('beside');
  await win.show('counts', { modifiers: ['Control'] });
  await win.press('Enter');
  const from = (await tab('counts').boundingBox())!;
  const to = (await opened.page.getByTestId('pane').first().boundingBox())!;
  await opened.page.mouse.move(from.x + 20, from.y + 10);
  await opened.page.mouse.down();
  await opened.page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 });
  await opened.page.mouse.up();
  await until(
    () => win.by('pane').count(),
    (panes) => panes === 1,
  );
  await win.shows(id, /\nover/);
  // All that can be scrolled to follows on each other.
  const numbers = (await win.lines(id)).flatMap((line) => /^count (\d+)$/.exec(line)?.[1] ?? []).map(Number);
  expect(numbers.at(-1)).toBe(3000);
  expect(numbers).toEqual(numbers.map((_, at) => numbers[0]! + at));
  await win.type('typed after');
  await win.shows(id, 'typed after');
});

it('shows sessions in the grid without resizing their programs', async () => {
  const ids: string[] = [];
  for (const name of ['one', 'two', 'three', 'four'])
    ids.push(await daemon.run(`grid ${name}`, 'sh', '-c', `echo "this is ${name}"; cat`));
  await daemon.open(opened.page);
  await win.show('grid one');
  const first = await until(
    () => size(ids[0]!),
    (seen) => seen !== '120x40',
  );
  const before = await Promise.all(ids.map(size));
  expect(before.slice(1)).toEqual(['120x40', '120x40', '120x40']);
  await win.press('Control+Shift+G');
  for (const [at, name] of ['one', 'two', 'three', 'four'].entries())
    await win.shows(ids[at]!, `this is ${name}`);
  expect(await Promise.all(ids.map(size))).toEqual(before);
  await win.press('Escape');
  await win.by('grid').waitFor({ state: 'detached' });
  await win.type('still here');
  await win.shows(ids[0]!, 'still here');
  expect(await size(ids[0]!)).toBe(first);
});

it('finds text in the scrollback of a session that is not open, and goes there', async () => {
  const id = await daemon.run('deep', 'sh', '-c', 'seq -f "row %g" 1 3000; cat');
  await daemon.run('other', 'cat');
  await daemon.open(opened.page);
  await win.show('other');
  await until(
    () => daemon.cli('screen', id),
    (screen) => screen.includes('row 3000'),
  );
  await win.press('Control+Shift+S');
  await win.type('row 1234');
  await win.by('palette-item').waitFor();
  expect(await win.by('palette-item').first().innerText()).toContain('row 1234');
  await win.press('Enter');
  await until(
    () => win.by('find-count').textContent(),
    (text) => text?.includes('of 1') ?? false,
  );
  const { viewportY } = (await opened.page.evaluate((session) => window.__belfry?.scroll(session), id))!;
  expect(viewportY).toBeLessThan(1240);
});

it('is the same after a restart: zoom, tabs in front, focus and a layout with a name', async () => {
  await daemon.run('kept a', 'cat');
  await daemon.run('kept b', 'cat');
  await daemon.run('kept c', 'cat');
  await daemon.open(opened.page);
  await win.show('kept a');
  await win.row('kept b').first().click({ button: 'middle' });
  await win.show('kept c', { modifiers: ['Control'] });
  await win.press('Control+Shift+ArrowLeft');
  await tab('kept a').click();
  const all = await seen();
  expect(all.length).toBeGreaterThan(1);
  await win.by('pane-menu').first().click();
  await win.by('pane-layouts').click();
  await win.by('layout-name').fill('kept layout');
  await win.press('Enter', 'Escape', 'Control+Shift+Z');
  const zoomed = await until(seen, (panes) => panes.length === 1);
  expect(zoomed[0]).toContain('kept a*');
  await opened.page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
  process.kill(await daemon.pid(), 'SIGTERM');
  await opened.page.waitForSelector('[data-testid=connection]:not([data-state=connected])');
  await opened.page.waitForSelector('[data-testid=connection][data-state=connected]');
  await daemon.open(opened.page);
  expect(await seen()).toEqual(zoomed);
  await win.by('zoom').click();
  expect(await until(seen, (panes) => panes.length > 1)).toEqual(all);
  await win.press('Control+Shift+W', 'Control+Shift+W');
  await win.press('Control+Shift+K');
  await win.type('kept layout');
  await win.press('Enter');
  await until(seen, (panes) => JSON.stringify(panes) === JSON.stringify(all));
});

it('keeps a file that is pasted into the message box in the session’s folder', async () => {
  const id = await daemon.run('files', 'sh');
  await daemon.open(opened.page);
  await win.show('files');
  await win.press('Control+Shift+M');
  const size = 1_500_000;
  await win.by('message').evaluate((target, bytes) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(bytes).fill(7)], 'screen shot.png', { type: 'image/png' }));
    target.dispatchEvent(
      new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: transfer }),
    );
  }, size);
  const text = await until(
    () => win.by('message').inputValue(),
    (value) => value.endsWith('screen-shot.png '),
  );
  const path = text.trim();
  expect(path).toContain(`/sessions/${id}/attachments/`);
  const bytes = await readFile(path);
  expect([bytes.length, bytes.every((byte) => byte === 7)]).toEqual([size, true]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it('tells in the inspector what happened', async () => {
  const ask = 'printf "Overwrite? [y/N] "; read a; echo "got <$a>"; cat';
  const id = await daemon.run('has a past', 'sh', '-c', ask);
  await daemon.open(opened.page);
  await win.show('has a past');
  await opened.page.locator('[data-testid=inspector-ask][data-settled=true]').waitFor();
  await win.by('inspector-ask').locator('[data-choice=y]').click();
  await win.shows(id, 'got <y>');
  await win.by('inspector-history').click();
  await until(
    () => win.by('history').innerText(),
    (text) => /Asked/.test(text) && /Answered/.test(text),
  );
});
