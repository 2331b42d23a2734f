// Terminals in the window against a daemon that only pretends: what a real one cannot be made to do on demand.
import { describe, expect, it } from 'vitest';
import { FakeWindow } from './support/fake-window';
import { until } from './support/window';

const my = new FakeWindow();

describe('terminal', () => {
  it('answers no query: only the daemon does', async () => {
    const fake = my.add({ name: 'queries' }, 'ready');
    await my.open();
    const id = await my.win.show('queries');
    await my.win.sent(id);
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
    await my.page.evaluate(([session, text]) => window.__belfry?.write(session, text), [
      id,
      queries,
    ] as const);
    // Focus reports are the daemon's too.
    await my.page.evaluate(([session, text]) => window.__belfry?.write(session, text), [
      id,
      '\x1b[?1004h',
    ] as const);
    await my.win.by('new-session').focus();
    await my.win.terminal(id).click();
    await my.win.type('x');
    expect(await my.win.sent(id)).toBe('x');
    expect(my.typed(fake)).toBe('x');
    const focus = my.daemon.requested('focus_view').map(({ params }) => params.focused);
    expect(focus.at(-2)).toBe(false);
    expect(focus.at(-1)).toBe(true);
  });

  it('that throws is opened again, and the person sees nothing', async () => {
    my.add({ name: 'fragile' }, 'all is well');
    await my.open();
    const id = await my.win.show('fragile');
    await my.win.shows(id, 'all is well');
    await my.page.evaluate((session) => window.__belfry?.breakParser(session), id);
    await until(
      () => my.daemon.requested('open_view').length,
      (count) => count === 2,
    );
    await my.win.shows(id, 'all is well');
    await my.win.type('y');
    await my.win.shows(id, 'all is welly');
  });

  it('never paints half a snapshot', async () => {
    const rows = (mark: string) => Array.from({ length: 3_000 }, (_, at) => `${mark} ${at}`).join('\r\n');
    const fake = my.add({ name: 'busy' }, rows('old'), rows('old'));
    await my.open();
    const id = await my.win.show('busy');
    await my.win.terminal(id).getByText('old 2999').waitFor();
    // Each frame that is painted has the end of one snapshot or of the other at its foot, never anything between.
    const seen = my.page.evaluate(
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
    my.daemon.print(fake.session.id, rows('new').slice(0, 20_000), 1);
    my.daemon.print(fake.session.id, rows('new').slice(20_000), 2);
    expect(await seen).toEqual(['old 2999', 'new 2999']);
  });

  it('grants credit for what it has dealt with', async () => {
    const fake = my.add({ name: 'credit' }, 'x');
    await my.open();
    await my.win.show('credit');
    for (let at = 0; at < 8; at += 1) my.daemon.print(fake.session.id, 'y'.repeat(32 * 1024));
    await until(
      () => my.daemon.credits.reduce((sum, bytes) => sum + bytes, 0),
      (sum) => sum >= 192 * 1024,
    );
  });

  it('holds snapshots off while the person looks back or selects', async () => {
    const rows = Array.from({ length: 200 }, (_, at) => `row ${at}`).join('\r\n');
    my.add({ name: 'held' }, rows);
    await my.open();
    const id = await my.win.show('held');
    const held = () => my.daemon.requested('hold_view').map(({ params }) => params.held);
    await my.win.terminal(id).hover();
    await my.page.mouse.wheel(0, -400);
    await until(held, (list) => list.join() === 'true');
    await my.win.by('scroll-down').click();
    await until(held, (list) => list.join() === 'true,false');
    await my.page.evaluate((session) => window.__belfry?.selectAll(session), id);
    await until(held, (list) => list.join() === 'true,false,true');
  });

  it('keeps the line at the top of a pane that is scrolled up, whatever its columns', async () => {
    const line = (at: number) => `line ${at} ${'and so on '.repeat(at % 30)}`;
    const rows = (from: number) =>
      Array.from({ length: 1_500 - from }, (_, at) => line(at + from)).join('\r\n');
    my.add({ name: 'read' }, rows(1_000), rows(0));
    my.add({ name: 'second' }, '');
    await my.open();
    const id = await my.win.show('read');
    await my.win.shows(id, 'line 1499');
    const top = async () => {
      const { viewportY } = (await my.page.evaluate((session) => window.__belfry?.scroll(session), id))!;
      return (await my.win.lines(id))[viewportY] ?? '';
    };
    const at = (wanted: RegExp) => until(top, (text) => wanted.test(text));
    await my.page.evaluate((session) => window.__belfry?.scrollToLine(session, 'line 1100 '), id);
    await at(/^line 1100 /);
    await my.win.row('second').click({ modifiers: ['Control'] });
    await until(
      () => my.win.by('pane').count(),
      (count) => count === 2,
    );
    await my.win.shows(id, 'line 1499');
    await at(/^line 1100 /);
    // Further back than a first snapshot reaches.
    await my.page.evaluate((session) => window.__belfry?.scrollToTop(session), id);
    await my.win.shows(id, /^line 0 /);
    // What comes in keeps the place, once it is all there.
    await at(/^line 1000 /);
    await my.page.evaluate((session) => window.__belfry?.scrollToLine(session, 'line 300 '), id);
    await at(/^line 300 /);
    await my.win.row('second').click();
    await my.win.press('Control+Shift+W');
    await my.win.shows(id, /^line 0 /);
    await at(/^line 300 /);
    await my.win.press('Control+=', 'Control+=');
    await at(/^line 300 /);
  });

  it('asks before a paste presses Enter', async () => {
    const fake = my.add({ name: 'paste' }, '$ ');
    await my.open();
    await my.win.show('paste');
    await my.page.evaluate(() => navigator.clipboard.writeText('echo one\necho \x1b[201~two\n'));
    await my.win.press('Control+Shift+V');
    await my.win.by('question-cancel').click();
    expect(my.typed(fake)).toBe('');
    await my.win.press('Control+Shift+V');
    expect(await my.win.by('question').locator('pre').textContent()).toBe('echo one\necho [201~two');
    await my.win.by('question-agree').click();
    await until(
      () => my.typed(fake),
      (text) => text === 'echo one\recho [201~two\r',
    );
  });

  it('copies what is selected, and puts on the clipboard what the program says, with a notice', async () => {
    const fake = my.add({ name: 'copy' }, 'to be copied');
    await my.open();
    const id = await my.win.show('copy');
    await my.page.evaluate((session) => window.__belfry?.selectAll(session), id);
    await my.win.press('Control+Shift+C');
    const clipboard = () => my.page.evaluate(() => navigator.clipboard.readText());
    await until(clipboard, (text) => text.startsWith('to be copied'));
    my.daemon.viewEvent(fake.session.id, { event: 'clipboard_write', text: 'from the program' });
    await my.win.by('toast').waitFor();
    expect(await clipboard()).toBe('from the program');
    expect(my.typed(fake)).toBe('');
  });

  it('copies on select where that is wanted, also when the mouse is let go outside', async () => {
    my.daemon.set.set('terminal.copy_on_select', true);
    my.add({ name: 'select' }, 'one two three');
    await my.open();
    const id = await my.win.show('select');
    await my.win.shows(id, 'one two three');
    const box = (await my.win.terminal(id).locator('.xterm-rows').boundingBox())!;
    await my.page.mouse.move(box.x + 1, box.y + 8);
    await my.page.mouse.down();
    await my.page.mouse.move(box.x + 300, box.y + 8, { steps: 5 });
    await my.page.mouse.move(box.x + 300, box.y - 60, { steps: 2 });
    await my.page.mouse.move(box.x + 300, box.y + 8, { steps: 2 });
    await my.page.mouse.move(box.x + 300, box.y + box.height + 40, { steps: 2 });
    await my.page.mouse.up();
    await expect
      .poll(() => my.page.evaluate(() => navigator.clipboard.readText()))
      .toContain('one two three');
  });

  it('has a menu of its own, unless the program takes the mouse', async () => {
    const fake = my.add({ name: 'menu' }, 'some text');
    await my.open();
    const id = await my.win.show('menu');
    await my.win.terminal(id).click({ button: 'right' });
    await my.win.by('terminal-select-all').click();
    await my.win.terminal(id).click({ button: 'right' });
    await my.win.by('terminal-copy').click();
    const clipboard = () => my.page.evaluate(() => navigator.clipboard.readText());
    await until(clipboard, (text) => text.startsWith('some text'));
    my.daemon.print(fake.session.id, '\x1b[?1000h\x1b[?1006h');
    await until(
      () => my.page.evaluate((session) => window.__belfry?.text(session).join(''), id),
      (text) => text?.includes('some text') ?? false,
    );
    await my.win.terminal(id).click({ button: 'right' });
    await expect.poll(() => my.typed(fake)).toContain('\x1b[<2;');
    expect(await my.win.by('menu').count()).toBe(0);
  });

  it('shows where a link leads, and opens only what it should', async () => {
    const links =
      'see https://example.org/page now\r\n\x1b]8;;file:///etc/passwd\x07click me\x1b]8;;\x07\r\n';
    my.add({ name: 'links' }, links);
    await my.open();
    const id = await my.win.show('links');
    await my.win.shows(id, 'click me');
    await my.page.evaluate(() => {
      window.open = (url) => {
        document.title = `opened ${url}`;
        return null;
      };
    });
    const box = (await my.win.terminal(id).locator('.xterm-rows').boundingBox())!;
    const cell =
      box.width / (await my.page.evaluate((session) => window.__belfry?.size(session)?.cols ?? 1, id));
    const over = async (column: number, row: number) =>
      my.page.mouse.move(box.x + cell * column, box.y + 17 * row + 8);
    await over(8, 0);
    await my.page.getByText('https://example.org/page').last().waitFor();
    await my.page.mouse.down();
    await my.page.mouse.up();
    expect(await my.page.title()).toBe('Belfry');
    await my.page.keyboard.down('Control');
    await my.page.mouse.down();
    await my.page.mouse.up();
    await until(
      () => my.page.title(),
      (title) => title === 'opened https://example.org/page',
    );
    await over(3, 1);
    await my.page.getByText('file:///etc/passwd').waitFor();
    await my.page.mouse.down();
    await my.page.mouse.up();
    await my.win.by('toast').waitFor();
    expect(await my.page.title()).toBe('opened https://example.org/page');
  });

  it('finds text in its scrollback', async () => {
    const rows = Array.from({ length: 300 }, (_, at) => (at % 100 === 7 ? `needle ${at}` : `hay ${at}`)).join(
      '\r\n',
    );
    my.add({ name: 'find' }, rows);
    await my.open();
    const id = await my.win.show('find');
    await my.win.shows(id, 'hay 299');
    await my.win.press('Control+Shift+F');
    await my.win.by('find-input').fill('needle');
    await until(
      () => my.win.by('find-count').textContent(),
      (text) => text?.trim() === '3 of 3',
    );
    // The whole scrollback may come in between, and the search then begins at its end again.
    await until(
      async () => {
        await my.win.press('Enter');
        return my.win.by('find-count').textContent();
      },
      (text) => text?.trim() === '2 of 3',
    );
    await my.win.press('Escape');
    await my.win.type('z');
    await until(
      () => my.win.text(id),
      (text) => text.includes('hay 299z'),
    );
  });

  it('changes its font size by keys, and tells the daemon its new size', async () => {
    const fake = my.add({ name: 'font' }, 'x');
    await my.open();
    await my.win.show('font');
    const before = await until(
      () => fake.size.cols,
      (cols) => cols !== 80,
    );
    await my.win.press('Control+=', 'Control+=', 'Control+=');
    const larger = await until(
      () => fake.size.cols,
      (cols) => cols < before,
    );
    await my.win.press('Control+-');
    await until(
      () => fake.size.cols,
      (cols) => cols > larger,
    );
    await my.win.press('Control+0');
    await until(
      () => fake.size.cols,
      (cols) => cols === before,
    );
    expect(my.typed(fake)).toBe('');
    // The keyboard stays where it was.
    await my.win.type('q');
    await expect.poll(() => my.typed(fake)).toBe('q');
  });

  it('leaves the program every key but the window’s own', async () => {
    const fake = my.add({ name: 'keys' }, '');
    my.daemon.echo = false;
    await my.open();
    await my.win.show('keys');
    await my.win.press(
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
    await expect.poll(() => my.typed(fake)).toBe(expected);
  });

  it('takes what an input method composes, once', async () => {
    const fake = my.add({ name: 'ime' }, '');
    my.daemon.echo = false;
    await my.open();
    await my.win.show('ime');
    const devtools = await my.opened.context.newCDPSession(my.page);
    await devtools.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
    await devtools.send('Input.imeSetComposition', { text: '日本', selectionStart: 2, selectionEnd: 2 });
    await devtools.send('Input.insertText', { text: '日本' });
    await expect.poll(() => my.typed(fake)).toBe('日本');
    await my.win.type('é');
    await expect.poll(() => my.typed(fake)).toBe('日本é');
  });

  it('makes Shift Enter a new line in an agent', async () => {
    const fake = my.add({ name: 'agent', agent: 'claude' }, '');
    my.daemon.echo = false;
    await my.open();
    await my.win.show('agent');
    await my.win.press('Shift+Enter', 'Enter');
    await until(
      () => my.typed(fake),
      (text) => text === '\x1b\r\r',
    );
  });

  it('shows the last screen of a wide dead session large enough to read, and scrolls to the rest', async () => {
    const fake = my.add({ name: 'dead', status: 'dead', exit: { how: 'code', code: 1 } }, 'x'.repeat(240));
    fake.size = { cols: 240, rows: 30 };
    await my.open({ width: 700, height: 700 });
    await my.win.by('open-drawer').click();
    const id = await my.win.show('dead');
    const look = () =>
      my.win.terminal(id).evaluate((host) => ({
        scale: host.querySelector('.xterm-screen')!.getBoundingClientRect().height / 30,
        beyond: host.scrollWidth - host.clientWidth,
      }));
    const { scale } = await until(look, ({ beyond }) => beyond > 300);
    // Lines of 17 px, at 70 %.
    expect(scale).toBeGreaterThan(11);
    await my.win.terminal(id).hover();
    await my.page.mouse.wheel(0, -2_000);
    await my.page.mouse.wheel(120, 0);
    await until(
      () => my.win.terminal(id).evaluate((host) => host.scrollLeft),
      (left) => left > 100,
    );
    await my.page.setViewportSize({ width: 719, height: 300 });
    await my.win.terminal(id).evaluate((host) => host.scrollTo(0, 0));
    await my.page.mouse.move(350, 120);
    await my.page.mouse.wheel(0, 60);
    await until(
      () => my.win.terminal(id).evaluate((host) => host.scrollTop),
      (scrolled) => scrolled > 40,
    );
    await my.win.terminal(id).evaluate((host) => host.scrollTo(1e6, 0));
    const box = (await my.win.terminal(id).boundingBox())!;
    const screen = (await my.win.terminal(id).locator('.xterm-screen').boundingBox())!;
    expect(screen.x + screen.width).toBeLessThanOrEqual(box.x + box.width);
  });

  it('is closed at the daemon while hidden, and few are kept', async () => {
    for (let at = 0; at < 10; at += 1) my.add({ name: `number ${at}` }, `screen ${at}`);
    await my.open();
    for (let at = 0; at < 10; at += 1) await my.win.shows(await my.win.show(`number ${at}`), `screen ${at}`);
    expect(my.daemon.views.length).toBe(1);
    expect(await my.page.evaluate(() => window.__belfry?.liveViews())).toBeLessThanOrEqual(5);
    await my.win.shows(await my.win.show('number 0'), 'screen 0');
  });
});
