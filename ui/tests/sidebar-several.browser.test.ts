// What is done from the list to one session or to several, against a daemon that only pretends.
import { describe, expect, it } from 'vitest';
import { FakeWindow } from './support/fake-window';
import { sidebarOf } from './support/sidebar';
import { until } from './support/window';

const my = new FakeWindow();
const { active, moves, marks, toast, shop } = sidebarOf(my);

describe('several at once', () => {
  const select = async () => {
    await my.win.row('Cart').click();
    await my.win.row('Notes').click({ modifiers: ['Shift'] });
  };

  it('are selected by Shift and Ctrl, pinned, and unpinned again', async () => {
    const { cart, totals, notes, axum } = shop();
    await my.open();
    await select();
    expect(await my.win.by('bulk').textContent()).toContain('3 selected');
    await my.win.row('Totals').click({ modifiers: ['Control'] });
    await my.win.row('Axum').click({ modifiers: ['Control'] });
    expect(await my.win.by('bulk').textContent()).toContain('3 selected');
    await my.win.by('bulk-pin').click();
    await toast('3 sessions are pinned.').waitFor();
    const ids = [cart, notes, axum].map((fake) => fake.session.id);
    expect(marks().map(({ session, pinned }) => [session, pinned])).toEqual(ids.map((id) => [id, true]));
    expect(ids).not.toContain(totals.session.id);
    await toast('pinned').getByTestId('toast-action').click();
    await toast('3 sessions are not pinned any more.').waitFor();
    await my.win.row('Cart').focus();
    await my.win.press('Escape');
    await my.win.by('bulk').waitFor({ state: 'detached' });
  });

  it('are selected by the mouse alone: by the menu, then by their boxes', async () => {
    shop();
    await my.open();
    await my.win.row('Cart').click({ button: 'right' });
    await my.win.by('menu-select').click();
    await my.win.row('Notes').locator('.box').click();
    await my.win.row('Axum').locator('.box').click();
    await my.win.row('Cart').locator('.box').click();
    expect(await my.win.by('bulk').textContent()).toContain('2 selected');
    await my.win.by('bulk-all').click();
    expect(await my.win.by('bulk').textContent()).toContain('5 selected');
    expect(await my.win.by('tab').count()).toBe(0);
    await my.win.row('Totals').click();
    await my.win.by('bulk').waitFor({ state: 'detached' });
  });

  it('are selected by keys alone: Shift with arrows, Ctrl A, Esc', async () => {
    shop();
    await my.open();
    await my.win.row('Cart').focus();
    await my.win.press('Shift+ArrowDown', 'Shift+ArrowDown');
    expect(await my.win.by('bulk').textContent()).toContain('3 selected');
    await my.win.press('Shift+ArrowUp');
    expect(await my.win.by('bulk').textContent()).toContain('2 selected');
    await my.win.press('Control+a');
    expect(await my.win.by('bulk').textContent()).toContain('5 selected');
    await my.win.press('Escape');
    await my.win.by('bulk').waitFor({ state: 'detached' });
  });

  it('are moved, archived, killed and deleted, and come back', async () => {
    const { ledger } = shop();
    await my.open();
    await select();
    await my.win.by('bulk-move').click();
    await my.page.getByRole('menuitemradio', { name: 'ledger' }).click();
    await toast('3 sessions are in ledger.').waitFor();
    expect(moves().every(({ project }) => project === ledger.id)).toBe(true);
    await my.win.by('bulk-kill').click();
    expect(await my.win.by('question').textContent()).toContain('Kill 3 sessions?');
    await my.win.by('question-agree').click();
    await toast('3 sessions are killed.').waitFor();
    await my.win.by('bulk-delete').click();
    await toast('3 sessions are in the trash, for a day.').getByTestId('toast-action').click();
    await toast('3 sessions are back.').waitFor();
    await select();
    await my.win.by('bulk-archive').click();
    await my.win.by('archive').waitFor();
    await toast('in the archive').getByTestId('toast-action').click();
    await my.win.by('archive').waitFor({ state: 'detached' });
    await my.win.row('Notes').click();
    await my.win.press('Control+Shift+E', 'Delete');
    await my.win.by('trash').click();
    await my.win.by('take-out').click();
    await toast('Notes is back.').waitFor();
  });

  it('get one message, and it is told what became of each', async () => {
    const { tree } = my.daemon;
    const project = tree.addProject('p');
    my.add({ name: 'free', agent: 'claude', project: project.id, position: 1 });
    my.add({ name: 'busy', agent: 'claude', status: 'running', project: project.id, position: 2 });
    my.add({ name: 'over', agent: 'claude', status: 'dead', project: project.id, position: 3 });
    my.add({ name: 'shell', project: project.id, position: 4 });
    await my.open();
    await my.win.press('Control+Shift+E', 'Control+a');
    await my.win.by('bulk-broadcast').click();
    expect(await my.win.by('broadcast').textContent()).toContain('Message to 2 sessions');
    expect(await my.win.by('broadcast').textContent()).toContain('over has ended');
    await my.win.type('Stop and write down where you are');
    await my.win.press('Enter');
    const result = my.win.by('broadcast-result');
    await result.waitFor();
    expect(await result.textContent()).toMatch(/free\s*Delivered.*busy\s*Waits until it is free/s);
    expect(my.daemon.requested('send_message')).toHaveLength(2);
    await my.win.press('Enter');
    await my.win.by('broadcast').waitFor({ state: 'detached' });
  });
});

describe('a menu while several are selected', () => {
  const select = async () => {
    await my.win.row('Cart').click();
    await my.win.row('Notes').click({ modifiers: ['Shift'] });
    expect(await my.win.by('bulk').textContent()).toContain('3 selected');
  };

  it('is about all of them where its row is one of them, and says so', async () => {
    const { cart, totals, notes } = shop();
    await my.open();
    await select();
    await my.win.row('Totals').click({ button: 'right' });
    const menu = my.win.by('menu');
    expect(await menu.getAttribute('aria-label')).toBe('Menu of 3 selected sessions');
    expect(await my.win.by('menu-delete').textContent()).toContain('Delete 3 sessions…');
    expect(await my.win.by('menu-restart').getAttribute('aria-disabled')).toBe('true');
    await my.win.by('menu-mute').click();
    await toast('3 sessions are muted.').waitFor();
    const ids = [cart, totals, notes].map((fake) => fake.session.id);
    expect(marks().map(({ session, muted }) => [session, muted])).toEqual(ids.map((id) => [id, true]));
    // The same by key, and from the button on the row.
    await my.win.row('Cart').focus();
    await my.win.press('Shift+F10');
    await my.win.by('menu-kill').click();
    expect(await my.win.by('question').textContent()).toContain('Kill 3 sessions?');
    await my.win.by('question-agree').click();
    await toast('3 sessions are killed.').waitFor();
    await my.win.row('Notes').hover();
    await my.win.row('Notes').getByTestId('row-menu').click();
    await my.win.by('menu-restart').click();
    await toast('3 sessions are started again.').waitFor();
    expect(await my.win.by('bulk').textContent()).toContain('3 selected');
    await my.win.row('Notes').click({ button: 'right' });
    await my.win.by('menu-select').click();
    expect(await my.win.by('bulk').textContent()).toContain('2 selected');
    await my.win.row('Cart').click({ button: 'right' });
    await my.win.by('menu-open').click();
    await until(
      () => my.win.by('tab').count(),
      (count) => count === 2,
    );
  });

  it('is about one row alone where that is not selected, and leaves the selection', async () => {
    const { axum } = shop();
    await my.open();
    await select();
    await my.win.row('Axum').click({ button: 'right' });
    expect(await my.win.by('menu').getAttribute('aria-label')).toBe('Menu of Axum');
    expect(await my.win.by('menu').textContent()).toContain('Axum only');
    await my.win.by('menu-mute').click();
    await toast('Axum is muted.').waitFor();
    expect(marks().map(({ session }) => session)).toEqual([axum.session.id]);
    expect(await my.win.by('bulk').textContent()).toContain('3 selected');
    // Delete too is about the row that has the keyboard.
    await my.win.row('Axum').focus();
    await my.win.press('Delete');
    expect(await my.win.by('question').textContent()).toContain('Delete Axum?');
    await my.win.by('question-cancel').click();
    await my.win.row('Cart').focus();
    await my.win.press('Delete');
    expect(await my.win.by('question').textContent()).toContain('Delete 3 sessions?');
    await my.win.by('question-cancel').click();
  });
});

describe('a session’s menu', () => {
  it('opens by key, has menus in it, and says why something cannot be done', async () => {
    const { notes } = shop();
    await my.open();
    await my.win.row('Notes').focus();
    await my.win.press('Shift+F10');
    const menu = my.win.by('menu');
    await menu.waitFor();
    const resume = my.win.by('menu-resume');
    expect(await resume.getAttribute('aria-disabled')).toBe('true');
    expect(await resume.textContent()).toContain('it is running');
    expect(await my.win.by('menu-fork').textContent()).toContain('a shell has no conversation');
    await my.win.press('s');
    expect(await active()).toBeNull();
    await my.win.by('menu-snooze').focus();
    await my.win.press('ArrowRight', 'ArrowDown', 'Enter');
    await toast('Notes is snoozed for an hour.').waitFor();
    expect(marks().at(-1)).toMatchObject({ session: notes.session.id, snooze_seconds: 3_600 });
    await my.win.row('Notes').getByTestId('mark-snoozed').waitFor();
    expect(await active()).toBe('Notes');
    await my.win.press('Shift+F10');
    await my.win.by('menu-move').focus();
    await my.win.press('ArrowRight');
    expect(await my.page.evaluate(() => document.activeElement?.getAttribute('aria-checked'))).toBe('true');
    await my.win.press('ArrowLeft');
    await my.win.by('submenu').waitFor({ state: 'detached' });
    await my.win.press('ArrowRight', 'Escape');
    await my.win.by('submenu').waitFor({ state: 'detached' });
    expect(await menu.isVisible()).toBe(true);
    await my.win.press('Escape');
    await menu.waitFor({ state: 'detached' });
    expect(await active()).toBe('Notes');
  });

  it('marks, duplicates and copies, and shows its marks', async () => {
    const { cart } = shop();
    my.daemon.change(cart.session.id, { queued: 2 });
    await my.open();
    const cartRow = my.win.row('Cart');
    expect(await cartRow.getByTestId('mark-queued').textContent()).toContain('2');
    await cartRow.click({ button: 'right' });
    await my.win.by('menu-pin').click();
    await cartRow.getByTestId('mark-pin').waitFor();
    await cartRow.click({ button: 'right' });
    expect(await my.win.by('menu-pin').getAttribute('aria-checked')).toBe('true');
    await my.win.by('menu-mute').click();
    await cartRow.getByTestId('mark-muted').waitFor();
    await cartRow.click({ button: 'right' });
    await my.win.by('menu-copy-attach').click();
    await until(
      () => my.page.evaluate(() => navigator.clipboard.readText()),
      (text) => text === `belfry attach ${cart.session.id}`,
    );
  });
});

it('every control has a name, and the tree holds nothing but items', async () => {
  shop();
  my.add({ name: 'asks', status: 'blocked', reason: 'usage limit' });
  await my.open();
  await my.win.row('Cart').click({ modifiers: ['Shift'] });
  const nameless = await my.page.evaluate(() =>
    [
      ...document.querySelectorAll(
        'nav button, nav input, nav [role=treeitem], nav [tabindex="0"], header button',
      ),
    ]
      .filter((one) => {
        const named = one.getAttribute('aria-label') || one.textContent?.trim() || one.getAttribute('title');
        return !named;
      })
      .map((one) => one.outerHTML.slice(0, 120)),
  );
  expect(nameless).toEqual([]);
  const roles = await my.page.evaluate(() =>
    [...document.querySelectorAll('[role=tree] > *')].map((one) => one.getAttribute('role')),
  );
  expect(new Set(roles)).toEqual(new Set(['none']));
  expect(await my.page.locator('[role=tree] [tabindex="0"]').count()).toBe(1);
});

it('a session is dragged from the list into a pane, and to its edge for a new one', async () => {
  shop();
  await my.open();
  await my.win.show('Cart');
  const pane = (await my.win.by('pane').boundingBox())!;
  const drag = async (name: string, x: number) => {
    const box = (await my.win.row(name).boundingBox())!;
    await my.page.mouse.move(box.x + 80, box.y + 20);
    await my.page.mouse.down();
    await my.page.mouse.move(x - 20, pane.y + 300, { steps: 4 });
    await my.page.mouse.move(x, pane.y + 300);
    await my.page.mouse.up();
  };
  await drag('Totals', pane.x + pane.width / 2);
  await until(
    () => my.win.by('tab').count(),
    (count) => count === 2,
  );
  await drag('Notes', pane.x + pane.width - 12);
  await until(
    () => my.win.by('pane').count(),
    (count) => count === 2,
  );
  expect(moves()).toEqual([]);
});

it('whoever ends a selection by its toolbar goes on in the list', async () => {
  shop();
  await my.open();
  await my.win.press('Control+Shift+E', 'Control+a');
  await my.win.by('bulk-end').focus();
  await my.win.press('Enter');
  await my.win.by('bulk').waitFor({ state: 'detached' });
  expect(await my.page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('treeitem');
});
