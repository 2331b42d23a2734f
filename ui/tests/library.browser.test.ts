// All conversations of the machine: listed, searched, resumed, hidden, by keys and pointer.
import { describe, expect, it } from 'vitest';
import { conversation } from './support/fake-library';
import { FakeWindow } from './support/fake-window';
import { goesOn, pastWeeks } from './support/scenes-library';
import { usualDay } from './support/scenes';
import { until } from './support/window';

const my = new FakeWindow();
const rows = () => my.win.by('library-row');
const titles = async () =>
  (await rows().locator('.t').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
const title = () => my.page.locator('#library-title').innerText();
const chosen = () => my.page.locator('[data-testid=library-row][aria-selected=true]');
const library = () => my.daemon.library;

async function open(): Promise<void> {
  await my.open();
  await my.page.locator('body').press('Control+Shift+H');
  await my.win.by('library').waitFor();
}

async function type(text: string): Promise<void> {
  await my.win.by('library-search').fill(text);
}

describe('the list', () => {
  it('tells of each conversation what is known, newest first, and shows the first', async () => {
    usualDay(my);
    pastWeeks(my);
    const session = goesOn(my);
    await open();
    await rows().first().waitFor();
    expect((await titles())[0]).toBe('Rotate refresh tokens and revoke the old family on reuse');
    const first = await rows().first().innerText();
    for (const part of [
      '12m',
      'Also log the reuse',
      'live in Token refresh',
      '~/src/storefront',
      'auth/refresh',
      '92k tokens',
    ])
      expect(first).toContain(part);
    await until(title, (text) => text.startsWith('Rotate refresh'));
    expect(await my.win.by('library-count').innerText()).toBe('9 conversations');
    expect(await my.win.by('library-live').innerText()).toContain('It goes on in Token refresh.');
    // One that is live is not resumed a second time; the way to it is offered instead.
    expect(await my.win.by('library-resume').count()).toBe(0);
    await my.win.by('library-go').click();
    await my.win.by('library').waitFor({ state: 'detached' });
    await my.win.terminal(session?.id ?? '').waitFor();
    expect(my.daemon.requested('resume_conversation')).toEqual([]);
  });

  it('is narrowed by agent, directory, time and file, and says so', async () => {
    usualDay(my);
    pastWeeks(my);
    await open();
    await until(titles, (all) => all.length === 9);
    await my.win.by('library-agent-aider').click();
    await until(titles, (all) => all.length === 1);
    await my.win.by('library-agent-gemini').click();
    await until(titles, (all) => all.length === 2);
    await my.win.by('library-no-filters').click();
    await my.win.by('library-directory').selectOption('/home/dev/src/ledger');
    await until(titles, (all) => all.length === 1);
    await my.win.by('library-no-filters').click();
    await my.win.by('library-span').selectOption('week');
    await until(titles, (all) => all.length === 5);
    await my.win.by('library-file').fill('auth.rs');
    await my.win.by('library-narrows').waitFor();
    await type('refresh');
    await until(
      () => my.daemon.requested('search_text').at(-1)?.params,
      (asked) => asked?.file === 'auth.rs' && asked.since !== null,
    );
  });

  it('has ten thousand rows, of which those in sight are there at once', async () => {
    for (let at = 0; at < 10_000; at += 1) library().add({ title: `Number ${at}` });
    await open();
    await until(
      () => my.win.by('library-count').innerText(),
      (text) => text === '10,000 conversations',
    );
    expect(await rows().count()).toBeLessThan(40);
    const list = my.page.locator('.scroller');
    await list.evaluate((element) => (element.scrollTop = element.scrollHeight / 2));
    await until(titles, (all) => all.some((text) => /^Number (49|50)\d\d$/.test(text)));
    await my.win.by('library-search').press('End');
    await list.evaluate((element) => (element.scrollTop = element.scrollHeight));
    await until(titles, (all) => all.includes('Number 9999'));
    // Counting those of each agent for the welcome is no page.
    const pages = my.daemon.requested('list_conversations').filter(({ params }) => params.limit > 0);
    expect(pages.length).toBeLessThan(8);
    expect(await rows().count()).toBeLessThan(40);
    // The first, which the keyboard is at, is still there to be named.
    expect(await chosen().count()).toBe(1);
    await my.win.press('ArrowDown');
    await until(
      () => chosen().innerText(),
      (text) => text.includes('Number 1'),
    );
  });

  it('shows hostile titles in their own line, whichever way they run', async () => {
    library().add({
      title: '\u202eevil\u202c\u0007 <b>bold</b>\n\n\n',
      branch: '\u202egnp.exe',
      cwd: '/tmp/\u202edne',
    });
    library().add({ title: ' \u200b ' });
    library().add({ title: 'תיקון הבדיקות של המחסן', last_prompt: 'עכשיו גם את המחירים' });
    library().add({ title: 'x'.repeat(200), last_prompt: 'y'.repeat(500), branch: 'z'.repeat(200) });
    await open();
    const all = await until(titles, (told) => told.length === 4);
    expect(all[0]).toBe('evil <b>bold</b>');
    expect(all[1]).toBe('Without a title');
    for (const row of await rows().all()) {
      const box = await row.boundingBox();
      expect(box?.height).toBe(68);
      expect(await row.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    }
    expect(await my.page.getByText('\u202e').count()).toBe(0);
  });

  it('says when there is nothing, when nothing fits, and when it cannot be asked', async () => {
    await open();
    await my.win.by('library-none').getByText('No agent has had a conversation').waitFor();
    library().add({ title: 'One' });
    await type('zzz');
    await my.win.by('library-none').getByText('Nobody said “zzz”.').waitFor();
    my.daemon.failures.set('list_conversations', { code: 'internal', message: 'the disk is full' });
    await type('');
    await my.win.by('library-error').getByText('The disk is full.').waitFor();
    my.daemon.failures.clear();
    await my.win.by('library-error').getByRole('button').click();
    await rows().first().waitFor();
    expect(await my.win.by('library-error').count()).toBe(0);
  });

  it('tells how far reading is, and takes in what comes, at its place', async () => {
    for (let at = 0; at < 300; at += 1) library().add({ title: `Number ${at}` });
    library().indexing = { done: 1_240, total: 10_000, busy: true };
    await open();
    expect(await my.win.by('library-progress').innerText()).toBe('Reading 1,240 of 10,000…');
    await my.win.press('ArrowDown', 'ArrowDown');
    await until(
      () => chosen().innerText(),
      (text) => text.includes('Number 2'),
    );
    library().conversations.unshift(conversation({ title: 'Newest', updated_at: new Date().toISOString() }));
    library().indexing = { done: 10_000, total: 10_000, busy: false };
    await until(titles, (all) => all[0] === 'Newest');
    await my.win.by('library-progress').waitFor({ state: 'detached' });
    expect(await chosen().innerText()).toContain('Number 2');
    // Nothing is asked any more.
    const asked = my.daemon.requested('list_conversations').length;
    await my.win.press('ArrowDown');
    await until(
      () => chosen().innerText(),
      (text) => text.includes('Number 3'),
    );
    expect(my.daemon.requested('list_conversations').length).toBe(asked);
  });
});

describe('what can be done with a conversation', () => {
  it('resumes it, and shows its session', async () => {
    pastWeeks(my);
    await open();
    await rows().nth(1).click();
    await until(title, (text) => text.startsWith('Totals'));
    await my.win.by('library-resume').click();
    await my.win.by('library').waitFor({ state: 'detached' });
    await my.win.by('tab').getByText('Totals are off').waitFor();
    expect(my.daemon.requested('resume_conversation')[0]?.params).toMatchObject({
      agent: 'codex',
      cwd: null,
    });
  });

  it('says where it goes on when it began to meanwhile, and leads there', async () => {
    pastWeeks(my);
    const fake = my.add({ name: 'by hand', agent: 'shell' }, 'by hand');
    const { id } = library().conversations[1]!;
    library().refusals.set(id, {
      code: 'conversation_live',
      message: 'the conversation goes on in the session by hand',
      next: `\`belfry attach ${fake.session.id}\` shows it`,
    });
    await open();
    await rows().nth(1).click();
    await my.win.by('library-resume').click();
    const obstacle = my.win.by('library-obstacle');
    await obstacle.getByText('The conversation goes on in the session by hand.').waitFor();
    expect(await obstacle.innerText()).not.toContain('belfry attach');
    await obstacle.getByTestId('library-go').click();
    await my.win.terminal(fake.session.id).waitFor();
  });

  it('leaves choices where its directory is gone: another one, a new session', async () => {
    pastWeeks(my);
    const { id } = library().conversations[1]!;
    library().refusals.set(id, { code: 'bad_directory', message: '/home/dev/src/storefront is not there' });
    await open();
    await rows().nth(1).click();
    await my.win.by('library-resume').click();
    await my.win.by('library-cwd').fill('/home/dev/moved');
    library().refusals.clear();
    await my.win.by('library-resume-there').click();
    await my.win.by('tab').getByText('Totals are off').waitFor();
    expect(my.daemon.requested('resume_conversation').at(-1)?.params.cwd).toBe('/home/dev/moved');
    library().refusals.set(id, { code: 'conversation_gone', message: 'Codex has no transcript of it' });
    for (const { session } of my.daemon.sessions.values()) my.daemon.change(session.id, { status: 'dead' });
    await my.win.press('Control+Shift+H');
    await rows().nth(1).click();
    await my.win.by('library-resume').click();
    await my.win.by('library-anew').click();
    await my.win.by('new-session-dialog').waitFor();
    expect(await my.win.by('directory').inputValue()).toBe('~/src/storefront');
  });

  it('hides it and shows it again', async () => {
    pastWeeks(my);
    await open();
    await until(titles, (all) => all.length === 9);
    await rows().nth(1).click();
    await my.win.by('library-hide').click();
    await until(titles, (all) => all.length === 8 && all[1]!.startsWith('Which file format'));
    await until(title, (text) => text.startsWith('Which file format'));
    await my.win.by('toast-action').click();
    await until(titles, (all) => all.length === 9 && all[1]!.startsWith('Totals'));
    await rows().nth(1).click({ button: 'right' });
    await my.win.by('conversation-hide').click();
    await until(titles, (all) => all.length === 8);
    await my.win.by('library-hidden').click();
    await until(titles, (all) => all.length === 9);
    expect(await rows().nth(1).innerText()).toContain('hidden');
    await rows().nth(1).click();
    await my.win.by('library-hide').click();
    await until(
      () => rows().nth(1).innerText(),
      (text) => !text.includes('hidden'),
    );
    expect(my.daemon.requested('hide_conversation').map(({ params }) => params.hidden)).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('copies its id, narrows to its directory, and forks it where a session has it', async () => {
    usualDay(my);
    pastWeeks(my);
    goesOn(my);
    await open();
    await until(title, (text) => text.startsWith('Rotate'));
    await my.win.by('library-copy-id').click();
    const { id } = library().conversations[0]!;
    await until(
      () => my.page.evaluate(() => navigator.clipboard.readText()),
      (text) => text === id,
    );
    await my.win.by('library-only-directory').click();
    await until(
      () => my.win.by('library-count').innerText(),
      (text) => text === '6 conversations',
    );
    await my.win.by('library-fork').click();
    await until(
      () => my.daemon.requested('fork_session').length,
      (count) => count === 1,
    );
    // One that no session has is copied as well, where its agent can.
    await my.win.press('Control+Shift+H');
    await rows().nth(1).click();
    await my.win.by('library-fork').click();
    await my.win.by('tab').getByText('Totals are off').waitFor();
    expect(my.daemon.requested('resume_conversation')[0]?.params.fork).toBe(true);
    await my.win.press('Control+Shift+H');
    await my.win.by('library-no-filters').click();
    await until(
      () => my.win.by('library-count').innerText(),
      (text) => text === '9 conversations',
    );
    await rows().nth(3).click();
    await until(title, (text) => text.startsWith('Refresh the base'));
    // Gemini has no fork: a new session reads what was said.
    expect(await my.win.by('library-fork').innerText()).toBe('Hand over');
    await my.win.by('library-fork').click();
    await until(
      () => my.daemon.requested('resume_conversation').length,
      (count) => count === 2,
    );
    expect(my.daemon.requested('resume_conversation')[1]?.params).toMatchObject({
      fork: false,
      handover: true,
    });
  });
});

describe('a narrow window', () => {
  it('shows the list or what was said, and leads back', async () => {
    pastWeeks(my);
    await my.open({ width: 480, height: 800 });
    await my.page.locator('body').press('Control+Shift+H');
    await rows().nth(1).click();
    await until(title, (text) => text.startsWith('Totals'));
    expect(await rows().count()).toBe(0);
    await my.win.by('library-back').click();
    await rows().first().waitFor();
    await rows().nth(2).click();
    await my.win.by('library-detail').waitFor();
    await my.win.press('Escape');
    await rows().first().waitFor();
    await my.win.press('Escape');
    await my.win.by('library').waitFor({ state: 'detached' });
  });
});
