// The inspector, against a pretended daemon.
import { describe, expect, it } from 'vitest';
import { ask, choice } from './support/asks';
import { FakeWindow } from './support/fake-window';
import { ready } from './support/page';
import { until } from './support/window';

const my = new FakeWindow();
const question = ask({
  text: 'Do you want to proceed?',
  choices: [choice('1', { label: 'Yes' }), choice('2', { label: 'No', refuses: true })],
  detail: { command: 'cargo test', path: null, url: null, tool: null, body: null },
});

describe('the inspector', () => {
  it('answers a question with all its choices in sight', async () => {
    const { session } = my.add(
      { name: 'asks', agent: 'claude', status: 'waiting', ask: question, model: 'opus' },
      'asks',
    );
    my.daemon.prompts.set(session.id, 'Rotate refresh tokens');
    await my.open();
    await my.win.show('asks');
    await my.win.by('summary-asked').getByText('Rotate refresh tokens').waitFor();
    const card = my.win.by('inspector-ask');
    expect(await card.innerText()).toContain('cargo test');
    await my.page.locator('[data-testid=inspector-ask][data-settled=true]').waitFor();
    await card.locator('[data-choice="2"]').click();
    await until(
      () => my.daemon.requested('answer_ask').length,
      (count) => count === 1,
    );
    expect(my.daemon.requested('answer_ask')[0]?.params).toMatchObject({ choice: '2', fingerprint: 'f' });
    await card.waitFor({ state: 'detached' });
  });

  it('tells what happened, with what became of questions', async () => {
    const { session } = my.add({ name: 'past' }, 'past');
    my.daemon.histories.set(session.id, [
      {
        happened: 'ask',
        at: new Date().toISOString(),
        ask: 'a',
        kind: 'approval',
        text: 'Proceed?',
        about: 'rm -rf build',
        ended_at: new Date().toISOString(),
        outcome: 'answered',
        answer: 'Yes',
        answered_by: 'person',
      },
      {
        happened: 'status',
        at: '2026-01-02T10:00:00Z',
        from: 'running',
        to: 'idle',
        reason: 'its turn is over',
        source: 'hook',
        what: 'Stop',
      },
    ]);
    await my.open();
    await my.win.show('past');
    await my.win.by('summary-timeline').waitFor();
    // What changes all the time asks for nothing anew.
    const asked = () => my.daemon.requested('list_history').length;
    const before = asked();
    for (let at = 0; at < 20; at += 1) my.daemon.change(session.id, { activity: `step ${at}` });
    await my.win.row('step 19').waitFor();
    expect(asked()).toBe(before);
    await my.win.by('inspector-history').click();
    await my.win.by('history-entry').first().waitFor();
    const entries = await my.win.by('history-entry').allInnerTexts();
    expect(entries[0]).toContain('rm -rf build');
    expect(entries[0]).toContain('Answered: Yes by person');
    expect(entries[1]).toContain('Idle: its turn is over');
  });

  it('has all of the record, and why the status is what it is', async () => {
    my.add({ name: 'known', command: ['sh', '-c', 'echo a b'], env_names: ['TOKEN'] }, 'known');
    await my.open();
    await my.win.show('known');
    await my.win.by('inspector-summary').focus();
    await my.win.press('ArrowLeft');
    const text = await my.win.by('details').innerText();
    for (const part of ["sh -c 'echo a b'", 'TOKEN', '80 × 24', '4242']) expect(text).toContain(part);
    await my.win.by('inspector').getByTestId('why-rule').waitFor();
    await my.win.by('inspector-changes').click();
    expect(await my.win.by('changes').innerText()).toContain('is in no repository');
  });

  it('is hidden by key, and stays so', async () => {
    my.add({ name: 'one' }, 'one');
    await my.open();
    await my.win.show('one');
    await my.win.by('inspector').waitFor();
    await my.win.press('Control+Shift+I');
    await my.win.by('inspector').waitFor({ state: 'detached' });
    await until(
      () => JSON.stringify(my.daemon.settings.get('window.main.inspector') ?? ''),
      (kept) => kept.includes('"open":false'),
    );
    await my.page.reload();
    await ready(my.page);
    expect(await my.win.by('inspector').count()).toBe(0);
  });

  it('lies over the panes where there is no room beside them', async () => {
    my.add({ name: 'one' }, 'one');
    await my.open({ width: 900, height: 700 });
    await my.win.show('one');
    expect(await my.win.by('inspector').count()).toBe(0);
    const width = async () => (await my.win.by('pane').boundingBox())!.width;
    const before = await width();
    await my.win.press('Control+Shift+I');
    await my.win.by('inspector').waitFor();
    expect(await width()).toBe(before);
    await my.win.by('inspector-close').click();
    await my.win.by('inspector').waitFor({ state: 'detached' });
  });
});

describe('files', () => {
  /** Drops or pastes a file as the browser would. */
  const give = (selector: string, kind: 'drop' | 'paste', name: string, type: string) =>
    my.page.locator(selector).evaluate(
      (target, [event, file, mime]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array([1, 2, 3])], file, { type: mime }));
        const init = { bubbles: true, cancelable: true };
        if (event === 'drop')
          target.dispatchEvent(new DragEvent('drop', { ...init, dataTransfer: transfer }));
        else target.dispatchEvent(new ClipboardEvent('paste', { ...init, clipboardData: transfer }));
      },
      [kind, name, type] as const,
    );

  it('that are dropped on a terminal come in as their paths, as a paste', async () => {
    const fake = my.add({ name: 'takes' }, '\x1b[?2004h$ ');
    await my.open();
    await my.win.show('takes');
    await my.win.shows(fake.session.id, /\$/);
    await give('[data-testid=terminal]', 'drop', 'my notes.txt', 'text/plain');
    await until(
      () => my.typed(fake),
      (typed) => typed.includes('notes'),
    );
    expect(my.typed(fake)).toBe("\x1b[200~'/state/attachments/my notes.txt' \x1b[201~");
    expect(my.daemon.requested('save_attachment')[0]?.params).toMatchObject({ offset: 0, data: 'AQID' });
  });

  it('a picture that is pasted into a terminal comes in as the path of its copy, and a notice says so', async () => {
    const fake = my.add({ name: 'takes' }, '\x1b[?2004h$ ');
    await my.open();
    await my.win.show('takes');
    await my.win.shows(fake.session.id, /\$/);
    await give('[data-testid=terminal] textarea', 'paste', '', 'image/png');
    await until(
      () => my.typed(fake),
      (typed) => typed.includes('image'),
    );
    expect(my.typed(fake)).toBe('\x1b[200~/state/attachments/image.png \x1b[201~');
    await my.win.by('toast').filter({ hasText: 'The picture is kept with the session' }).waitFor();
  });

  it('that are pasted into the message box are part of the text', async () => {
    my.add({ name: 'talks', agent: 'claude' }, 'talks');
    await my.open();
    await my.win.show('talks');
    await my.win.by('message').fill('look at');
    await give('[data-testid=message]', 'paste', '', 'image/png');
    await until(
      () => my.win.by('message').inputValue(),
      (text) => text === 'look at /state/attachments/image.png ',
    );
    await give('[data-testid=message-box]', 'drop', 'b.pdf', 'application/pdf');
    await until(
      () => my.win.by('message').inputValue(),
      (text) => text === 'look at /state/attachments/image.png /state/attachments/b.pdf ',
    );
  });
});
