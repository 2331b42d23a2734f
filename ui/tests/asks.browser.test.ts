// Questions, answered from their cards, against a daemon that only pretends.
import { describe, expect, it } from 'vitest';
import type { Ask, Session } from '../src/lib/client/generated/protocol';
import { ask, choice } from './support/asks';
import { FakeWindow } from './support/fake-window';
import { until } from './support/window';

const my = new FakeWindow();

const COMMAND: Partial<Ask> = {
  detail: { ...ask({}).detail, command: 'cargo test -p auth' },
  choices: [
    choice('1', { label: 'Yes' }),
    choice('2', { label: 'Yes, and do not ask again for cargo test', risk: 'medium' }),
    choice('3', { label: 'No, tell it what to do instead', refuses: true, takes_text: true }),
  ],
};

function waiting(name: string, part: Partial<Ask> = COMMAND, session: Partial<Session> = {}) {
  const fake = my.add({ name, agent: 'claude', status: 'waiting', ...session }, 'a dialog');
  fake.session.ask = ask({ id: `ask of ${name}`, ...part });
  return fake;
}

const card = (name: string) => my.win.by('need').filter({ hasText: name });
const answers = () => my.daemon.requested('answer_ask').map(({ params }) => params);
const focusedNeed = () =>
  my.page.evaluate(() => document.activeElement?.getAttribute('data-session') ?? null);
/** What is pressed in the first moments is not taken for an answer. */
const settled = () =>
  my.page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLElement>('[data-card]')].every(
      ({ dataset }) => dataset['settled'] === 'true',
    ),
  );

describe('a card in the list', () => {
  it('says what is asked, and is answered by its buttons', async () => {
    const fake = waiting('Token refresh');
    await my.open();
    const shown = card('Token refresh');
    expect(await shown.textContent()).toContain('Command');
    expect(await shown.getByTestId('ask-detail').textContent()).toBe('cargo test -p auth');
    expect(await shown.getByTestId('risk').textContent()).toContain('Low risk');
    await settled();
    await shown.getByTestId('choice').first().click();
    await until(answers, (list) => list.length === 1);
    expect(answers()[0]).toEqual({ session: fake.session.id, choice: '1', text: null, fingerprint: 'f' });
    await shown.waitFor({ state: 'detached' });
    expect(await my.win.by('needs-you').count()).toBe(0);
  });

  it('comes in the order of age, with what is blocked at the end', async () => {
    waiting('younger', { ...COMMAND, opened_at: '2026-01-02T12:05:00Z' });
    waiting('older', { ...COMMAND, opened_at: '2026-01-02T12:00:00Z' });
    my.add({ name: 'stuck', status: 'blocked', reason: 'usage limit, resets 15:30' });
    await my.open();
    const all = await my.win.by('need').allTextContents();
    expect(all[0]).toContain('older');
    expect(all[1]).toContain('younger');
    expect(all[2]).toContain('usage limit, resets 15:30');
    expect(await my.win.by('needs-count').innerText()).toMatch(/^3\s+need you$/);
  });

  it('is reached and answered by keyboard alone, and hands the keyboard on', async () => {
    const first = waiting('first', { ...COMMAND, opened_at: '2026-01-02T12:00:00Z' });
    const second = waiting('second', { ...COMMAND, opened_at: '2026-01-02T12:05:00Z' });
    const shell = my.add({ name: 'shell' }, '$ ');
    await my.open();
    await my.win.show('shell');
    await my.win.press('Control+Shift+A');
    expect(await focusedNeed()).toBe(first.session.id);
    await my.win.press('Control+Shift+A');
    expect(await focusedNeed()).toBe(second.session.id);
    await my.win.press('Control+Shift+A');
    await settled();
    await my.win.press('2');
    await until(answers, (list) => list.length === 1);
    expect(answers()[0]).toMatchObject({ session: first.session.id, choice: '2' });
    // The card that took its place has the keyboard; what is pressed at once is not for it.
    await until(focusedNeed, (id) => id === second.session.id);
    await my.win.press('1');
    expect(answers()).toHaveLength(1);
    await settled();
    await my.win.press('1');
    await until(answers, (list) => list.length === 2);
    await until(
      () => my.page.evaluate(() => document.activeElement?.closest('.terminal-view') !== null),
      (has) => has,
    );
    expect(my.typed(shell)).toBe('');
  });

  it('takes a text where a choice wants one', async () => {
    waiting('reply');
    await my.open();
    await settled();
    await my.win.press('Control+Shift+A', '3');
    await my.win.type('use the other store');
    await my.win.press('Shift+Enter');
    await my.win.type('please');
    await my.win.press('Enter');
    await until(answers, (list) => list.length === 1);
    expect(answers()[0]).toMatchObject({ choice: '3', text: 'use the other store\nplease' });
  });

  it('with much to lose wants a second press', async () => {
    waiting('danger', { ...COMMAND, risk: 'high', risk_reason: 'deletes files: `rm -rf`' });
    await my.open();
    expect(await card('danger').getByTestId('risk').textContent()).toContain('High risk');
    expect(await card('danger').textContent()).toContain('deletes files');
    await settled();
    await my.win.press('Control+Shift+A', '1');
    await card('danger').getByText('Press again').waitFor();
    expect(answers()).toEqual([]);
    // Too soon after the first it is the second half of a double press, and counts for nothing.
    await until(
      async () => {
        await my.win.press('1');
        return answers();
      },
      (list) => list.length === 1,
    );
  });

  it('of twelve choices marks by digits and answers by Enter', async () => {
    const choices = Array.from({ length: 12 }, (_, at) =>
      choice(String(at + 1), { label: `Model ${at + 1}` }),
    );
    waiting('models', { kind: 'choice', approves: null, text: 'Which model?', choices });
    await my.open();
    await card('models').getByTestId('ask-more').click();
    expect(await my.win.by('ask-panel').getByTestId('choice').count()).toBe(12);
    await settled();
    await my.win.press('1', '2');
    expect(answers()).toEqual([]);
    await my.win.press('Enter');
    await until(answers, (list) => list.length === 1);
    expect(answers()[0]?.choice).toBe('12');
    await my.win.by('ask-panel').waitFor({ state: 'detached' });
  });

  it('that cannot be answered says where it can', async () => {
    waiting('login', { kind: 'login', approves: null, text: 'Sign in', choices: [], answerable: false });
    const blind = my.add({ name: 'blind', agent: 'codex', status: 'waiting', reason: 'approval' });
    await my.open();
    expect(await card('login').textContent()).toContain('Answer it in the terminal');
    expect(await card('blind').textContent()).toContain('Answer it in the terminal');
    await card('blind').press('Enter');
    await my.page.locator(`[data-testid=terminal][data-session="${blind.session.id}"]`).waitFor();
  });

  it('takes nothing of a program for markup, and shows what hides in a command', async () => {
    waiting('sly', { ...COMMAND, detail: { ...ask({}).detail, command: 'echo <b>hi</b>\u202e; rm -rf ~' } });
    await my.open();
    expect(await card('sly').getByTestId('ask-detail').textContent()).toBe(
      'echo <b>hi</b>⟨U+202E⟩; rm -rf ~',
    );
  });
});

describe('an answer', () => {
  it('that is on its way is shown so, and pressed once', async () => {
    const fake = waiting('slow');
    my.daemon.held.add('answer_ask');
    await my.open();
    await settled();
    await my.win.press('Control+Shift+A', '1');
    await card('slow').getByText('Sending…').waitFor();
    expect(await card('slow').getAttribute('aria-busy')).toBe('true');
    await my.win.press('1', '2');
    expect(answers()).toHaveLength(1);
    my.daemon.release();
    await card('slow').waitFor({ state: 'detached' });
    expect(fake.session.status).toBe('running');
  });

  it('to a dialog that has changed is not sent, and the new one is shown', async () => {
    const fake = waiting('changing');
    my.daemon.failures.set('answer_ask', {
      code: 'changed',
      message: 'The dialog is another one now.',
      next: 'Answer the new one.',
    });
    await my.open();
    await settled();
    my.daemon.held.add('answer_ask');
    await my.win.press('Control+Shift+A', '1');
    my.daemon.change(fake.session.id, {
      ask: ask({
        ...COMMAND,
        id: 'next',
        fingerprint: 'g',
        detail: { ...ask({}).detail, command: 'git push' },
      }),
    });
    my.daemon.release();
    const note = card('changing').getByTestId('ask-note');
    await note.waitFor();
    expect(await note.textContent()).toContain('Nothing was sent: the dialog is another one now.');
    expect(await card('changing').getByTestId('ask-detail').textContent()).toBe('git push');
    my.daemon.failures.clear();
    await settled();
    await my.win.press('1');
    await until(answers, (list) => list.length === 2);
    expect(answers()[1]?.fingerprint).toBe('g');
  });

  it('that fails says what happened, what was kept and what to do', async () => {
    waiting('failing');
    my.daemon.failures.set('answer_ask', {
      code: 'unsupported',
      message: 'The dialog did not close.',
      kept: 'The key was pressed.',
      next: 'Look at the terminal.',
    });
    await my.open();
    await settled();
    await card('failing').getByTestId('choice').first().click();
    const note = card('failing').getByTestId('ask-note');
    await note.waitFor();
    expect(await note.textContent()).toContain(
      'The dialog did not close. The key was pressed. Look at the terminal.',
    );
  });
});

describe('over a pane', () => {
  it('a bar takes the place of the message box, without another size for the terminal', async () => {
    const fake = my.add({ name: 'agent', agent: 'claude' }, 'at work');
    await my.open();
    const id = await my.win.show('agent');
    await my.win.by('message-box').waitFor();
    await until(
      () => fake.size.rows,
      (rows) => rows !== 24,
    );
    const { rows } = fake.size;
    my.daemon.change(id, { status: 'waiting', ask: ask({ ...COMMAND, id: 'a' }) });
    await my.win.by('ask-bar').waitFor();
    expect(await my.win.by('message-box').count()).toBe(0);
    // The keyboard stays with the terminal: a digit is the program's.
    await settled();
    await my.win.type('2');
    await until(
      () => my.typed(fake),
      (typed) => typed === '2',
    );
    expect(answers()).toEqual([]);
    await my.win.by('ask-bar').getByTestId('ask-open').click();
    await my.win.by('ask-panel').waitFor();
    await my.win.press('Escape');
    await my.win.by('ask-panel').waitFor({ state: 'detached' });
    await my.win.type('x');
    await until(
      () => my.typed(fake),
      (typed) => typed === '2x',
    );
    expect(fake.size.rows).toBe(rows);
    await my.win.by('ask-bar').getByTestId('choice').first().click();
    await until(answers, (list) => list.length === 1);
    await my.win.by('message-box').waitFor();
  });

  it('the key for a message brings the box back beside a question, and nothing reaches the dialog', async () => {
    const fake = my.add({ name: 'agent', agent: 'claude' }, 'a dialog');
    await my.open();
    const id = await my.win.show('agent');
    my.daemon.change(id, { status: 'waiting', ask: ask({ ...COMMAND, id: 'a' }) });
    await my.win.by('ask-bar').waitFor();
    await settled();
    await my.win.press('Control+Shift+M');
    await my.win.type('1 more thing');
    expect(await my.win.by('message').inputValue()).toBe('1 more thing');
    await my.win.press('Enter');
    await until(
      () => my.daemon.requested('send_message').length,
      (count) => count === 1,
    );
    expect(my.typed(fake)).toBe('');
    expect(answers()).toEqual([]);
  });

  it('a key that was meant for a card that has just gone reaches no terminal', async () => {
    const fake = my.add({ name: 'agent', agent: 'claude' }, 'a dialog');
    await my.open();
    const id = await my.win.show('agent');
    my.daemon.change(id, { status: 'waiting', ask: ask({ ...COMMAND, id: 'a' }) });
    await my.win.by('ask-bar').waitFor();
    await my.win.press('Control+Shift+A');
    expect(await focusedNeed()).toBe(id);
    my.daemon.change(id, { status: 'running', ask: null });
    await my.win.by('ask-bar').waitFor({ state: 'detached' });
    await my.win.press('1');
    await until(
      () => my.page.evaluate(() => document.activeElement?.closest('.terminal-view') !== null),
      (has) => has,
    );
    await my.win.press('x');
    await until(
      () => my.typed(fake),
      (typed) => typed !== '',
    );
    expect(my.typed(fake)).toBe('x');
    expect(answers()).toEqual([]);
  });

  it('a question does not take the keyboard from a message that is being written', async () => {
    my.add({ name: 'agent', agent: 'claude' }, 'at work');
    await my.open();
    const id = await my.win.show('agent');
    await my.win.press('Control+Shift+M');
    await my.win.type('1');
    my.daemon.change(id, { status: 'waiting', ask: ask({ ...COMMAND, id: 'a' }) });
    await my.win.by('ask-bar').waitFor();
    await settled();
    await my.win.type('23');
    expect(await my.win.by('message').inputValue()).toBe('123');
    expect(answers()).toEqual([]);
  });

  it('in a narrow window one key opens all of the oldest question', async () => {
    const fake = waiting('narrow');
    my.add({ name: 'other' }, '$ ');
    await my.open({ width: 480, height: 800 });
    await my.win.press('Control+Shift+A');
    await my.win.by('ask-panel').waitFor();
    await settled();
    await my.win.press('1');
    await until(answers, (list) => list.length === 1);
    expect(answers()[0]?.session).toBe(fake.session.id);
    expect(await my.page.evaluate(() => document.documentElement.scrollWidth)).toBe(480);
  });
});
