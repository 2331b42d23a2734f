import type { FakeWindow } from './fake-window';

/** What the items say of themselves, in the order that they are seen in. */
function told(items: Element[]): string[] {
  const top = (one: Element) => one.getBoundingClientRect().top;
  const name = (one: Element) => one.querySelector('.t, .name')?.textContent ?? '';
  return [...items].sort((a, b) => top(a) - top(b)).map(name);
}

/** What tests of the list share. */
export function sidebarOf(my: FakeWindow) {
  return {
    /** The names of all rows that are in the document. */
    names: () => my.page.getByTestId('session-list').locator('[role=treeitem]').evaluateAll(told),
    /** The name of the row that has the keyboard. */
    active: () =>
      my.page.evaluate(() => document.activeElement?.querySelector('.t, .name')?.textContent ?? null),
    moves: () => my.daemon.requested('move_session').map(({ params }) => params),
    marks: () => my.daemon.requested('mark_session').map(({ params }) => params),
    toast: (text: string | RegExp) => my.win.by('toast').filter({ hasText: text }),
    /** Two projects, a group in a group, and a directory that is no project. */
    shop: () => shop(my),
  };
}

function shop(my: FakeWindow) {
  const { tree } = my.daemon;
  const storefront = tree.addProject('storefront');
  const ledger = tree.addProject('ledger');
  const checkout = tree.addGroup(storefront, 'Checkout', { color: 'teal' });
  const inner = tree.addGroup(storefront, 'Inner', { parent: checkout.id });
  const add = (name: string, position: number, part = {}) =>
    my.add({ name, position, cwd: '/home/dev/src/storefront', project: storefront.id, ...part }, name);
  return {
    storefront,
    ledger,
    checkout,
    inner,
    cart: add('Cart', 1, { group: checkout.id }),
    totals: add('Totals', 2, { group: checkout.id }),
    notes: add('Notes', 3),
    axum: add('Axum', 4, { project: ledger.id }),
    loose: my.add({ name: 'Loose', cwd: '/srv/loose' }, 'loose'),
  };
}
