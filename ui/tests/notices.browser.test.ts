// Notices: they cover nothing, stay while somebody is at them, and are read and clicked where they are.
import { expect, it } from 'vitest';
import { FakeWindow } from './support/fake-window';
import { until } from './support/window';

const my = new FakeWindow();

/** What is at the middle of a control, as far as it is not the control itself. */
const covered = (testid: string) =>
  my.win
    .by(testid)
    .first()
    .evaluate((one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      const there = document.elementFromPoint(left + width / 2, top + height / 2);
      return there && (one.contains(there) || there.contains(one))
        ? null
        : (there?.outerHTML.slice(0, 80) ?? '');
    });
const fail = (...texts: string[]) => texts.forEach((text) => my.daemon.event({ event: 'notice', text }));
const toasts = () => my.win.by('toast').locator('.text').allTextContents();

it('have room of their own at the foot of the list, and its last row can be reached', async () => {
  for (let at = 0; at < 40; at += 1) my.add({ name: `session ${at}` }, '');
  await my.open({ width: 1200, height: 700 });
  await my.win.row('session 39').first().click();
  await my.win
    .row('session 38')
    .first()
    .click({ modifiers: ['Shift'] });
  fail('one', 'two', 'three', 'four');
  await until(toasts, (list) => list.length === 3);
  expect(await toasts()).toEqual(['four', 'three', 'two']);
  const list = my.page.locator('nav .list').first();
  await list.evaluate((one) => void (one.scrollTop = one.scrollHeight));
  const last = my.page.locator('nav .t', { hasText: /^session 0$/ });
  await last.click();
  for (const control of ['bulk-delete', 'foot-status', 'status-bar', 'bulk-end'])
    if (await my.win.by(control).first().isVisible()) expect(await covered(control)).toBeNull();
});

it('lie over no control where there is no list, wide or narrow', async () => {
  my.add({ name: 'one', agent: 'claude', status: 'running' }, 'screen');
  await my.open({ width: 1200, height: 700 });
  await my.win.show('one');
  await my.win.by('toggle-sidebar').click();
  fail('one', 'two', 'three');
  await until(toasts, (list) => list.length === 3);
  for (const control of [
    'tab',
    'pane-menu',
    'message',
    'foot-status',
    'status-bar',
    'bell',
    'toggle-sidebar',
  ])
    expect(await covered(control)).toBeNull();
  await my.page.setViewportSize({ width: 420, height: 700 });
  await my.win.by('bottom-bar').waitFor();
  fail('four');
  await until(toasts, (list) => list.includes('four'));
  for (const control of ['narrow-new', 'open-drawer', 'message', 'bell'])
    expect(await covered(control)).toBeNull();
});

it('are in the dialog that is open, where they can be clicked', async () => {
  my.add({ name: 'one' }, '');
  await my.open();
  await my.win.show('one');
  await my.page.keyboard.press('Control+Shift+N');
  await my.win.by('new-session-dialog').waitFor();
  fail('while a dialog is open');
  const toast = my.win.by('new-session-dialog').getByTestId('toast');
  await toast.getByRole('button', { name: 'Dismiss' }).click();
  await toast.waitFor({ state: 'detached' });
});

it('stay while the pointer or the keyboard is on them, and go by Esc', async () => {
  my.add({ name: 'one' }, '');
  await my.open({ alone: true });
  await my.win.show('one');
  await my.page.clock.install();
  fail('hovered');
  await my.win.by('toast').hover();
  await my.page.clock.fastForward(60_000);
  expect(await toasts()).toEqual(['hovered']);
  await my.page.mouse.move(700, 400);
  await my.page.clock.fastForward(10_000);
  await until(toasts, (list) => list.length === 0);
  fail('focused', 'next');
  await until(toasts, (list) => list.length === 2);
  await my.win.by('toast').last().getByRole('button').focus();
  await my.page.clock.fastForward(60_000);
  expect(await toasts()).toEqual(['next', 'focused']);
  await my.page.keyboard.press('Escape');
  await until(toasts, (list) => list.length === 1);
  // The keyboard goes on to the next one, and from the last to the terminal.
  await my.page.keyboard.press('Escape');
  await until(toasts, (list) => list.length === 0);
  expect(await my.page.evaluate(() => document.activeElement?.closest('.terminal-view') !== null)).toBe(true);
});
