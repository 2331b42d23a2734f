// Names, paths, branches and texts as long, as odd and as turned as they come: nothing is pushed away by them.
import { describe, expect, it } from 'vitest';
import { extremeDay, NAMES, spilled } from './support/extremes';
import { FakeWindow } from './support/fake-window';

const my = new FakeWindow();

const first = async () => {
  await my.win.row(NAMES.unbroken).first().click();
  await my.page.getByTestId('terminal').first().waitFor();
};

describe.each([
  ['wide', 1440, 900],
  ['medium', 900, 640],
  ['narrow', 400, 700],
] as const)('%s', (shape, width, height) => {
  it('keeps rows, tabs, cards and the foot in their places', async () => {
    extremeDay(my);
    await my.open({ width, height });
    if (shape === 'narrow') {
      await my.win.by('open-drawer').click();
      await my.win.by('sidebar').waitFor();
      expect(await spilled(my)).toEqual([]);
    }
    await first();
    expect(await spilled(my)).toEqual([]);
  });

  it('keeps menus, questions, notices and the palette in theirs', async () => {
    extremeDay(my);
    await my.open({ width, height });
    const open = async () => {
      if (shape === 'narrow') await my.win.by('open-drawer').click();
      await my.win.row(NAMES.unbroken).first().click({ button: 'right' });
      await my.win.by('menu').waitFor();
    };
    await open();
    expect(await spilled(my)).toEqual([]);
    await my.win.by('menu-move').hover();
    await my.win.by('submenu').waitFor();
    expect(await spilled(my)).toEqual([]);
    await my.win.press('Escape', 'Escape');
    await my.page.keyboard.press('Escape');
    if (shape !== 'narrow') {
      await open();
      await my.win.by('menu-delete').click();
      await my.win.by('question').waitFor();
      expect(await spilled(my)).toEqual([]);
      await my.win.by('question-cancel').click();
      await open();
      await my.win.by('menu-archive').click();
      await my.win.by('toast').waitFor();
      expect(await spilled(my)).toEqual([]);
    }
    await my.page.keyboard.press('Control+Shift+K');
    await my.win.by('palette').waitFor();
    expect(await spilled(my)).toEqual([]);
  });
});

it('shows all of the question, of the inspector and of the bell', async () => {
  extremeDay(my);
  const [asks] = my.daemon.sessions.values();
  my.daemon.notifications.push({
    id: '01900000-0000-7000-8000-000000000000',
    session: asks?.session.id ?? null,
    kind: 'waiting',
    title: NAMES.long,
    text: `cargo test ${'--with-a-flag '.repeat(60)}`,
    ask: { id: 'long', fingerprint: 'f', allow: '1', deny: '3' },
    at: new Date().toISOString(),
    read: false,
    over: false,
    quiet: false,
    many: false,
    sound: true,
  });
  await my.open({ width: 1440, height: 900 });
  await my.win.row(NAMES.long).first().click();
  await my.win.by('ask-bar').waitFor();
  expect(await spilled(my)).toEqual([]);
  for (const tab of ['summary', 'changes', 'history', 'details']) {
    await my.win.by(`inspector-${tab}`).click();
    expect(await spilled(my)).toEqual([]);
  }
  await my.win.by('ask-bar').getByTestId('ask-open').click();
  await my.win.by('ask-panel').waitFor();
  expect(await spilled(my)).toEqual([]);
  await my.win.by('ask-panel').getByTestId('choice').first().click();
  expect(await spilled(my)).toEqual([]);
  await my.win.by('bell').click();
  await my.win.by('notification').first().waitFor();
  expect(await spilled(my)).toEqual([]);
});

it('names what has no name that could be seen, and turns nothing around', async () => {
  extremeDay(my);
  await my.open();
  const names = await my.win.by('session-row').locator('.t').allTextContents();
  expect(names).toContain('Without a name');
  expect(names).toContain('safe gnp.exe');
  expect(names).toContain(NAMES.emoji);
  const hebrew = my.win.row(NAMES.hebrew).first().locator('.t');
  // It runs as it runs, and begins where the others begin.
  expect(await hebrew.evaluate((one) => getComputedStyle(one).direction)).toBe('rtl');
  expect(await hebrew.evaluate((one) => getComputedStyle(one).textAlign)).toBe('left');
});

describe.each([
  [720, 450],
  [400, 400],
  [400, 260],
] as const)('in a window of %i × %i', (width, height) => {
  it('every dialog can be scrolled to its end', async () => {
    my.add({ name: 'one' }, 'one');
    const project = my.daemon.tree.addProject('storefront');
    await my.open({ width, height });
    const reach = async (dialog: string, ...last: string[]) => {
      await my.win.by(dialog).waitFor();
      expect(await spilled(my)).toEqual([]);
      for (const one of last) {
        const control = my.win.by(dialog).getByTestId(one);
        await control.scrollIntoViewIfNeeded();
        const box = (await control.boundingBox())!;
        expect(box.y).toBeGreaterThanOrEqual(0);
        expect(box.y + box.height).toBeLessThanOrEqual(height);
        // Nothing lies over it.
        const free = await control.evaluate((element) => {
          const { left, top, width: wide, height: high } = element.getBoundingClientRect();
          const there = document.elementFromPoint(left + wide / 2, top + high / 2);
          return there !== null && (element.contains(there) || there.contains(element));
        });
        expect(free, `${dialog}: ${one}`).toBe(true);
      }
    };
    await my.page.keyboard.press('Control+Shift+N');
    await my.win.by('more-options').click();
    await reach('new-session-dialog', 'private', 'env', 'name', 'start');
    await my.page.keyboard.press('Escape');
    await my.page.keyboard.press('Control+Shift+K');
    await reach('palette');
    await my.page.keyboard.press('Escape');
    await my.page.locator('body').press('Control+Shift+?');
    await reach('key-sheet');
    await my.page.keyboard.press('Escape');
    if (width < 720) await my.win.by('open-drawer').click();
    await my.win.by('add-project').click();
    await reach('add-project-dialog', 'directory', 'add-project-add');
    await my.page.keyboard.press('Escape');
    await my.page.keyboard.press('Escape');
    await my.page.locator(`[data-section="p:${project.id}"]`).click({ button: 'right' });
    await my.win.by('project-defaults').click();
    await reach('project-defaults-dialog', 'default-agent', 'default-prompt', 'defaults-save');
    await my.page.keyboard.press('Escape');
  });
});
