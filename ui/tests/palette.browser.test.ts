// The palette and the list of keys, against a pretended daemon.
import { describe, expect, it } from 'vitest';
import { FakeWindow } from './support/fake-window';
import { until } from './support/window';

const my = new FakeWindow();
const items = () => my.win.by('palette-item');
const texts = () => items().allInnerTexts();

async function open(text = '') {
  await my.win.press('Control+Shift+K');
  if (text) await my.win.by('palette-input').fill(text);
}

describe('the palette', () => {
  it('opens sessions, the one before first, and beside with Ctrl', async () => {
    for (const name of ['alpha', 'beta', 'gamma']) my.add({ name }, `${name} screen`);
    await my.open();
    await my.win.show('alpha');
    await my.win.show('beta');
    await open();
    // Where one came from is one Enter away.
    expect((await texts())[0]).toContain('alpha');
    await my.win.press('Enter');
    await until(
      () => my.win.by('tab').textContent(),
      (text) => text?.includes('alpha') ?? false,
    );
    await open('gam');
    expect(await items().first().locator('b').allInnerTexts()).toEqual(['gam']);
    await my.win.press('Control+Enter');
    await until(
      () => my.win.by('pane').count(),
      (count) => count === 2,
    );
    await my.win.type('x');
    const gamma = [...my.daemon.sessions.values()].find(({ session }) => session.name === 'gamma')!;
    await until(
      () => my.typed(gamma),
      (typed) => typed === 'x',
    );
  });

  it('runs commands, says why one cannot be run, and has the last one first', async () => {
    my.add({ name: 'alpha' }, 'alpha');
    await my.open();
    await my.win.show('alpha');
    await open('> zoom');
    expect((await texts())[0]).toContain('there is one pane only');
    await my.win.press('Enter');
    await my.win.by('palette').waitFor();
    await my.win.by('palette-input').fill('> split down');
    await my.win.press('Enter');
    await my.win.by('empty-pane').waitFor();
    await my.win.press('Control+Shift+P');
    expect((await texts())[0]).toContain('Split the pane downwards');
    await until(
      () => JSON.stringify(my.daemon.settings.get('window.main.commands') ?? ''),
      (kept) => kept.includes('split-down'),
    );
  });

  it('finds text in what sessions show, and shows it there', async () => {
    const lines = Array.from({ length: 200 }, (_, at) => `line ${at}`);
    lines[20] = 'revoke the old refresh family on reuse';
    my.add({ name: 'first' }, 'nothing here');
    const second = my.add({ name: 'second' }, lines.join('\r\n'));
    my.daemon.screens.set(second.session.id, lines.join('\n'));
    await my.open();
    await my.win.show('first');
    await my.win.press('Control+Shift+S');
    await my.win.type('refresh fam');
    await until(texts, (all) => all.length === 1);
    expect(await items().first().locator('b').textContent()).toBe('refresh fam');
    await my.win.press('Enter');
    await until(
      () => my.win.by('find-count').textContent(),
      (count) => count?.includes('1 of 1') ?? false,
    );
    expect(await my.win.by('find-input').inputValue()).toBe('refresh fam');
    // Each session was read once.
    expect(my.daemon.requested('read_screen').length).toBe(2);
    const { viewportY } = (await my.page.evaluate(
      (session) => window.__belfry?.scroll(session),
      second.session.id,
    ))!;
    expect(viewportY).toBeLessThan(30);
  });

  it('is walked by mouse and keys, and gives the keyboard back', async () => {
    const alpha = my.add({ name: 'alpha' }, 'alpha');
    my.add({ name: 'beta' }, 'beta');
    await my.open();
    await my.win.show('alpha');
    await open();
    const chosen = () => my.page.locator('[data-testid=palette-item][aria-selected=true]').innerText();
    const first = await chosen();
    await my.win.press('ArrowDown');
    expect(await chosen()).not.toBe(first);
    await my.win.press('ArrowUp', 'ArrowUp');
    expect(await chosen()).toBe((await texts()).at(-1));
    await items().nth(1).hover();
    expect(await chosen()).toBe((await texts())[1]);
    await my.win.press('Escape');
    await my.win.type('k');
    await until(
      () => my.typed(alpha),
      (typed) => typed === 'k',
    );
  });

  it('with 300 sessions shows what was typed in the next frames', async () => {
    for (let at = 0; at < 300; at += 1) my.add({ name: `session number ${at}`, cwd: `/src/p${at % 12}` }, '');
    await my.open();
    await open();
    await my.win.by('palette-input').pressSequentially('number 299');
    await until(texts, (all) => all[0]?.includes('session number 299') ?? false);
    await my.win.press('Enter');
    await until(
      () => my.win.by('tab').textContent(),
      (text) => text?.includes('299') ?? false,
    );
  });
});

describe('keys', () => {
  it('are all listed by ?, outside of terminals', async () => {
    const alpha = my.add({ name: 'alpha' }, 'alpha');
    await my.open();
    await my.win.show('alpha');
    await my.win.press('Shift+?');
    await until(
      () => my.typed(alpha),
      (typed) => typed === '?',
    );
    expect(await my.win.by('key-sheet').count()).toBe(0);
    await my.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await my.win.press('Shift+?');
    await my.win.by('key-sheet').waitFor();
    expect(await my.win.by('key-sheet').innerText()).toContain('Next session that needs you');
    await my.win.type('reopen');
    expect(await my.win.by('key-sheet').innerText()).toContain('Ctrl Shift T');
    expect(await my.win.by('key-sheet').innerText()).not.toContain('Larger font');
    await my.win.press('Escape', 'Control+Shift+?');
    await my.win.by('key-sheet').waitFor();
  });

  it('say why they do nothing, and open the row that has the keyboard', async () => {
    my.add({ name: 'alpha' }, 'alpha');
    await my.open();
    await my.win.press('Control+Shift+D');
    await my.win.by('toast').getByText('nothing is open').waitFor();
    await my.win.row('alpha').focus();
    await my.win.press('Control+Shift+Enter');
    await my.win.by('tab').getByText('alpha').waitFor();
    await my.win.press('Control+Shift+Z');
    await my.win.by('toast').getByText('there is one pane only').waitFor();
  });

  it('jump to what needs somebody, and to what is new', async () => {
    my.add({ name: 'quiet' }, 'quiet');
    my.add({ name: 'stuck', status: 'blocked', reason: 'usage limit' }, 'stuck');
    my.add({ name: 'over', unseen: true }, 'over');
    await my.open();
    await my.win.show('quiet');
    const front = (name: string) =>
      until(
        () => my.win.by('tab').first().textContent(),
        (text) => text?.includes(name) ?? false,
      );
    await my.win.press('Control+Shift+J');
    await front('stuck');
    await my.win.press('Control+Shift+L');
    await front('over');
  });
});
