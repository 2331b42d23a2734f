// A window whose language runs from right to left: everything is mirrored but what a program prints and where panes lie.
import { expect, it } from 'vitest';
import { spilled } from './support/extremes';
import { FakeWindow } from './support/fake-window';
import { sidebarOf } from './support/sidebar';
import { until } from './support/window';

const my = new FakeWindow();
const { active, shop } = sidebarOf(my);
const box = async (testid: string) => (await my.win.by(testid).first().boundingBox())!;

it('begins at the right: the list, the first tab, what is behind a name', async () => {
  shop();
  await my.open({ rtl: true });
  await my.win.show('Cart');
  await my.win.row('Totals').click({ button: 'middle' });
  await until(
    () => my.win.by('tab').count(),
    (count) => count === 2,
  );
  const [list, pane] = [await box('sidebar'), await box('pane')];
  expect(list.x).toBeGreaterThan(pane.x + pane.width / 2);
  const tabs = await Promise.all([0, 1].map(async (at) => (await my.win.by('tab').nth(at).boundingBox())!));
  expect(tabs[0]!.x).toBeGreaterThan(tabs[1]!.x);
  const terminal = my.win.by('terminal').first();
  expect(await terminal.evaluate((one) => getComputedStyle(one).direction)).toBe('ltr');
  expect(await spilled(my)).toEqual([]);
});

it('goes on to the left by key: folds, tabs and menus in menus', async () => {
  shop();
  await my.open({ rtl: true });
  await my.win.show('Cart');
  await my.win.row('Totals').click({ button: 'middle' });
  const front = () =>
    my.page.evaluate(() => document.activeElement?.closest('[role=tab]')?.textContent?.trim() ?? '');
  await my.win.by('tab').first().focus();
  await my.win.press('ArrowLeft');
  expect(await front()).toContain('Totals');
  await my.win.press('ArrowRight');
  expect(await front()).toContain('Cart');
  await my.win.row('Notes').focus();
  await my.win.press('ArrowRight');
  expect(await active()).toBe('storefront');
  await my.win.press('ArrowRight');
  await my.win.row('Notes').waitFor({ state: 'detached' });
  await my.win.press('ArrowLeft');
  await my.win.row('Notes').focus();
  await my.win.press('Shift+F10');
  await my.win.by('menu-move').focus();
  await my.win.press('ArrowLeft');
  await my.win.by('submenu').waitFor();
  const [menu, inner] = [await box('menu'), await box('submenu')];
  expect(inner.x + inner.width).toBeLessThanOrEqual(menu.x + 12);
  await my.win.press('ArrowRight');
  await my.win.by('submenu').waitFor({ state: 'detached' });
});

it('opens menus to the left of the pointer, and lists under what they belong to', async () => {
  shop();
  await my.open({ rtl: true });
  const row = (await my.win.row('Notes').boundingBox())!;
  await my.page.mouse.click(row.x + 60, row.y + 20, { button: 'right' });
  const menu = await box('menu');
  expect(Math.round(menu.x + menu.width)).toBe(Math.round(row.x + 60));
  await my.win.press('Escape');
  await my.win.by('bell').click();
  const [bell, panel] = [await box('bell'), await box('bell-panel')];
  expect(Math.abs(panel.x - bell.x)).toBeLessThanOrEqual(4);
});

it('splits to the side that a command names, and moves dividers and tabs with the pointer', async () => {
  shop();
  await my.open({ rtl: true });
  await my.win.show('Cart');
  await my.win.row('Totals').click({ button: 'middle' });
  await my.win.by('pane-menu').click();
  await my.win.by('pane-split-right').click();
  await until(
    () => my.win.by('pane').count(),
    (count) => count === 2,
  );
  const pane = (name: string) => my.page.locator('[data-testid=pane]', { hasText: name }).boundingBox();
  // To the right is to the right.
  expect((await pane('Totals'))!.x).toBeGreaterThan((await pane('Cart'))!.x);
  const before = (await pane('Cart'))!.width;
  const divider = await box('divider');
  await my.page.mouse.move(divider.x, divider.y + 100);
  await my.page.mouse.down();
  await my.page.mouse.move(divider.x + 80, divider.y + 100, { steps: 4 });
  await my.page.mouse.up();
  await until(
    async () => (await pane('Cart'))!.width,
    (width) => Math.abs(width - before - 80) < 3,
  );
  // A tab that is dropped behind the others is the last one: the one furthest to the left.
  await my.win.row('Notes').click();
  await my.win.row('Axum').click({ button: 'middle' });
  const here = my.page.locator('[data-focused=true] [data-testid=tab]');
  await until(
    () => here.count(),
    (count) => count >= 2,
  );
  const name = (at: number) => here.nth(at).locator('.cut').textContent();
  const first = await name(0);
  const from = (await here.first().boundingBox())!;
  const last = (await here.last().boundingBox())!;
  await my.page.mouse.move(from.x + from.width / 2, from.y + 14);
  await my.page.mouse.down();
  await my.page.mouse.move(last.x + 20, last.y + 14, { steps: 5 });
  await my.page.mouse.move(last.x + 4, last.y + 14);
  await my.page.mouse.up();
  await until(
    async () => name((await here.count()) - 1),
    (now) => now === first,
  );
});

it('writes numbers and times as the person’s country does', async () => {
  for (let at = 0; at < 3; at += 1) my.add({ name: `s${at}` }, '');
  await my.open({ locale: 'ar-EG' });
  expect(await my.win.by('session-count').textContent()).toContain('٣');
});
