// A narrow window, against a pretended daemon.
import { expect, it } from 'vitest';
import { FakeWindow } from './support/fake-window';
import { until } from './support/window';

const my = new FakeWindow();

/** A finger's way over the window. */
async function swipe(from: [number, number], to: [number, number]) {
  await my.page.evaluate(
    ([[x1, y1], [x2, y2]]) => {
      const target = document.elementFromPoint(x1, y1) ?? document.body;
      const touch = (x: number, y: number) => new Touch({ identifier: 1, target, clientX: x, clientY: y });
      const init = { bubbles: true, cancelable: true };
      target.dispatchEvent(
        new TouchEvent('touchstart', { ...init, touches: [touch(x1, y1)], changedTouches: [touch(x1, y1)] }),
      );
      target.dispatchEvent(new TouchEvent('touchend', { ...init, changedTouches: [touch(x2, y2)] }));
    },
    [from, to] as const,
  );
}

it('has the three latest sessions in its bar, each where it was', async () => {
  for (const name of ['one', 'two', 'three', 'four']) my.add({ name }, `${name} screen`);
  await my.open({ width: 480, height: 800 });
  const bar = async () =>
    (await my.win.by('narrow-session').allInnerTexts()).map((text) => text.split(',')[0]);
  for (const name of ['one', 'two', 'three']) {
    await my.win.by('open-drawer').click();
    await my.win.row(name).click();
    await my.win.by('sidebar').waitFor({ state: 'detached' });
  }
  expect((await bar()).map((text) => text?.trim())).toEqual(['one', 'two', 'three']);
  await my.win.by('narrow-session').first().click();
  expect((await bar()).map((text) => text?.trim())).toEqual(['one', 'two', 'three']);
  expect(await my.page.locator('[data-testid=narrow-session][aria-current=true]').innerText()).toContain(
    'one',
  );
});

it('has its list come in by a swipe, and go by another', async () => {
  my.add({ name: 'one' }, 'one');
  await my.open({ width: 480, height: 800 });
  await swipe([4, 400], [200, 410]);
  await my.win.by('sidebar').waitFor();
  await swipe([250, 400], [60, 400]);
  await my.win.by('sidebar').waitFor({ state: 'detached' });
  await swipe([4, 400], [30, 700]);
  expect(await my.win.by('sidebar').count()).toBe(0);
  await my.win.press('Control+Shift+B');
  await my.win.by('sidebar').waitFor();
});

it('has a session’s menu under a finger that rests on it', async () => {
  const { session } = my.add({ name: 'one' }, 'one');
  my.add({ name: 'two' }, 'two');
  await my.open({ width: 480, height: 800 });
  const button = my.page.locator(`[data-testid=narrow-session][data-session="${session.id}"]`);
  await button.dispatchEvent('pointerdown', { pointerType: 'touch', clientX: 40, clientY: 780 });
  await my.win.by('menu').waitFor();
  await button.dispatchEvent('pointerup', { pointerType: 'touch' });
  // The tap that ends it opens nothing.
  await button.dispatchEvent('click');
  expect(await my.win.by('menu').innerText()).toContain('Rename');
  expect(await my.win.by('tab').count()).toBe(0);
  await my.win.press('Escape');
  await button.click();
  await until(
    () => my.page.locator('h1').innerText(),
    (text) => text.includes('one'),
  );
});
