// A terminal lies where its pane begins, whatever its pane did meanwhile.
import { expect, it } from 'vitest';
import { FakeWindow } from './support/fake-window';
import { until } from './support/window';

const my = new FakeWindow();

/** Pixels between where the pane's room begins and where the terminal's first cell is. */
const shift = (id: string) =>
  my.page.evaluate((session) => {
    const host = document.querySelector(`[data-testid=terminal][data-session="${session}"]`)!;
    const screen = host.querySelector('.xterm-screen')!;
    const { left, top } = host.getBoundingClientRect();
    const style = getComputedStyle(host);
    const box = screen.getBoundingClientRect();
    return [
      Math.round(box.left - left - parseFloat(style.paddingLeft)),
      Math.round(box.top - top - parseFloat(style.paddingTop)),
    ];
  }, id);

it.each([
  ['a little', 0.5, 0.42],
  ['by more than half', 0.7, 0.2],
])(
  'after its pane was narrowed %s with the cursor at the end of a long line, and something typed',
  async (_, from, to) => {
    const fake = my.add({ name: 'left' }, `first line\r\n${'x'.repeat(20)}`);
    my.add({ name: 'right' }, 'right');
    await my.open({ width: 1440, height: 800 });
    const id = await my.win.show('left');
    await my.win.show('right', { modifiers: ['Control'] });
    const room = (await my.page.locator('.panes').boundingBox())!;
    const drag = async (share: number) => {
      const box = (await my.win.by('divider').boundingBox())!;
      await my.page.mouse.move(box.x, box.y + 200);
      await my.page.mouse.down();
      await my.page.mouse.move(room.x + room.width * share, box.y + 200, { steps: 5 });
      await my.page.mouse.up();
    };
    await drag(from);
    await until(
      () => my.page.evaluate((session) => window.__belfry?.size(session)?.cols ?? 0, id),
      (cols) => cols === fake.size.cols,
    );
    const before = fake.size.cols;
    await my.win.row('left').first().click();
    // The cursor at the end of a line as wide as the terminal.
    await my.win.type('y'.repeat(before - 24));
    await my.win.shows(id, 'yyy');
    // Slow as a program is that is told of another size.
    my.daemon.held.add('resize_view');
    await drag(to);
    await my.win.row('left').first().click();
    await my.win.type('abc');
    await my.win.shows(id, 'abc');
    my.daemon.release();
    await until(
      () => my.page.evaluate((session) => window.__belfry?.size(session)?.cols ?? 0, id),
      (cols) => cols === fake.size.cols && cols < before,
    );
    await until(
      () => shift(id),
      ([x, y]) => x === 0 && y === 0,
    );
    // What brings the field that takes the keys into sight, as input methods and some engines do, shifts nothing.
    await my.page.evaluate((session) => {
      const host = document.querySelector(`[data-testid=terminal][data-session="${session}"]`)!;
      host.querySelector('textarea')!.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      for (let one: Element | null = host; one; one = one.parentElement) one.scrollLeft = 300;
    }, id);
    expect(await shift(id)).toEqual([0, 0]);
    await my.win.type('def');
    await my.win.shows(id, 'ef');
    expect(await shift(id)).toEqual([0, 0]);
  },
);
