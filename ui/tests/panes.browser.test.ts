// Panes, tabs and layouts, against a pretended daemon, which counts what it is asked for.
import { describe, expect, it } from 'vitest';
import { FakeWindow } from './support/fake-window';
import { ready } from './support/page';
import { until } from './support/window';

const my = new FakeWindow();

/** What is open where, as the window shows it: `a b* | c*`. */
async function shape(): Promise<string> {
  return my.page.evaluate(() =>
    [...document.querySelectorAll('[data-testid=pane]')]
      .map((pane) => ({ pane, box: pane.getBoundingClientRect() }))
      .sort((a, b) => a.box.left - b.box.left || a.box.top - b.box.top)
      .map(({ pane }) =>
        [...pane.querySelectorAll('[role=tab]')]
          .map((tab) => `${tab.querySelector('.cut')?.textContent}${tab.ariaSelected === 'true' ? '*' : ''}`)
          .join(' '),
      )
      .join(' | '),
  );
}
const shapes = (wanted: string) => until(shape, (seen) => seen === wanted);
const tab = (name: string) => my.page.locator('[role=tab]', { hasText: name });
const stored = () => JSON.stringify(my.daemon.settings.get('window.main.layout') ?? '');
const opened = (id: string) =>
  my.daemon.requested('open_view').filter(({ params }) => params.session === id).length;

async function drag(name: string, x: number, y: number) {
  const box = (await tab(name).boundingBox())!;
  await my.page.mouse.move(box.x + 30, box.y + box.height / 2);
  await my.page.mouse.down();
  await my.page.mouse.move(box.x + 60, box.y + 40, { steps: 3 });
  await my.page.mouse.move(x, y, { steps: 4 });
}

/** A place in the pane that shows a tab, as shares of its terminal's room. */
async function inPane(name: string, across: number, down: number) {
  const pane = my.page.getByTestId('pane').filter({ has: tab(name) });
  const box = (await pane.boundingBox())!;
  const top = 32;
  return [box.x + box.width * across, box.y + top + (box.height - top) * down] as const;
}

async function abc() {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => my.add({ name: `${name}${name}` }, `${name} screen`));
  await my.open();
  await my.win.show('aa');
  await my.win.row('bb').click({ button: 'middle' });
  await my.win.show('cc', { modifiers: ['Control'] });
  await shapes('aa bb* | cc*');
  return { a: a!, b: b!, c: c! };
}

describe('a tab that is dragged', () => {
  it('shows where it would go, and splits a pane at its edge, without being opened anew', async () => {
    const { a } = await abc();
    await tab('aa').click();
    await my.win.shows(a.session.id, 'a screen');
    const before = opened(a.session.id);
    await drag('aa', ...(await inPane('cc', 0.5, 0.97)));
    const preview = my.win.by('drop-preview');
    expect(await preview.getAttribute('data-kind')).toBe('edge');
    const [half, pane] = [(await preview.boundingBox())!, await inPane('cc', 0, 0.5)];
    expect(half.x).toBeCloseTo(pane[0], -1);
    expect(half.y).toBeCloseTo(pane[1], -1);
    await my.page.mouse.up();
    await shapes('bb* | cc* | aa*');
    await my.win.shows(a.session.id, 'a screen');
    await my.win.type('x');
    await until(
      () => my.typed(a),
      (typed) => typed === 'x',
    );
    expect(opened(a.session.id)).toBe(before);
  });

  it('joins another pane in its middle, and loses no byte on the way', async () => {
    const { a } = await abc();
    await tab('aa').click();
    await my.win.shows(a.session.id, 'a screen');
    const before = opened(a.session.id);
    await drag('aa', ...(await inPane('cc', 0.5, 0.5)));
    for (let line = 0; line < 50; line += 1) my.daemon.print(a.session.id, `line ${line}\r\n`);
    await my.page.mouse.up();
    for (let line = 50; line < 100; line += 1) my.daemon.print(a.session.id, `line ${line}\r\n`);
    await shapes('bb* | cc aa*');
    await my.win.shows(a.session.id, 'line 99');
    const lines = (await my.win.lines(a.session.id)).filter((line) => /line \d/.test(line));
    expect(lines.map((line) => Number(/\d+$/.exec(line)?.[0]))).toEqual(
      Array.from({ length: 100 }, (_, at) => at),
    );
    expect(opened(a.session.id)).toBe(before);
  });

  it('finds its place among tabs, and stays where it was after Esc', async () => {
    await abc();
    const box = (await tab('cc').boundingBox())!;
    await drag('bb', box.x + 4, box.y + 10);
    expect(await my.win.by('drop-preview').getAttribute('data-kind')).toBe('tab');
    await my.page.keyboard.press('Escape');
    await my.page.mouse.up();
    expect(await shape()).toBe('aa bb* | cc*');
    await drag('bb', box.x + 4, box.y + 10);
    await my.page.mouse.up();
    await shapes('aa* | bb* cc');
    const first = (await tab('bb').boundingBox())!;
    await drag('cc', first.x + 2, first.y + 10);
    await my.page.mouse.up();
    await shapes('aa* | cc* bb');
  });

  it('may be a session of the list', async () => {
    await abc();
    const fresh = my.add({ name: 'dd' }, 'd screen');
    my.daemon.event({ event: 'session', session: fresh.session });
    const row = (await my.win.row('dd').boundingBox())!;
    await my.page.mouse.move(row.x + 60, row.y + 10);
    await my.page.mouse.down();
    await my.page.mouse.move(row.x + 80, row.y + 30, { steps: 3 });
    await my.page.mouse.move(...(await inPane('cc', 0.97, 0.5)), { steps: 4 });
    await my.win.by('drop-preview').waitFor();
    await my.page.mouse.up();
    await shapes('aa bb* | cc* | dd*');
    await my.win.shows(fresh.session.id, 'd screen');
  });

  it('moves its whole pane where it is the only one there', async () => {
    await abc();
    await drag('cc', ...(await inPane('bb', 0.5, 0.02)));
    await my.page.mouse.up();
    await shapes('cc* | aa bb*');
    const boxes = await my.page.getByTestId('pane').evaluateAll((all) => all.map((one) => one.clientWidth));
    expect(boxes[0]).toBe(boxes[1]);
  });
});

describe('panes', () => {
  it('are zoomed and come back, and the one that is seen is not opened anew', async () => {
    const { c } = await abc();
    const before = opened(c.session.id);
    await my.win.press('Control+Shift+Z');
    await shapes('cc*');
    expect(await my.win.by('zoom').textContent()).toContain('2 panes');
    await until(stored, (seen) => seen.includes('"zoomed":true'));
    await my.page.reload();
    await ready(my.page);
    expect(await shape()).toBe('cc*');
    await my.win.press('Control+Shift+ArrowLeft');
    await shapes('aa bb*');
    await my.win.by('zoom').click();
    await shapes('aa bb* | cc*');
    expect(opened(c.session.id)).toBeLessThanOrEqual(before + 2);
  });

  it('split to the right and down, empty where there is no other tab, and an empty one is kept', async () => {
    await abc();
    await my.win.press('Control+Shift+ArrowLeft', 'Control+Shift+D');
    await shapes('aa* | bb* | cc*');
    await my.win.press('Control+Shift+R');
    await until(
      () => my.win.by('pane').count(),
      (count) => count === 4,
    );
    await my.win.by('empty-pane').waitFor();
    await until(stored, (seen) => seen.includes('"tabs":[]'));
    await my.page.reload();
    await ready(my.page);
    expect(await my.win.by('pane').count()).toBe(4);
    my.add({ name: 'dd' }, 'd screen');
    my.daemon.event({ event: 'session', session: [...my.daemon.sessions.values()].at(-1)!.session });
    await my.win.show('dd');
    expect(await my.win.by('empty-pane').count()).toBe(0);
    expect(await my.win.by('pane').count()).toBe(4);
  });

  it('share the room by keys, and evenly after a double click on their divider', async () => {
    await abc();
    const width = async () => (await my.win.by('pane').first().boundingBox())!.width;
    const even = await width();
    await my.win.press('Alt+Shift+ArrowRight', 'Alt+Shift+ArrowRight');
    await until(width, (now) => now < even - 20);
    await my.win.by('divider').dblclick();
    await until(width, (now) => Math.abs(now - even) < 2);
    await my.win.by('divider').focus();
    await my.win.press('ArrowRight');
    await until(width, (now) => now > even + 5);
  });

  it('are gone to by number, like tabs', async () => {
    const { b, c } = await abc();
    await my.win.press('Control+Shift+1');
    await my.win.type('1');
    await my.win.press('Control+Shift+2');
    await my.win.type('2');
    await until(
      () => my.typed(b) + my.typed(c),
      (typed) => typed === '12',
    );
    await my.win.press('Control+Shift+1', 'Alt+1');
    await shapes('aa* bb | cc*');
    await my.win.press('Alt+9');
    await shapes('aa bb* | cc*');
  });
});

describe('tabs', () => {
  it('come back after they were closed, where they were', async () => {
    await abc();
    await my.win.press('Control+Shift+ArrowLeft');
    await tab('aa').click({ button: 'middle' });
    await shapes('bb* | cc*');
    await my.win.press('Control+Shift+W');
    await shapes('cc*');
    await my.win.press('Control+Shift+T');
    await shapes('cc bb*');
    await my.win.press('Control+Shift+T');
    await shapes('cc bb aa*');
    await my.win.press('Control+Shift+T');
    expect(await my.win.by('toast').last().textContent()).toContain('none was closed');
  });

  it('have a menu', async () => {
    await abc();
    await tab('aa').click({ button: 'right' });
    await my.win.by('tab-down').click();
    await shapes('bb* | aa* | cc*');
    await tab('aa').focus();
    await my.win.press('Shift+F10');
    await my.win.by('tab-next-pane').click();
    await shapes('bb* | cc aa*');
    await tab('aa').click({ button: 'right' });
    await my.win.by('tab-close-others').click();
    await shapes('bb* | aa*');
  });

  it('tell what was not looked at, and the front one stays in sight', async () => {
    for (let at = 0; at < 14; at += 1) my.add({ name: `number ${at}` }, `screen ${at}`);
    await my.open({ width: 1000, height: 700 });
    for (let at = 0; at < 14; at += 1) await my.win.row(`number ${at}`).last().click({ button: 'middle' });
    const last = my.page.locator('[data-testid=tab][aria-selected=true]');
    const strip = (await my.page.locator('.scroll').boundingBox())!;
    const box = (await last.boundingBox())!;
    expect(box.x + box.width).toBeLessThanOrEqual(strip.x + strip.width + 1);
    const first = [...my.daemon.sessions.values()][0]!.session;
    my.daemon.change(first.id, { unseen: true });
    await my.page.locator('[role=tab][data-unread=true]').waitFor();
  });

  it('are gone back and forward through', async () => {
    await abc();
    await my.win.press('Control+Shift+[');
    await until(
      () =>
        my.page
          .locator('[data-testid=pane][data-focused=true] [data-testid=tab][aria-selected=true]')
          .textContent(),
      (text) => text?.includes('bb') ?? false,
    );
    await my.win.press('Control+Shift+]');
    await until(
      () =>
        my.page
          .locator('[data-testid=pane][data-focused=true] [data-testid=tab][aria-selected=true]')
          .textContent(),
      (text) => text?.includes('cc') ?? false,
    );
  });
});

describe('layouts', () => {
  it('are saved under a name, come back by it, are renamed and deleted', async () => {
    await abc();
    await my.win.by('pane-menu').first().click();
    await my.win.by('pane-layouts').click();
    await my.win.by('layout-name').fill('Two beside');
    await my.win.press('Enter');
    await my.page.locator('[data-testid=layout][data-name="Two beside"]').waitFor();
    await my.win.press('Escape', 'Control+Shift+W', 'Control+Shift+W');
    await shapes('cc*');
    await my.win.press('Control+Shift+K');
    await my.win.by('palette-input').fill('two bes');
    await my.win.press('Enter');
    await shapes('aa bb* | cc*');
    await my.win.by('toast-action').click();
    await shapes('cc*');
    await my.win.by('pane-menu').click();
    await my.win.by('pane-layouts').click();
    await my.win.by('layout-rename').click();
    await my.win.by('layout-rename-input').fill('Pair');
    await my.win.press('Enter');
    await my.page.locator('[data-testid=layout][data-name="Pair"]').waitFor();
    await until(
      () => JSON.stringify(my.daemon.settings.get('window.layouts') ?? ''),
      (seen) => seen.includes('"Pair"') && !seen.includes('Two beside'),
    );
    await my.win.by('layout-delete').click();
    await my.win.by('layout').waitFor({ state: 'detached' });
  });
});

describe('an empty pane', () => {
  it('takes the keyboard: nothing is typed into the terminal that was left', async () => {
    const alpha = my.add({ name: 'alpha' }, 'alpha');
    const beta = my.add({ name: 'beta' }, 'beta screen');
    await my.open();
    await my.win.show('alpha');
    await my.win.press('Control+Shift+D');
    await my.win.by('empty-pane').waitFor();
    await my.win.type('leak');
    await my.win.press('Control+Shift+K');
    await my.win.by('palette-input').fill('beta');
    await my.win.press('Enter');
    await my.win.shows(beta.session.id, 'beta screen');
    expect(await my.win.by('pane').count()).toBe(2);
    await my.win.type('here');
    await until(
      () => my.typed(beta),
      (typed) => typed === 'here',
    );
    expect(my.typed(alpha)).toBe('');
  });

  it('gives it to the terminal that was there last time, however late that is heard of', async () => {
    const alpha = my.add({ name: 'alpha' }, 'alpha screen');
    await my.open();
    await my.win.show('alpha');
    await until(stored, (layout) => layout.includes(alpha.session.id));
    my.daemon.held.add('subscribe');
    await my.page.reload();
    await my.page.locator('[data-pane]:focus').waitFor();
    my.daemon.release();
    await my.win.shows(alpha.session.id, 'alpha screen');
    await my.page.locator('.xterm-helper-textarea:focus').waitFor();
    await my.win.type('on');
    await until(
      () => my.typed(alpha),
      (typed) => typed === 'on',
    );
  });
});
