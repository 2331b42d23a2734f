// Messages and explanations, against a daemon that only pretends.
import { describe, expect, it } from 'vitest';
import type { Explanation } from '../src/lib/client/generated/protocol';
import { FakeWindow } from './support/fake-window';
import { until } from './support/window';

const my = new FakeWindow();

const sent = () => my.daemon.requested('send_message').map(({ params }) => params);

describe('the message box', () => {
  it('sends what is written when the agent is free, and brings it back by Up', async () => {
    const fake = my.add({ name: 'agent', agent: 'claude' }, 'prompt');
    await my.open();
    const id = await my.win.show('agent');
    // The terminal has the keyboard until the person asks for the box.
    await my.win.type('t');
    await until(
      () => my.typed(fake),
      (typed) => typed === 't',
    );
    await my.win.press('Control+Shift+M');
    await my.win.type('fix it');
    await my.win.press('Shift+Enter');
    await my.win.type('well');
    await my.win.press('Enter');
    await until(sent, (list) => list.length === 1);
    expect(sent()[0]).toEqual({ session: id, text: 'fix it\nwell', now: false });
    expect(await my.win.by('message').inputValue()).toBe('');
    await my.win.press('ArrowUp');
    expect(await my.win.by('message').inputValue()).toBe('fix it\nwell');
    await my.win.press('ArrowDown');
    expect(await my.win.by('message').inputValue()).toBe('');
    await my.win.press('Escape');
    await my.win.type('u');
    await until(
      () => my.typed(fake),
      (typed) => typed === 'tu',
    );
  });

  it('lists what waits and why, and takes it back or into the box again', async () => {
    my.add({ name: 'busy', agent: 'codex', status: 'running' }, 'working');
    await my.open();
    await my.win.show('busy');
    for (const text of ['first thing', 'second thing']) {
      await my.win.by('message').fill(text);
      await my.win.by('message').press('Enter');
    }
    await my.win.by('queue-toggle').filter({ hasText: '2 queued' }).click();
    expect(await my.win.by('queue-toggle').textContent()).toContain('held: the agent works');
    expect(await my.win.by('queued').count()).toBe(2);
    await my.win.by('queued').first().getByTestId('cancel-message').click();
    await until(
      () => my.win.by('queued').count(),
      (count) => count === 1,
    );
    await my.win.by('queued').first().getByTestId('edit-message').click();
    await until(
      () => my.win.by('message').inputValue(),
      (text) => text === 'second thing',
    );
    expect(my.daemon.requested('cancel_message')).toHaveLength(2);
    expect(await my.win.by('queue').count()).toBe(0);
    await my.win.press('Control+Enter');
    await until(sent, (list) => list.length === 3);
    expect(sent()[2]).toMatchObject({ text: 'second thing', now: true });
  });

  it('keeps a text that could not be sent, and says why', async () => {
    my.add({ name: 'agent', agent: 'claude' }, 'prompt');
    my.daemon.failures.set('send_message', { code: 'too_much', message: 'The text is too long.' });
    await my.open();
    await my.win.show('agent');
    await my.win.by('message').fill('a long text');
    await my.win.by('message').press('Enter');
    await my.win.by('message-problem').waitFor();
    expect(await my.win.by('message-problem').textContent()).toContain('The text is too long.');
    expect(await my.win.by('message').inputValue()).toBe('a long text');
  });

  it('grows over the terminal, not against it, and goes where there is no room', async () => {
    const fake = my.add({ name: 'agent', agent: 'claude' }, 'prompt');
    await my.open();
    await my.win.show('agent');
    await until(
      () => fake.size.rows,
      (rows) => rows !== 24,
    );
    const { rows } = fake.size;
    await my.win.by('message').fill('one\ntwo\nthree\nfour');
    expect(((await my.win.by('message').boundingBox())?.height ?? 0) > 60).toBe(true);
    expect(fake.size.rows).toBe(rows);
    await my.win.by('message').fill('');
    await my.page.setViewportSize({ width: 900, height: 300 });
    await my.win.by('message').waitFor({ state: 'hidden' });
  });

  it('is there for a shell when it is asked for, and gone when it was not used', async () => {
    const fake = my.add({ name: 'shell' }, '$ ');
    await my.open();
    await my.win.show('shell');
    await until(
      () => fake.size.rows,
      (rows) => rows !== 24,
    );
    const { rows } = fake.size;
    expect(await my.win.by('message').count()).toBe(0);
    await my.win.press('Control+Shift+M');
    await my.win.type('make test');
    expect(await my.win.by('message').inputValue()).toBe('make test');
    await my.win.press('Enter', 'Escape');
    await until(sent, (list) => list.length === 1);
    await my.win.by('message').waitFor({ state: 'detached' });
    expect(fake.size.rows).toBe(rows);
    expect(my.typed(fake)).toBe('');
  });
});

const EXPLANATION: Explanation = {
  name: 'agent',
  agent: 'claude',
  version: '2.1.332',
  status: 'waiting',
  reason: 'approve `cargo test`',
  for_ms: 40_000,
  activity_since: null,
  rule: 'A dialog is on the screen, so it waits for you, whatever else is said.',
  evidence: [
    {
      source: 'screen',
      says: 'asking',
      what: 'dialog with 4 choices, rule `claude.bash_permission`',
      age_ms: 120,
      weight: 'decided',
      why: null,
    },
    {
      source: 'hook',
      says: 'working',
      what: 'PreToolUse',
      age_ms: 41_000,
      weight: 'overruled',
      why: 'older than the dialog',
    },
  ],
  missing: [{ source: 'title', why: 'It is switched off.', costs: 'The end of a turn is seen 2 s later.' }],
  history: [
    {
      at: '2026-01-02T12:00:00Z',
      from: 'running',
      to: 'waiting',
      reason: 'approve `cargo test`',
      source: 'screen',
      what: 'dialog',
    },
  ],
};

describe('why a status is what it is', () => {
  async function open() {
    const fake = my.add(
      { name: 'agent', agent: 'claude', status: 'waiting', reason: 'approve `cargo test`' },
      'dialog',
    );
    my.daemon.talk.explanations.set(fake.session.id, EXPLANATION);
    await my.open();
    await my.win.show('agent');
    return fake;
  }

  it('is told by the row’s key, with all that was seen, overruled and missing', async () => {
    await open();
    await my.win.press('Control+Shift+E', '?');
    await my.win.by('why-rule').waitFor();
    const text = (await my.win.by('why').textContent()) ?? '';
    for (const part of [
      'Waiting: approve cargo test',
      EXPLANATION.rule,
      'Its screen',
      'decides',
      'overruled: older than the dialog',
      'It is switched off.',
      'The end of a turn is seen 2 s later.',
      'Claude Code 2.1.332',
    ])
      expect(text).toContain(part);
    await my.win.press('Escape');
    await my.win.by('why').waitFor({ state: 'detached' });
    const row = await my.page.evaluate(() => document.activeElement?.getAttribute('data-testid'));
    expect(row).toBe('session-row');
  });

  it('is told by resting on the shape, and goes when the pointer does', async () => {
    await open();
    await my.win.row('agent').locator('.s').hover();
    await my.win.by('why-rule').waitFor();
    await my.win.by('why').hover();
    await my.win.by('why-evidence').hover();
    await my.win.by('why-rule').hover();
    expect(await my.win.by('why').count()).toBe(1);
    await my.page.mouse.move(900, 500);
    await my.win.by('why').waitFor({ state: 'detached' });
    // The keyboard was the terminal's all the time.
    const terminal = await my.page.evaluate(() => document.activeElement?.closest('.terminal-view') !== null);
    expect(terminal).toBe(true);
  });

  it('is told by the menu and by the foot of the pane, and follows the session', async () => {
    const fake = await open();
    await my.win.row('agent').click({ button: 'right' });
    await my.win.by('menu-why').click();
    await my.win.by('why-rule').waitFor();
    await my.win.press('Escape');
    await my.win.by('foot-status').click();
    await my.win.by('why-rule').waitFor();
    my.daemon.talk.explanations.set(fake.session.id, {
      ...EXPLANATION,
      rule: 'It is at its prompt.',
      status: 'idle',
    });
    my.daemon.change(fake.session.id, { status: 'idle', reason: null });
    await my.win.by('why-rule').filter({ hasText: 'It is at its prompt.' }).waitFor();
  });

  it('says so where it cannot be told', async () => {
    await open();
    my.daemon.failures.set('explain_session', {
      code: 'unsupported',
      message: 'This daemon explains nothing.',
    });
    await my.win.by('foot-status').click();
    await my.win.by('why').getByText('This daemon explains nothing.').waitFor();
  });
});
