// The window against a real daemon, with real programs in real terminals.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { closeBrowser, newPage } from './support/page';
import { RealDaemon } from './support/real-daemon';
import { until, Win } from './support/window';

/** A shell's, as root too. */
const PROMPT = /^[#$]/;

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

it('starts a session from the dialog, and what is typed comes back', async () => {
  await daemon.open(opened.page);
  await win.press('Control+Shift+N');
  await win.by('agent-shell').click();
  await win.by('directory').fill(daemon.home);
  await win.by('args').fill('sh');
  await win.by('name').fill('from the dialog');
  await win.press('Enter');
  const id = await win.show('from the dialog');
  await win.shows(id, PROMPT);
  await win.type('echo "a$((20+3))b"');
  await win.press('Enter');
  await win.shows(id, 'a23b');
  expect((await daemon.session(id)).cwd).toBe(daemon.home);
});

it('remembers in a directory what was started there, and completes paths', async () => {
  await daemon.open(opened.page);
  await win.by('new-session').click();
  await win.by('directory').fill(daemon.home);
  await win.by('agent-shell').click();
  await win.by('name').focus();
  await until(
    () => win.by('args').inputValue(),
    (args) => args === 'sh',
  );
  await win.by('directory').fill(`${daemon.home}/sta`);
  await win.by('directories').waitFor();
  await win.press('Tab');
  expect(await win.by('directory').inputValue()).toBe(`${daemon.home}/state/`);
});

it('tells in the dialog why a session cannot start', async () => {
  await daemon.open(opened.page);
  await win.by('new-session').click();
  await win.by('agent-shell').click();
  await win.by('directory').fill('/no/such/directory');
  await win.press('Enter');
  await win.by('directory-error').waitFor();
  expect(await win.by('directory').getAttribute('aria-invalid')).toBe('true');
});

it('has the session at the size of its pane, and follows it', async () => {
  const id = await daemon.run('sized', 'sh');
  await daemon.open(opened.page);
  await win.show('sized');
  const size = async () => {
    const { cols, rows } = await daemon.session(id);
    const shown = await opened.page.evaluate((session) => window.__belfry?.size(session), id);
    return { daemon: `${cols}x${rows}`, shown: `${shown?.cols}x${shown?.rows}` };
  };
  const wide = await until(size, (seen) => seen.daemon === seen.shown && seen.daemon !== '120x40');
  await opened.page.setViewportSize({ width: 1000, height: 640 });
  const slim = await until(size, (seen) => seen.daemon === seen.shown && seen.daemon !== wide.daemon);
  await win.type('stty size');
  await win.press('Enter');
  await win.shows(id, slim.daemon.split('x').reverse().join(' '));
});

it('is the same after a reload, scrollback and open panes too', async () => {
  const one = await daemon.run(
    'one',
    'sh',
    '-c',
    'seq -f "line %g" 1 2000; printf "\\033[31mred\\033[0m end"; cat',
  );
  const two = await daemon.run('two', 'sh', '-c', 'echo two here; cat');
  await daemon.open(opened.page);
  await win.show('one');
  await win.shows(one, 'red end');
  await win.show('two', { modifiers: ['Control'] });
  await win.shows(two, 'two here');
  // The layout is kept a moment after it changed.
  await until(
    () => daemon.cli('ls', '--json'),
    (list) => list.includes('"two"'),
  );
  await opened.page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
  const before = await win.lines(one);
  await daemon.open(opened.page);
  expect(await win.by('pane').count()).toBe(2);
  await win.shows(one, 'red end');
  expect((await win.lines(one)).slice(-60)).toEqual(before.slice(-60));
});

it('fetches the whole scrollback when the person scrolls up, and keeps the place', async () => {
  const id = await daemon.run('long', 'sh', '-c', 'seq -f "row %g" 1 6000; printf done; cat');
  await daemon.open(opened.page);
  await win.show('long');
  await win.shows(id, 'done');
  const first = (await win.lines(id)).length;
  expect(first).toBeLessThan(1_000);
  await opened.page.evaluate((session) => window.__belfry?.scrollToTop(session), id);
  const all = await until(
    () => win.lines(id),
    (lines) => lines.length > 5_900,
  );
  expect(all[0]).toBe('row 1');
  const { baseY, viewportY } = (await opened.page.evaluate(
    (session) => window.__belfry?.scroll(session),
    id,
  ))!;
  // Where the top of the first lines was.
  expect(baseY - viewportY).toBeGreaterThan(400);
  expect(baseY - viewportY).toBeLessThan(first);
});

it('is never more than a snapshot behind a flood', async () => {
  const id = await daemon.run('flood', 'sh');
  await daemon.open(opened.page);
  await win.show('flood');
  await win.shows(id, PROMPT);
  await win.type('seq 1 400000; echo flood over');
  await win.press('Enter');
  const text = await win.shows(id, /400000\nflood over/);
  expect(text).toContain('399999\n400000');
});

it('pastes a megabyte in one bracket', async () => {
  const size = 1 << 20;
  const file = join(daemon.home, 'pasted');
  const script = `stty raw -echo; printf '\\033[?2004hready'; head -c ${size + 12} > ${file}; stty sane; printf '\\033[?2004lover\\n'; cat`;
  const id = await daemon.run('paste', 'sh', '-c', script);
  await daemon.open(opened.page);
  await win.show('paste');
  await win.shows(id, 'ready');
  const line = 'A line with é and 日本, of 64 bytes in all, more or less so.\n';
  await opened.page.evaluate(
    ([text, bytes]) => {
      const length = new TextEncoder().encode(text).length;
      const long = text.repeat(Math.floor(bytes / length)) + 'x'.repeat(bytes % length);
      return navigator.clipboard.writeText(long);
    },
    [line, size] as const,
  );
  await win.press('Control+Shift+V');
  await win.shows(id, 'over');
  const got = await readFile(file);
  expect(got.length).toBe(size + 12);
  expect(got.subarray(0, 6).toString()).toBe('\x1b[200~');
  expect(got.subarray(-6).toString()).toBe('\x1b[201~');
  expect(got.subarray(6, 6 + Buffer.byteLength(line)).toString()).toBe(line.replace('\n', '\r'));
});

it('encodes keys as the program asked for', async () => {
  // Ctrl C is a key like any other then, so that this needs a terminal in raw mode to be seen.
  const script = "stty raw -echo; printf '\\033[>1uready\\r\\n'; cat -v";
  const id = await daemon.run('kitty', 'sh', '-c', script);
  await daemon.open(opened.page);
  await win.show('kitty');
  await win.shows(id, 'ready');
  await win.press('Escape', 'Control+c', 'Shift+Enter', 'ArrowUp', 'a');
  await win.shows(id, '^[[27u^[[99;5u^[[13;2u^[[Aa');
});

it('shows how a session ended, and Enter starts it again', async () => {
  const id = await daemon.run('ends', 'sh', '-c', 'echo last words; exit 3');
  await daemon.open(opened.page);
  await win.show('ends');
  await win.by('ended').waitFor();
  expect(await win.by('ended').textContent()).toContain('Exit code 3');
  await win.shows(id, 'last words');
  await win.press('Enter');
  await until(
    () => daemon.session(id),
    (session) => session.runs.length === 2,
  );
});

it('renames, kills, deletes and brings back', async () => {
  const id = await daemon.run('to be renamed', 'cat');
  await daemon.open(opened.page);
  await win.show('to be renamed');
  await win.row('to be renamed').focus();
  await win.press('F2');
  await win.by('rename-input').fill('renamed');
  await win.press('Enter');
  await win.row('renamed').waitFor();
  expect((await daemon.session(id)).name).toBe('renamed');

  await win.row('renamed').click({ button: 'right' });
  await win.by('menu-kill').click();
  await win.by('question-agree').click();
  await win.by('ended').waitFor();

  await win.row('renamed').focus();
  await win.press('Delete');
  await win.by('toast-action').click();
  await win.row('renamed').waitFor();
  expect((await daemon.session(id)).trashed_at).toBeNull();
});

it('asks before it deletes what is alive', async () => {
  const id = await daemon.run('alive', 'cat');
  await daemon.open(opened.page);
  await win.row('alive').focus();
  await win.press('Delete');
  await win.by('question-cancel').click();
  expect((await daemon.session(id)).status).not.toBe('dead');
  await win.row('alive').focus();
  await win.press('Delete');
  await win.by('question-agree').click();
  await win.row('alive').waitFor({ state: 'detached' });
  expect((await daemon.session(id)).trashed_at).not.toBeNull();
});

it('comes back by itself when the daemon is killed', async () => {
  const id = await daemon.run('survivor', 'sh');
  await daemon.open(opened.page);
  await win.show('survivor');
  await win.shows(id, PROMPT);
  await win.type('echo before');
  await win.press('Enter');
  await win.shows(id, /\nbefore/);
  const pid = await daemon.pid();
  process.kill(pid, 'SIGKILL');
  await opened.page.waitForSelector('[data-testid=connection]:not([data-state=connected])');
  await opened.page.waitForSelector('[data-testid=connection][data-state=connected]');
  expect(await daemon.pid()).not.toBe(pid);
  await win.terminal(id).click();
  await until(
    async () => {
      await win.type('echo after');
      await win.press('Enter');
      return win.text(id);
    },
    (text) => /\nafter/.test(text) && /\nbefore/.test(text),
  );
});

it('gives a session that nobody else looks at the size of its pane, focused or not', async () => {
  const one = await daemon.run('beside one', 'cat');
  const two = await daemon.run('beside two', 'cat');
  await daemon.open(opened.page);
  await win.show('beside one');
  await win.show('beside two', { modifiers: ['Control'] });
  const sizes = async () => {
    const seen = [];
    for (const id of [one, two]) {
      const { cols } = await daemon.session(id);
      const shown = await opened.page.evaluate((session) => window.__belfry?.size(session)?.cols, id);
      seen.push({ cols, shown });
    }
    return seen;
  };
  const settled = (seen: Awaited<ReturnType<typeof sizes>>) =>
    seen.every(({ cols, shown }) => cols === shown && cols < 90);
  await until(sizes, settled);
  expect(await win.by('foreign-size').count()).toBe(0);
  await opened.page.setViewportSize({ width: 1100, height: 700 });
  const slim = await until(sizes, (seen) => settled(seen) && seen.every(({ cols }) => cols < 60));
  await opened.page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
  await opened.page.setViewportSize({ width: 1180, height: 700 });
  await daemon.open(opened.page);
  await until(sizes, (seen) => settled(seen) && seen.every(({ cols }, at) => cols > (slim[at]?.cols ?? 0)));
  expect(await win.by('foreign-size').count()).toBe(0);
});

it('shows another client’s size scaled, and takes the size on request', async () => {
  const id = await daemon.run('shared', 'cat');
  await daemon.open(opened.page);
  await win.show('shared');
  const large = await until(
    () => daemon.session(id),
    (session) => session.cols !== 120,
  );
  const second = await newPage({ width: 900, height: 600 });
  const other = new Win(second.page);
  await daemon.open(second.page);
  await other.show('shared');
  await until(
    () => daemon.session(id),
    (session) => session.cols < large.cols,
  );
  await win.by('foreign-size').click();
  await until(
    () => daemon.session(id),
    (session) => session.cols === large.cols,
  );
  await second.context.close();
});

it('answers a program’s question from its card, and says why it waits', async () => {
  const id = await daemon.run('asks', 'sh', '-c', 'printf "Overwrite? [y/N] "; read a; echo "got <$a>"; cat');
  await daemon.open(opened.page);
  const card = win.by('need').filter({ hasText: 'asks' });
  await card.getByText('Overwrite? [y/N]').first().waitFor();
  await win.show('asks');
  await opened.page.locator(`[data-testid=foot-status][data-status-of="${id}"]`).click();
  await win.by('why-rule').waitFor();
  expect(await win.by('why-evidence').textContent()).toContain('decides');
  await win.press('Escape', 'Control+Shift+A');
  await opened.page.locator('[data-testid=need][data-settled=true]').waitFor();
  await win.press('y');
  await win.shows(id, 'got <y>');
  await card.waitFor({ state: 'detached' });
});

it('takes a password in the card without showing it', async () => {
  const ask = 'stty -echo; printf "Password: "; read a; stty echo; echo "length ${#a}"; cat';
  const id = await daemon.run('secret', 'sh', '-c', ask);
  await daemon.open(opened.page);
  const card = win.by('need').filter({ hasText: 'secret' });
  await card.getByTestId('ask-text').fill('hunter2');
  expect(await card.getByTestId('ask-text').getAttribute('type')).toBe('password');
  await opened.page.locator('[data-testid=need][data-settled=true]', { hasText: 'secret' }).waitFor();
  await card.getByTestId('ask-text').press('Enter');
  await win.show('secret');
  const screen = await win.shows(id, 'length 7');
  expect(screen).not.toContain('hunter2');
});
