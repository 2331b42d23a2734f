// The window against a daemon that only pretends: what a real one cannot be made to do on demand.
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeDaemon, fakeSession, type FakeSession } from './support/fake-daemon';
import { closeBrowser, newPage, ready, type Shape } from './support/page';
import { until, Win } from './support/window';

const FILES = fileURLToPath(new URL('../dist-test', import.meta.url));

let daemon: FakeDaemon;
let opened: Awaited<ReturnType<typeof newPage>>;
let win: Win;

async function open(shape: Shape = {}): Promise<void> {
  opened = await newPage(shape);
  win = new Win(opened.page);
  await opened.page.goto(daemon.url);
  await ready(opened.page);
}
const add = (...part: Parameters<typeof fakeSession>): FakeSession => daemon.add(fakeSession(...part));
const typed = (fake: FakeSession) => daemon.typed.get(fake.session.id)?.toString() ?? '';

beforeEach(async () => {
  daemon = new FakeDaemon(FILES);
  await daemon.start();
});
afterEach(async () => {
  const { errors } = opened;
  await opened.context.close();
  await daemon.stop();
  expect(errors.filter((error) => !/WebSocket|ERR_|thrown by a test/.test(error))).toEqual([]);
});
afterAll(closeBrowser);

describe('terminal', () => {
  it('answers no query: only the daemon does', async () => {
    const fake = add({ name: 'queries' }, 'ready');
    await open();
    const id = await win.show('queries');
    await win.sent(id);
    const queries = [
      '\x1b[c',
      '\x1b[>c',
      '\x1b[=c',
      '\x1b[5n',
      '\x1b[6n',
      '\x1b[?6n',
      '\x1b[?996n',
      '\x1b[>q',
      '\x1b[?u',
      '\x1bZ',
      '\x1b[?2026$p',
      '\x1b[4$p',
      '\x1b[18t',
      '\x1b[14t',
      '\x1b[16t',
      '\x1b[21t',
      '\x1bP$qm\x1b\\',
      '\x1bP+q544e\x1b\\',
      '\x1b]10;?\x07',
      '\x1b]11;?\x1b\\',
      '\x1b]12;?\x07',
      '\x1b]4;1;?\x07',
      '\x1b]52;c;?\x07',
      '\x1b]7501;?\x07',
      '\x05',
    ].join('');
    await opened.page.evaluate(([session, text]) => window.__belfry?.write(session, text), [
      id,
      queries,
    ] as const);
    // Focus reports are the daemon's too.
    await opened.page.evaluate(([session, text]) => window.__belfry?.write(session, text), [
      id,
      '\x1b[?1004h',
    ] as const);
    await win.by('new-session').focus();
    await win.terminal(id).click();
    await win.type('x');
    expect(await win.sent(id)).toBe('x');
    expect(typed(fake)).toBe('x');
    const focus = daemon.requested('focus_view').map(({ params }) => params.focused);
    expect(focus.at(-2)).toBe(false);
    expect(focus.at(-1)).toBe(true);
  });

  it('that throws is opened again, and the person sees nothing', async () => {
    add({ name: 'fragile' }, 'all is well');
    await open();
    const id = await win.show('fragile');
    await win.shows(id, 'all is well');
    await opened.page.evaluate((session) => window.__belfry?.breakParser(session), id);
    await until(
      () => daemon.requested('open_view').length,
      (count) => count === 2,
    );
    await win.shows(id, 'all is well');
    await win.type('y');
    await win.shows(id, 'all is welly');
  });

  it('never paints half a snapshot', async () => {
    const rows = (mark: string) => Array.from({ length: 3_000 }, (_, at) => `${mark} ${at}`).join('\r\n');
    const fake = add({ name: 'busy' }, rows('old'), rows('old'));
    await open();
    const id = await win.show('busy');
    await win.terminal(id).getByText('old 2999').waitFor();
    // Each frame that is painted has the end of one snapshot or of the other at its foot, never anything between.
    const seen = opened.page.evaluate(
      (selector) =>
        new Promise<string[]>((resolve) => {
          const found = new Set<string>();
          const look = () => {
            const lines = [...document.querySelectorAll(`${selector} .xterm-rows > div`)].map((row) =>
              row.textContent.trim(),
            );
            const last = lines.filter(Boolean).at(-1) ?? 'blank';
            found.add(last);
            if (last === 'new 2999') resolve([...found]);
            else requestAnimationFrame(look);
          };
          look();
        }),
      `[data-session="${id}"]`,
    );
    daemon.print(fake.session.id, rows('new').slice(0, 20_000), 1);
    daemon.print(fake.session.id, rows('new').slice(20_000), 2);
    expect(await seen).toEqual(['old 2999', 'new 2999']);
  });

  it('grants credit for what it has dealt with', async () => {
    const fake = add({ name: 'credit' }, 'x');
    await open();
    await win.show('credit');
    for (let at = 0; at < 8; at += 1) daemon.print(fake.session.id, 'y'.repeat(32 * 1024));
    await until(
      () => daemon.credits.reduce((sum, bytes) => sum + bytes, 0),
      (sum) => sum >= 192 * 1024,
    );
  });

  it('holds snapshots off while the person looks back or selects', async () => {
    const rows = Array.from({ length: 200 }, (_, at) => `row ${at}`).join('\r\n');
    add({ name: 'held' }, rows);
    await open();
    const id = await win.show('held');
    const held = () => daemon.requested('hold_view').map(({ params }) => params.held);
    await win.terminal(id).hover();
    await opened.page.mouse.wheel(0, -400);
    await until(held, (list) => list.join() === 'true');
    await win.by('scroll-down').click();
    await until(held, (list) => list.join() === 'true,false');
    await opened.page.evaluate((session) => window.__belfry?.selectAll(session), id);
    await until(held, (list) => list.join() === 'true,false,true');
  });

  it('asks before a paste presses Enter', async () => {
    const fake = add({ name: 'paste' }, '$ ');
    await open();
    await win.show('paste');
    await opened.page.evaluate(() => navigator.clipboard.writeText('echo one\necho \x1b[201~two\n'));
    await win.press('Control+Shift+V');
    await win.by('question-cancel').click();
    expect(typed(fake)).toBe('');
    await win.press('Control+Shift+V');
    expect(await win.by('question').locator('pre').textContent()).toBe('echo one\necho [201~two');
    await win.by('question-agree').click();
    await until(
      () => typed(fake),
      (text) => text === 'echo one\recho [201~two\r',
    );
  });

  it('copies what is selected, and puts on the clipboard what the program says, with a notice', async () => {
    const fake = add({ name: 'copy' }, 'to be copied');
    await open();
    const id = await win.show('copy');
    await opened.page.evaluate((session) => window.__belfry?.selectAll(session), id);
    await win.press('Control+Shift+C');
    const clipboard = () => opened.page.evaluate(() => navigator.clipboard.readText());
    await until(clipboard, (text) => text.startsWith('to be copied'));
    daemon.viewEvent(fake.session.id, { event: 'clipboard_write', text: 'from the program' });
    await win.by('toast').waitFor();
    expect(await clipboard()).toBe('from the program');
    expect(typed(fake)).toBe('');
  });

  it('has a menu of its own, unless the program takes the mouse', async () => {
    const fake = add({ name: 'menu' }, 'some text');
    await open();
    const id = await win.show('menu');
    await win.terminal(id).click({ button: 'right' });
    await win.by('terminal-select-all').click();
    await win.terminal(id).click({ button: 'right' });
    await win.by('terminal-copy').click();
    const clipboard = () => opened.page.evaluate(() => navigator.clipboard.readText());
    await until(clipboard, (text) => text.startsWith('some text'));
    daemon.print(fake.session.id, '\x1b[?1000h\x1b[?1006h');
    await until(
      () => opened.page.evaluate((session) => window.__belfry?.text(session).join(''), id),
      (text) => text?.includes('some text') ?? false,
    );
    await win.terminal(id).click({ button: 'right' });
    await expect.poll(() => typed(fake)).toContain('\x1b[<2;');
    expect(await win.by('menu').count()).toBe(0);
  });

  it('shows where a link leads, and opens only what it should', async () => {
    const links =
      'see https://example.org/page now\r\n\x1b]8;;file:///etc/passwd\x07click me\x1b]8;;\x07\r\n';
    add({ name: 'links' }, links);
    await open();
    const id = await win.show('links');
    await win.shows(id, 'click me');
    await opened.page.evaluate(() => {
      window.open = (url) => {
        document.title = `opened ${url}`;
        return null;
      };
    });
    const box = (await win.terminal(id).locator('.xterm-rows').boundingBox())!;
    const cell =
      box.width / (await opened.page.evaluate((session) => window.__belfry?.size(session)?.cols ?? 1, id));
    const over = async (column: number, row: number) =>
      opened.page.mouse.move(box.x + cell * column, box.y + 17 * row + 8);
    await over(8, 0);
    await opened.page.getByText('https://example.org/page').last().waitFor();
    await opened.page.mouse.down();
    await opened.page.mouse.up();
    expect(await opened.page.title()).toBe('Belfry');
    await opened.page.keyboard.down('Control');
    await opened.page.mouse.down();
    await opened.page.mouse.up();
    await until(
      () => opened.page.title(),
      (title) => title === 'opened https://example.org/page',
    );
    await over(3, 1);
    await opened.page.getByText('file:///etc/passwd').waitFor();
    await opened.page.mouse.down();
    await opened.page.mouse.up();
    await win.by('toast').waitFor();
    expect(await opened.page.title()).toBe('opened https://example.org/page');
  });

  it('finds text in its scrollback', async () => {
    const rows = Array.from({ length: 300 }, (_, at) => (at % 100 === 7 ? `needle ${at}` : `hay ${at}`)).join(
      '\r\n',
    );
    add({ name: 'find' }, rows);
    await open();
    const id = await win.show('find');
    await win.shows(id, 'hay 299');
    await win.press('Control+Shift+F');
    await win.by('find-input').fill('needle');
    await until(
      () => win.by('find-count').textContent(),
      (text) => text?.trim() === '3 of 3',
    );
    await win.press('Enter');
    await until(
      () => win.by('find-count').textContent(),
      (text) => text?.trim() === '2 of 3',
    );
    await win.press('Escape');
    await win.type('z');
    await until(
      () => win.text(id),
      (text) => text.includes('hay 299z'),
    );
  });

  it('changes its font size by keys, and tells the daemon its new size', async () => {
    const fake = add({ name: 'font' }, 'x');
    await open();
    await win.show('font');
    const before = await until(
      () => fake.size.cols,
      (cols) => cols !== 80,
    );
    await win.press('Control+=', 'Control+=', 'Control+=');
    const larger = await until(
      () => fake.size.cols,
      (cols) => cols < before,
    );
    await win.press('Control+-');
    await until(
      () => fake.size.cols,
      (cols) => cols > larger,
    );
    await win.press('Control+0');
    await until(
      () => fake.size.cols,
      (cols) => cols === before,
    );
    expect(typed(fake)).toBe('');
  });

  it('leaves the program every key but the window’s own', async () => {
    const fake = add({ name: 'keys' }, '');
    daemon.echo = false;
    await open();
    await win.show('keys');
    await win.press(
      'Control+k',
      'Control+n',
      'Control+w',
      'Control+c',
      'Alt+f',
      'Control+Shift+_',
      'Tab',
      'Shift+Tab',
      'Escape',
      'F2',
      'Delete',
    );
    const expected = '\x0b\x0e\x17\x03\x1bf\x1f\t\x1b[Z\x1b\x1bOQ\x1b[3~';
    await expect.poll(() => typed(fake)).toBe(expected);
  });

  it('takes what an input method composes, once', async () => {
    const fake = add({ name: 'ime' }, '');
    daemon.echo = false;
    await open();
    await win.show('ime');
    const devtools = await opened.context.newCDPSession(opened.page);
    await devtools.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
    await devtools.send('Input.imeSetComposition', { text: '日本', selectionStart: 2, selectionEnd: 2 });
    await devtools.send('Input.insertText', { text: '日本' });
    await expect.poll(() => typed(fake)).toBe('日本');
    await win.type('é');
    await expect.poll(() => typed(fake)).toBe('日本é');
  });

  it('makes Shift Enter a new line in an agent', async () => {
    const fake = add({ name: 'agent', agent: 'claude' }, '');
    daemon.echo = false;
    await open();
    await win.show('agent');
    await win.press('Shift+Enter', 'Enter');
    await until(
      () => typed(fake),
      (text) => text === '\x1b\r\r',
    );
  });

  it('is closed at the daemon while hidden, and few are kept', async () => {
    for (let at = 0; at < 10; at += 1) add({ name: `number ${at}` }, `screen ${at}`);
    await open();
    for (let at = 0; at < 10; at += 1) await win.shows(await win.show(`number ${at}`), `screen ${at}`);
    expect(daemon.views.length).toBe(1);
    expect(await opened.page.evaluate(() => window.__belfry?.liveViews())).toBeLessThanOrEqual(5);
    await win.shows(await win.show('number 0'), 'screen 0');
  });
});

describe('list', () => {
  it('is walked by keyboard', async () => {
    const home = '/home/dev';
    add({ name: 'alpha', cwd: `${home}/a` }, 'alpha');
    const beta = add({ name: 'beta', cwd: `${home}/b` }, 'beta screen');
    await open();
    await win.press('Control+Shift+E');
    await win.press('Home', 'ArrowDown', 'ArrowDown', 'ArrowDown');
    expect(await opened.page.evaluate(() => document.activeElement?.getAttribute('data-session'))).toBe(
      beta.session.id,
    );
    await win.press('Enter');
    await win.shows(beta.session.id, 'beta screen');
    await win.type('q');
    await until(
      () => typed(beta),
      (text) => text === 'q',
    );
    await win.press('Control+Shift+E', 'ArrowLeft', 'ArrowLeft');
    await win.row('beta').waitFor({ state: 'detached' });
  });

  it('shows how sessions are and how they ended, without words from a program as markup', async () => {
    add({ name: '<b>bold</b>', status: 'running', activity: 'npm <i>test</i>' });
    add({ name: 'gone', status: 'dead', exit: { how: 'machine_restarted' } });
    add({ name: 'shot', status: 'dead', exit: { how: 'signal', signal: 9, name: 'SIGKILL' } });
    add({ name: 'seen', unseen: true });
    await open();
    expect(await win.row('<b>bold</b>').textContent()).toContain('npm <i>test</i>');
    expect(await win.row('gone').textContent()).toContain('Machine restarted');
    expect(await win.row('shot').textContent()).toContain('Killed by SIGKILL');
    expect(await win.row('seen').getAttribute('data-status')).toBe('done');
    expect(await win.by('count-done').textContent()).toContain('1');
  });

  it('with 300 sessions keeps up with changes', async () => {
    for (let at = 0; at < 300; at += 1)
      add({ name: `session ${at}`, cwd: `/home/dev/src/p${at % 12}` }, `screen ${at}`);
    await open();
    expect(await win.by('session-row').count()).toBe(300);
    const first = [...daemon.sessions.values()][0]!;
    for (let at = 0; at < 600; at += 1) {
      const fake = [...daemon.sessions.values()][at % 300]!;
      daemon.change(fake.session.id, { activity: `step ${at}`, status: 'running' });
    }
    daemon.change(first.session.id, { activity: 'the last step' });
    await until(
      () => win.row('session 0').first().textContent(),
      (text) => text?.includes('the last step') ?? false,
    );
  });
});

describe('panes', () => {
  it('split by a click with Ctrl, are resized by their divider, and come back after a reload', async () => {
    const left = add({ name: 'left' }, 'left');
    add({ name: 'right' }, 'right');
    await open();
    await win.show('left');
    await win.show('right', { modifiers: ['Control'] });
    expect(await win.by('pane').count()).toBe(2);
    const cols = await until(
      () => left.size.cols,
      (size) => size < 80,
    );
    const box = (await win.by('divider').boundingBox())!;
    await opened.page.mouse.move(box.x, box.y + 200);
    await opened.page.mouse.down();
    await opened.page.mouse.move(box.x + 200, box.y + 200, { steps: 4 });
    await opened.page.mouse.up();
    await until(
      () => left.size.cols,
      (size) => size > cols + 15,
    );
    await until(
      () => JSON.stringify(daemon.settings.get('window.main.layout') ?? ''),
      (stored) => /"shares":\[0\.[67]/.test(stored),
    );
    await opened.page.reload();
    await ready(opened.page);
    expect(await win.by('pane').count()).toBe(2);
    await win.press('Control+Shift+ArrowLeft', 'Control+Shift+W');
    expect(await win.by('pane').count()).toBe(1);
  });

  it('take tabs, which keys and a middle click move and close', async () => {
    for (const name of ['a1', 'a2', 'a3']) add({ name }, name);
    await open();
    await win.show('a1');
    await win.row('a2').click({ button: 'middle' });
    await win.row('a3').click({ button: 'middle' });
    expect(await win.by('tab').count()).toBe(3);
    await win.press('Control+Shift+PageDown');
    expect(await opened.page.locator('[role=tab][aria-selected=true]').textContent()).toContain('a1');
    await win.by('tab').filter({ hasText: 'a2' }).click({ button: 'middle' });
    expect(await win.by('tab').count()).toBe(2);
    await win.press('Control+Shift+Enter');
    expect(await win.by('pane').count()).toBe(2);
  });
});

it('keeps the keyboard where it is when another pane goes away', async () => {
  const stays = add({ name: 'stays' }, '');
  const goes = add({ name: 'goes' }, '');
  await open();
  await win.show('goes');
  await win.show('stays', { modifiers: ['Control'] });
  await win.type('a');
  await expect.poll(() => typed(stays)).toBe('a');
  daemon.sessions.delete(goes.session.id);
  daemon.event({ event: 'session_removed', id: goes.session.id });
  await until(
    () => win.by('pane').count(),
    (count) => count === 1,
  );
  await win.type('b');
  await expect.poll(() => typed(stays)).toBe('ab');
});

describe('connection', () => {
  it('comes back by itself, with a calm notice meanwhile', async () => {
    const fake = add({ name: 'lasting' }, 'screen before');
    await open();
    const id = await win.show('lasting');
    daemon.disconnect(true);
    await win.by('reconnect-notice').waitFor();
    await win.shows(id, 'screen before');
    fake.screen = 'screen after';
    daemon.up();
    await win.shows(id, 'screen after');
    await win.by('reconnect-notice').waitFor({ state: 'detached' });
    await win.type('k');
    await until(
      () => typed(fake),
      (text) => text === 'k',
    );
  });

  it('tells the colours of the theme, and again when it changes', async () => {
    add({ name: 'x' });
    await open();
    const dark = () => daemon.requested('set_colors').map(({ params }) => params.dark);
    await until(dark, (list) => list.at(-1) === true);
    await opened.page.emulateMedia({ colorScheme: 'light' });
    await until(dark, (list) => list.at(-1) === false);
    const { params } = daemon.requested('set_colors').at(-1)!;
    expect(params.background).toBe('#eef0f3');
    expect(params.ansi).toHaveLength(16);
  });
});

describe('new session', () => {
  it('offers what is here, and says how the rest is installed', async () => {
    await open();
    await win.press('Control+Shift+N');
    expect(await win.by('agent-claude').getAttribute('aria-checked')).toBe('true');
    await win.by('agent-aider').click();
    expect(await win.by('install-hint').textContent()).toContain('pipx install aider-chat');
    await win.by('prompt').fill('Fix it\nwell');
    await win.by('more-options').click();
    await win.by('args').fill("--flag 'two words'");
    await win.by('env').fill('TOKEN=a b');
    await win.by('private').check();
    await win.by('prompt').press('Enter');
    await win.by('new-session-dialog').waitFor({ state: 'detached' });
    const { params } = daemon.requested('new_session').at(-1)!;
    expect(params).toMatchObject({
      agent: 'claude',
      prompt: 'Fix it\nwell',
      args: ['--flag', 'two words'],
      env: [{ name: 'TOKEN', value: 'a b' }],
      private: true,
    });
  });

  it('completes directories by Tab and offers recent ones', async () => {
    await open();
    await win.press('Control+Shift+N');
    await win.by('agent-shell').click();
    await win.by('directory').fill('~/src/st');
    await win.by('directories').waitFor();
    await win.press('Tab');
    expect(await win.by('directory').inputValue()).toBe('~/src/storefront/');
    await win.by('directory').fill('');
    await win.press('ArrowDown', 'ArrowDown', 'Enter');
    expect(await win.by('directory').inputValue()).toBe('~/src/ledger');
    await win.press('Enter');
    await win.by('new-session-dialog').waitFor({ state: 'detached' });
    expect(daemon.requested('new_session').at(-1)?.params.cwd).toBe('~/src/ledger');
  });

  it('keeps what was typed when it fails, and says why beside it', async () => {
    daemon.failures.set('new_session', {
      code: 'no_private_storage',
      message: 'There is no memory-backed storage here.',
    });
    await open();
    await win.press('Control+Shift+N');
    await win.by('name').fill('kept');
    await win.by('name').press('Enter');
    await opened.page.getByText('There is no memory-backed storage here.').waitFor();
    expect(await win.by('name').inputValue()).toBe('kept');
  });
});

describe('narrow window', () => {
  it('has one pane, a drawer and a bottom bar', async () => {
    add({ name: 'first' }, 'first screen');
    add({ name: 'second' }, 'second screen');
    await open({ width: 480, height: 800 });
    await win.by('open-drawer').click();
    const first = await win.show('first');
    await win.by('sidebar').waitFor({ state: 'detached' });
    await win.by('open-drawer').click();
    await win.row('second').click({ button: 'middle' });
    await win.shows(first, 'first screen');
    await win.by('bottom-bar').getByText('first').click();
    expect(await win.by('pane').count()).toBe(1);
    expect(await opened.page.evaluate(() => document.documentElement.scrollWidth)).toBe(480);
  });
});
