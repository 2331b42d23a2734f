// The grid of sessions, against a pretended daemon, which tells what it was asked for.
import { expect, it } from 'vitest';
import { FakeWindow } from './support/fake-window';
import { until } from './support/window';

const my = new FakeWindow();
const cells = () => my.win.by('grid-cell');

it('shows up to sixteen sessions live, leaves their sizes alone, and opens one', async () => {
  const all = Array.from({ length: 20 }, (_, at) =>
    my.add({ name: `session ${at}`, cols: 90, rows: 30 }, `screen ${at}`),
  );
  for (const fake of all) fake.size = { cols: 90, rows: 30 };
  await my.open();
  await my.win.show('session 3');
  await until(
    () => my.daemon.views.length,
    (count) => count === 1,
  );
  const front = all[3]!.session.id;
  const openings = () =>
    my.daemon.requested('open_view').filter(({ params }) => params.session === front).length;
  const before = openings();
  await my.win.press('Control+Shift+G');
  await until(
    () => my.daemon.views.length,
    (count) => count === 16,
  );
  expect(await cells().count()).toBe(16);
  // The one that was in the pane has only moved.
  expect(openings()).toBe(before);
  const shown = my.daemon.views.map(({ session }) => session.session.id);
  for (const fake of all.filter(({ session }) => session.id !== front))
    expect(fake.size).toEqual({ cols: 90, rows: 30 });
  const other = all.find(({ session }) => session.id !== front && shown.includes(session.id))!;
  my.daemon.print(other.session.id, '\r\nlive');
  await my.win.shows(other.session.id, 'live');
  const scaled = await cells()
    .filter({ hasText: other.session.name })
    .locator('.terminal-view')
    .first()
    .evaluate((view) => view.getBoundingClientRect().width / view.clientWidth);
  expect(scaled).toBeLessThan(0.7);

  // The keyboard is in the grid, on the session that was in front, and no key goes to a program.
  await my.win.type('y');
  await my.win.press('ArrowRight', 'Enter');
  await my.win.by('grid').waitFor({ state: 'detached' });
  await my.win.type('z');
  const typed = () => all.map((fake) => my.typed(fake)).join('');
  await until(typed, (seen) => seen === 'z');
  await until(
    () => my.daemon.views.length,
    (count) => count === 1,
  );
});

it('turns pages, and goes back with Esc', async () => {
  for (let at = 0; at < 18; at += 1) my.add({ name: `session ${at}` }, `screen ${at}`);
  await my.open();
  await my.win.show('session 17');
  await my.win.press('Control+Shift+G');
  await my.win.by('grid-next').click();
  expect(await cells().count()).toBe(2);
  await my.win.press('Escape');
  await my.win.by('grid').waitFor({ state: 'detached' });
  expect(await my.page.locator('[data-testid=tab][aria-selected=true]').textContent()).toContain(
    'session 17',
  );
});

it('gives a terminal its pane’s size again', async () => {
  const fake = my.add({ name: 'one' }, 'screen');
  my.add({ name: 'two' }, 'screen');
  await my.open();
  await my.win.show('one');
  await my.win.shows(fake.session.id, 'screen');
  const { size } = fake;
  await my.win.press('Control+Shift+G');
  await cells().first().waitFor();
  await my.win.press('Escape');
  await my.page.setViewportSize({ width: 1000, height: 700 });
  await until(
    () => fake.size,
    (now) => now.rows < size.rows,
  );
  const shown = () => my.page.evaluate((session) => window.__belfry?.size(session), fake.session.id);
  await until(shown, (now) => now?.rows === fake.size.rows && now.cols === fake.size.cols);
  expect(await my.win.by('foreign-size').count()).toBe(0);
});
