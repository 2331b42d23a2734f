// The list against a daemon that only pretends: many sessions, and every shape that a tree can have.
import { describe, expect, it } from 'vitest';
import { ask, choice } from './support/asks';
import { FakeWindow } from './support/fake-window';
import { ready } from './support/page';
import { sidebarOf } from './support/sidebar';
import { until } from './support/window';

const my = new FakeWindow();
const { names, active, moves, toast, shop } = sidebarOf(my);

describe('the tree', () => {
  it('has projects, groups in groups, sessions, and directories that are no project yet', async () => {
    shop();
    await my.open();
    expect(await names()).toEqual([
      'storefront',
      'Checkout',
      'Inner',
      'Cart',
      'Totals',
      'Notes',
      'ledger',
      'Axum',
      'loose',
      'Loose',
    ]);
    const cart = my.win.row('Cart');
    const places = ['aria-level', 'aria-posinset', 'aria-setsize'].map((name) => cart.getAttribute(name));
    expect(await Promise.all(places)).toEqual(['3', '2', '3']);
  });

  it('stays folded over a restart', async () => {
    const { checkout } = shop();
    await my.open();
    await my.win.by('group').first().click();
    await my.win.row('Cart').waitFor({ state: 'detached' });
    await until(
      () => JSON.stringify(my.daemon.settings.get('window.main.list') ?? ''),
      (kept) => kept.includes(checkout.id),
    );
    await my.page.reload();
    await ready(my.page);
    expect(await my.win.row('Cart').count()).toBe(0);
    expect(await my.win.by('group').first().getAttribute('aria-expanded')).toBe('false');
  });

  it('makes a directory a project, and not, by its menu', async () => {
    shop();
    await my.open();
    await my.win.by('section').filter({ hasText: 'loose' }).click({ button: 'right' });
    await my.win.by('directory-adopt').click();
    await toast('loose is a project now.').waitFor();
    expect(my.daemon.requested('add_project').at(-1)?.params.path).toBe('/srv/loose');
    await my.win.by('toast-action').click();
    await until(
      () => my.daemon.tree.projects.size,
      (count) => count === 2,
    );
  });

  it('starts a session in a project with its defaults by a double click', async () => {
    const { storefront } = shop();
    storefront.defaults = { agent: 'codex', model: 'large', prompt: 'Begin' };
    await my.open();
    await my.win.by('section').first().dblclick();
    const started = await until(
      () => my.daemon.requested('new_session'),
      (list) => list.length === 1,
    );
    expect(started[0]?.params).toMatchObject({
      agent: 'codex',
      model: 'large',
      prompt: 'Begin',
      project: storefront.id,
      cwd: storefront.path,
    });
    expect(await my.win.by('section').first().getAttribute('aria-expanded')).toBe('true');
    await my.win.by('tab').filter({ hasText: 'codex' }).waitFor();
    await my.win.by('group').first().hover();
    await my.win.by('group').first().getByTestId('section-add').click();
    await until(
      () => my.daemon.requested('new_session').at(-1)?.params.group,
      (group) => group !== undefined,
    );
  });

  it('sets a project’s defaults', async () => {
    const { storefront } = shop();
    await my.open();
    await my.win.by('section').first().click({ button: 'right' });
    await my.win.by('project-defaults').click();
    await my.win.by('default-agent').selectOption('claude');
    await my.win.by('default-prompt').fill('Read the notes first');
    await my.win.by('defaults-save').click();
    await until(
      () => my.daemon.tree.projects.get(storefront.id)?.defaults,
      (defaults) => defaults?.agent === 'claude' && defaults.prompt === 'Read the notes first',
    );
  });

  it('adds a project by its directory, and says why it cannot', async () => {
    await my.open();
    my.daemon.failures.set('add_project', { code: 'bad_directory', message: 'that is a file' });
    await my.win.by('add-project').click();
    await my.win.by('directory').fill('~/src/storefront/x');
    await my.win.by('add-project-add').click();
    expect(await my.win.by('directory-error').textContent()).toContain('That is a file');
    my.daemon.failures.clear();
    await my.win.by('directory').fill('~/src/st');
    await my.win.by('directories').waitFor();
    await my.win.press('Tab', 'Enter');
    await my.win.by('section').filter({ hasText: 'storefront' }).waitFor();
    expect(my.daemon.requested('add_project').at(-1)?.params.path).toBe('~/src/storefront/');
  });

  it('removes a project and brings it back with its groups', async () => {
    const { storefront } = shop();
    await my.open();
    await my.win.by('section').first().click({ button: 'right' });
    await my.win.by('project-remove').click();
    await toast('storefront is no project any more').waitFor();
    await my.win.by('group').first().waitFor({ state: 'detached' });
    await my.win.by('toast-action').click();
    await my.win.by('group').filter({ hasText: 'Inner' }).waitFor();
    await until(
      async () => (await names()).slice(0, 6),
      (list) => list.join() === 'storefront,Checkout,Inner,Cart,Totals,Notes',
    );
    expect(my.daemon.tree.projects.has(storefront.id)).toBe(false);
  });
});

describe('groups', () => {
  it('are made, named in place, coloured, nested and taken away', async () => {
    shop();
    await my.open();
    await my.win.by('section').first().click({ button: 'right' });
    await my.win.by('project-new-group').click();
    await my.win.by('rename-input').waitFor();
    await my.win.type('Later');
    await my.win.press('Enter');
    const later = my.win.by('group').filter({ hasText: 'Later' });
    await later.waitFor();
    expect(await active()).toBe('Later');
    await my.win.press('Shift+F10', 'c', 'ArrowRight', 'p', 'Enter');
    const made = await until(
      () => [...my.daemon.tree.groups.values()].find(({ name }) => name === 'Later'),
      (group) => group?.color === 'purple',
    );
    await later.click({ button: 'right' });
    await my.win.by('group-move').click();
    await my.page.getByRole('menuitemradio', { name: 'Checkout' }).click();
    await until(
      () => my.daemon.tree.groups.get(made!.id)?.parent,
      (parent) => parent !== null,
    );
    await my.win.by('group').filter({ hasText: 'Checkout' }).click({ button: 'right' });
    await my.win.by('group-remove').click();
    await toast('The group Checkout is gone').waitFor();
    expect(my.daemon.sessions.size).toBe(5);
  });
});

describe('dragging', () => {
  const drag = async (from: string, to: string, down = 0.5) => {
    const row = (name: string) =>
      my.page.locator('[role=treeitem]', {
        has: my.page.locator(`.t:text-is("${name}"), .name:text-is("${name}")`),
      });
    // What was moved before may still be on its way to its place.
    let places = '';
    const boxes = async () => [(await row(from).boundingBox())!, (await row(to).boundingBox())!] as const;
    await until(
      async () => {
        const before = places;
        places = JSON.stringify(await boxes());
        return places === before;
      },
      (still) => still,
    );
    const [a, b] = await boxes();
    await my.page.mouse.move(a.x + 80, a.y + a.height / 2);
    await my.page.mouse.down();
    await my.page.mouse.move(b.x + 80, b.y + b.height * down, { steps: 6 });
    await my.page.mouse.up();
  };

  it('puts sessions in another order, into groups and into projects, and can be undone', async () => {
    const { cart, notes, ledger, storefront, checkout } = shop();
    await my.open();
    await drag('Totals', 'Cart', 0.1);
    await until(moves, (list) => list.length === 1);
    expect(moves()[0]).toMatchObject({ group: checkout.id, position: 0 });
    await drag('Notes', 'Checkout');
    await until(moves, (list) => list.length === 2);
    expect(moves()[1]).toMatchObject({ session: notes.session.id, group: checkout.id });
    await toast('Notes is in').waitFor();
    await drag('Cart', 'ledger');
    await until(moves, (list) => list.length === 3);
    expect(moves()[2]).toMatchObject({ session: cart.session.id, project: ledger.id, group: null });
    await toast('Cart is in ledger.').getByTestId('toast-action').click();
    await until(moves, (list) => list.length === 4);
    expect(moves()[3]).toMatchObject({ project: storefront.id, group: checkout.id, position: 1 });
    // A drag is no click: nothing was opened by it.
    expect(await my.win.by('tab').count()).toBe(0);
  });

  it('ends by Esc without a move', async () => {
    shop();
    await my.open();
    const box = (await my.win.row('Cart').boundingBox())!;
    await my.page.mouse.move(box.x + 80, box.y + 10);
    await my.page.mouse.down();
    await my.page.mouse.move(box.x + 80, box.y + 120, { steps: 4 });
    await my.win.press('Escape');
    await my.page.mouse.up();
    expect(moves()).toEqual([]);
  });

  it('nests groups and orders projects', async () => {
    const { checkout, inner, ledger } = shop();
    await my.open();
    await drag('Inner', 'storefront');
    await until(
      () => my.daemon.tree.groups.get(inner.id)?.parent,
      (parent) => parent === null,
    );
    await drag('Checkout', 'Inner');
    await until(
      () => my.daemon.tree.groups.get(checkout.id)?.parent,
      (parent) => parent === inner.id,
    );
    await drag('ledger', 'storefront', 0.1);
    await until(
      async () => (await names())[0],
      (first) => first?.startsWith('ledger') ?? false,
    );
    expect(ledger.id).toBeTruthy();
  });

  it('has its keys: Alt with an arrow moves by one', async () => {
    shop();
    await my.open();
    await my.win.row('Cart').focus();
    await my.win.press('Alt+ArrowDown');
    await until(moves, (list) => list.length === 1);
    expect(await active()).toBe('Cart');
    await until(
      async () => await names(),
      (list) => list.indexOf('Totals') < list.indexOf('Cart'),
    );
  });
});

describe('by attention', () => {
  it('is one list, kept over a restart, in which nothing moves under the pointer', async () => {
    my.add({ name: 'idle one' });
    my.add({ name: 'busy', status: 'running' });
    const stuck = my.add({ name: 'stuck', status: 'blocked', reason: 'usage limit' });
    const asks = my.add({ name: 'asks', status: 'waiting' });
    asks.session.ask = ask({ choices: [choice('1')] });
    my.add({ name: 'over', unseen: true });
    my.add({ name: 'gone', status: 'dead' });
    my.add({ name: 'kept', status: 'dead', pinned: true });
    await my.open();
    await my.win.by('list-flat').click();
    const order = async () => await names();
    expect(await order()).toEqual(['kept', 'asks', 'stuck', 'over', 'busy', 'idle one', 'gone']);
    await my.win.row('idle one').hover();
    my.daemon.change(stuck.session.id, { status: 'idle', reason: null });
    await until(
      () => my.win.row('stuck').getAttribute('data-status'),
      (status) => status === 'idle',
    );
    expect(await order()).toEqual(['kept', 'asks', 'stuck', 'over', 'busy', 'idle one', 'gone']);
    await my.page.mouse.move(900, 400);
    await until(order, (list) => list.indexOf('stuck') > list.indexOf('busy'));
    await until(
      () => JSON.stringify(my.daemon.settings.get('window.main.list') ?? ''),
      (kept) => kept.includes('"flat":true'),
    );
    await my.page.reload();
    await ready(my.page);
    expect(await my.win.by('list-flat').getAttribute('aria-pressed')).toBe('true');
  });
});

describe('the filter', () => {
  it('finds by name, directory and status, whatever is folded, and goes away by Esc', async () => {
    shop();
    my.add({ name: 'Busy', status: 'running', cwd: '/srv/other' });
    await my.open();
    await my.win.by('group').first().click();
    await my.win.by('list-filter').fill('totals');
    expect(await my.win.by('session-row').count()).toBe(1);
    await my.win.by('list-filter').fill('srv run');
    await my.win.row('Busy').waitFor();
    expect(await my.win.by('session-row').count()).toBe(1);
    await my.win.by('list-filter').fill('nothing like it');
    await my.win.by('list-empty').waitFor();
    await my.win.press('Escape');
    await my.win.row('Notes').waitFor();
    expect(await my.win.row('Totals').count()).toBe(0);
  });

  it('is set by the counts on top, on and off', async () => {
    shop();
    my.add({ name: 'Busy', status: 'running', cwd: '/srv/other' });
    my.add({ name: 'Over', unseen: true, cwd: '/srv/other' });
    await my.open();
    await my.win.by('count-running').click();
    expect(await my.win.by('session-row').allTextContents()).toHaveLength(1);
    await my.win.by('count-done').click();
    expect(await my.win.by('session-row').allTextContents()).toHaveLength(2);
    expect(await my.win.by('list-only').textContent()).toContain('running, done');
    await my.win.by('count-running').click();
    await my.win.by('count-done').click();
    await my.win.row('Cart').waitFor();
  });
});

describe('three hundred sessions', () => {
  const fill = () => {
    const { tree } = my.daemon;
    const projects = ['a', 'b', 'c'].map((name) => tree.addProject(name));
    for (let at = 0; at < 300; at += 1) {
      const project = projects[Math.floor(at / 100)]!;
      my.add({ name: `s${at}`, project: project.id, position: at, cwd: project.path }, `screen ${at}`);
    }
  };

  it('are walked by keyboard where they are not in the document', async () => {
    fill();
    await my.open();
    expect(await my.win.by('session-row').count()).toBeLessThan(40);
    await my.win.press('Control+Shift+E', 'End');
    expect(await active()).toBe('s299');
    await my.win.press('Home');
    expect(await active()).toBe('a');
    for (let at = 0; at < 60; at += 1) await my.win.press('ArrowDown');
    expect(await active()).toBe('s59');
    await my.win.press('PageDown');
    expect(Number((await active())?.slice(1))).toBeGreaterThan(65);
    await my.win.type('s25');
    expect(await active()).toBe('s250');
    const row = my.page.locator('[role=treeitem]:focus');
    const places = ['aria-level', 'aria-posinset', 'aria-setsize'].map((name) => row.getAttribute(name));
    expect(await Promise.all(places)).toEqual(['2', '51', '100']);
    await my.win.press('Enter');
    await my.page.locator('[data-testid=terminal][data-shown=true]').waitFor();
    await my.win.press('Control+Shift+E', 'ArrowLeft', 'ArrowLeft');
    expect(await active()).toBe('c');
    await my.win.press('Shift+Tab', 'Shift+Tab');
    expect(await my.page.evaluate(() => document.activeElement?.closest('[role=tree]') === null)).toBe(true);
  });

  it('keep the keyboard while its row is scrolled away', async () => {
    fill();
    await my.open();
    await my.win.press('Control+Shift+E', 'Home', 'ArrowDown');
    await my.page.getByTestId('session-list').hover();
    await my.page.mouse.wheel(0, 6_000);
    await my.win.row('s130').first().waitFor();
    expect(await active()).toBe('s0');
    await my.win.press('ArrowDown');
    expect(await active()).toBe('s1');
    const seen = await my.page.locator('[role=treeitem]:focus').boundingBox();
    expect(seen!.y).toBeGreaterThan(0);
  });
});
