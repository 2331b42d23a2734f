// The replay against a real daemon: what a shell has printed, when it printed it.
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

async function rows(): Promise<string[]> {
  const all = await opened.page.locator('[data-testid=replay-screen] .xterm-rows > div').allTextContents();
  return all.map((row) => row.replaceAll('\u00a0', ' ').trimEnd()).filter(Boolean);
}
const shows = (...lines: string[]) => until(rows, (seen) => JSON.stringify(seen) === JSON.stringify(lines));
const endsWith = (last: string) => until(rows, (seen) => seen.at(-1) === last);
const seconds = async () => Number(await win.by('time-bar').getAttribute('aria-valuenow'));

async function replay(): Promise<void> {
  await win.press('Control+Shift+X');
  await opened.page.locator('[data-testid=replay][data-state=ready]').waitFor();
}

it('shows what was on the screen, when it was', async () => {
  const story =
    "stty -echo; printf 'first\\r\\n'; sleep 2; printf 'second\\033[c\\033]52;c;aGFja2Vk\\007\\033]2;a title\\007\\r\\n'; " +
    "read -r line; stty size; sleep 1; printf '\\033[?1049h\\033[2J\\033[Hother screen'; sleep 1; " +
    "printf '\\033[?1049lback again\\r\\n'; exit 3";
  const id = (
    await daemon.cli(
      'new',
      '--agent',
      'shell',
      '--cwd',
      daemon.home,
      '--name',
      'story',
      '--size',
      '60x12',
      '--',
      'sh',
      '-c',
      story,
    )
  ).trim();
  await daemon.open(opened.page);
  const row = opened.page.locator(`[data-testid=session-row][data-session="${id}"]`);
  await row.waitFor();
  await until(
    () => daemon.cli('screen', id),
    (text) => text.includes('second'),
  );
  // Looked at, it takes the pane's size.
  await row.click();
  await opened.page.locator(`[data-testid=terminal][data-session="${id}"][data-shown=true]`).waitFor();
  await until(
    () => daemon.session(id),
    ({ cols }) => cols > 60,
  );
  const { cols, rows: high } = await daemon.session(id);
  await win.press('Enter');
  await until(
    () => daemon.session(id),
    ({ status }) => status === 'dead',
  );
  await replay();
  // A recording begins with the first output.
  await shows('first');
  const first = await opened.page.locator('[data-testid=replay-screen] .xterm-screen').boundingBox();
  await win.press('.');
  await shows('first', 'second');
  expect(await seconds()).toBeGreaterThan(0);
  await win.press('End');
  await shows('first', 'second', `${high} ${cols}`, 'back again');
  const last = await opened.page.locator('[data-testid=replay-screen] .xterm-screen').boundingBox();
  expect(last!.width / last!.height).not.toBeCloseTo(first!.width / first!.height, 1);
  await win.press(',');
  await shows('other screen');
  // Played through, with its pauses cut, and stopped at its end.
  await win.press('Home', '>', '>', '>', ' ');
  await shows('first', 'second', `${high} ${cols}`, 'back again');
  await until(
    () => win.by('replay').getAttribute('data-playing'),
    (playing) => playing === 'false',
  );
  const marks = await opened.page
    .locator('[data-testid=mark]')
    .evaluateAll((all) => all.map((mark) => (mark as HTMLElement).dataset['kind']));
  expect(marks).toEqual(expect.arrayContaining(['run', 'size', 'end']));
  expect(await opened.page.title()).not.toContain('a title');

  const [download] = await Promise.all([
    opened.page.waitForEvent('download'),
    win.by('replay-export').click(),
  ]);
  expect(download.suggestedFilename()).toBe('story.cast');
});

it('goes anywhere in a large one, to and fro', async () => {
  const id = await daemon.run(
    'flood',
    'sh',
    '-c',
    'seq -f "line %.0f of a flood of lines that are printed" 400000; exec cat',
  );
  await daemon.open(opened.page);
  await win.row('flood').waitFor();
  await until(
    () => daemon.cli('screen', id),
    (text) => text.includes('line 400000 of'),
  );
  await win.row('flood').first().click();
  await replay();
  await win.press('End');
  await endsWith('line 400000 of a flood of lines that are printed');
  const at = async (key: string) => {
    await win.press(key);
    await opened.page.locator('[data-testid=replay][data-seeking=false]').waitFor();
    const seen = await until(rows, (all) => all.length > 0 && /^line \d+ of/.test(all[0] ?? ''));
    const lines = seen.map((line) => Number(/^line (\d+) of/.exec(line)?.[1]));
    return lines[0] ?? NaN;
  };
  await win.press('Home');
  await until(rows, (seen) => !seen.some((line) => line.startsWith('line 400000')));
  const third = await at('3');
  const seventh = await at('7');
  expect(seventh).toBeGreaterThanOrEqual(third);
  expect(await at('3')).toBe(third);
  // It runs: what it prints meanwhile is a press away, and nothing that is pressed here reaches it.
  await daemon.cli('keys', id, 'and a word', 'Enter');
  await win.press('End');
  await until(rows, (seen) => seen.at(-1)?.includes('and a word') === true);
  await win.by('replay-live').click();
  await win.shows(id, 'and a word');
});
