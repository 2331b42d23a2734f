// Searching all that was said and shown, in the page of conversations and in the palette.
import { describe, expect, it } from 'vitest';
import { FakeWindow } from './support/fake-window';
import { goesOn, pastWeeks } from './support/scenes-library';
import { usualDay } from './support/scenes';
import { until } from './support/window';

const my = new FakeWindow();
const rows = () => my.win.by('library-row');
const kinds = () => rows().evaluateAll((all) => all.map((row) => (row as HTMLElement).dataset['kind'] ?? ''));
const chosen = () => my.page.locator('[data-testid=library-row][aria-selected=true]').innerText();

async function open(): Promise<void> {
  await my.open();
  await my.page.locator('body').press('Control+Shift+H');
  await rows().first().waitFor();
}

describe('a search', () => {
  it('lists marked places by conversation as one types, and opens at the place', async () => {
    usualDay(my);
    pastWeeks(my);
    goesOn(my);
    await open();
    await my.win.type('refresh');
    await until(kinds, (all) => all.join(' ') === 'head hit hit head hit session line');
    expect(await rows().first().innerText()).toContain('+3 more');
    expect(
      (await my.page.locator('[data-testid=library-row] mark').allInnerTexts()).map((one) =>
        one.toLowerCase(),
      ),
    ).toEqual(Array.from({ length: 6 }, () => 'refresh'));
    expect(await my.win.by('library-count').innerText()).toBe('6 places');
    await my.win.press('ArrowDown', 'ArrowDown');
    await until(chosen, (text) => text.includes('I’ll start with the store'));
    const place = my.page.locator('[data-testid=library-detail] [data-seq="160"]');
    await until(
      () => place.evaluateAll((all) => all.length),
      (count) => count === 1,
    );
    // What a terminal showed has a way to the terminal.
    await my.win.press('PageDown');
    await my.win.by('library-line').waitFor();
    expect(await my.win.by('library-line').innerText()).toContain('self.refresh.remove');
    await my.win.by('library-replay').click();
    await my.win.by('library').waitFor({ state: 'detached' });
    await my.win.by('replay').waitFor();
  });

  it('asks once for what is typed fast, and drops answers that come late', async () => {
    pastWeeks(my);
    await open();
    await my.page.getByTestId('library-search').pressSequentially('refresh', { delay: 5 });
    await until(kinds, (all) => all.includes('hit'));
    expect(my.daemon.requested('search_text').length).toBeLessThan(4);
    // The answer to the longer text waits; a shorter one is typed meanwhile.
    my.daemon.held.add('search_text');
    await my.win.type(' base');
    await until(
      () => my.daemon.requested('search_text').at(-1)?.params.text,
      (text) => text === 'refresh base',
    );
    expect(await my.page.getByText('looking…').count()).toBe(1);
    await my.win.by('library-search').fill('totals');
    await until(
      () => my.daemon.requested('search_text').at(-1)?.params.text,
      (text) => text === 'totals',
    );
    my.daemon.release();
    await until(chosen, (text) => text.includes('Totals'));
    expect(await kinds()).toEqual(['head']);
  });

  it('is done by keys alone, from the box to what was said and to resuming', async () => {
    pastWeeks(my);
    await open();
    await my.win.type('base image');
    await until(kinds, (all) => all.join(' ') === 'head hit');
    await my.win.press('Escape');
    await until(kinds, (all) => all.length === 9);
    await my.win.press('ArrowDown', 'ArrowDown', 'ArrowUp', 'Enter');
    await until(
      () => my.page.evaluate(() => document.activeElement?.closest('[data-detail]') !== null),
      (inside) => inside,
    );
    await my.win.by('library-search').focus();
    await my.win.press('Control+Enter');
    // What was found is still the one that the keys go on from.
    await my.win.by('tab').getByText('Rename the post').waitFor();
  });

  it('begins where it was left, with its text chosen', async () => {
    pastWeeks(my);
    await open();
    await my.win.type('refresh');
    await until(kinds, (all) => all.includes('hit'));
    await my.win.press('Escape', 'Escape');
    await my.win.by('library').waitFor({ state: 'detached' });
    await my.win.by('open-library').click();
    await rows().first().waitFor();
    expect(await my.win.by('library-search').inputValue()).toBe('');
    await my.win.type('digest');
    await until(kinds, (all) => all.includes('hit'));
    await my.page.getByTestId('library').getByLabel('Close the conversations').first().click();
    await my.win.press('Control+Shift+H');
    await until(kinds, (all) => all.includes('hit'));
    expect(await my.win.by('library-search').inputValue()).toBe('digest');
    await my.win.type('totals');
    expect(await my.win.by('library-search').inputValue()).toBe('totals');
  });
});

describe('the palette', () => {
  const items = () => my.win.by('palette-item');

  it('offers conversations below the sessions, and keeps what was chosen when they come', async () => {
    my.add({ name: 'Base for images' }, '');
    pastWeeks(my);
    my.daemon.held.add('list_conversations');
    await my.open();
    await my.page.locator('body').press('Control+Shift+K');
    await my.win.type('base image');
    await until(
      () => items().count(),
      (count) => count === 2,
    );
    await my.win.press('ArrowDown');
    my.daemon.release();
    await until(
      () => items().count(),
      (count) => count === 3,
    );
    expect(
      await items().evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset['kind'])),
    ).toEqual(['session', 'conversation', 'search']);
    expect(
      await my.page.locator('[data-testid=palette-item][aria-selected=true]').getAttribute('data-kind'),
    ).toBe('search');
    await items().nth(1).click();
    await my.win.by('library').waitFor();
    await until(
      () => my.page.locator('#library-title').innerText(),
      (text) => text.startsWith('Refresh the base'),
    );
  });

  it('finds what was said and shown, and opens it at its place', async () => {
    usualDay(my);
    pastWeeks(my);
    const session = goesOn(my)!;
    for (const fake of my.daemon.sessions.values()) my.daemon.screens.set(fake.session.id, '');
    await my.open();
    await my.page.locator('body').press('Control+Shift+S');
    await my.win.type('refresh');
    const entry = my.page.locator('[data-testid=palette-item][data-kind=entry]');
    await entry.first().waitFor();
    expect(await my.page.locator('[data-testid=palette-item][data-kind=line]').count()).toBe(1);
    // The conversation of a session is shown in its pane.
    await entry.first().click();
    await my.page
      .locator(`[data-testid=pane] [data-testid=transcript][data-conversation="${session.conversation_id}"]`)
      .waitFor();
    await my.win.press('Control+Shift+S');
    await my.win.type('digest');
    await entry.first().click();
    await my.win.by('library').waitFor();
    expect(await my.win.by('library-search').inputValue()).toBe('digest');
    await until(chosen, (text) => text.includes('pin its digest'));
  });
});

describe('the first day', () => {
  it('tells what is on the machine already, and shows it', async () => {
    pastWeeks(my);
    await my.open();
    const line = my.win.by('welcome-conversations');
    await line.waitFor();
    expect(await line.innerText()).toContain(
      '9 conversations of Codex, Claude Code, OpenCode, Gemini CLI, and Aider are on this machine.',
    );
    await my.win.by('welcome-library').click();
    await until(kinds, (all) => all.length === 9);
  });
});
