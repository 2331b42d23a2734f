// The transcript of a session in its pane, against a pretended daemon.
import { describe, expect, it } from 'vitest';
import type { Said } from '../src/lib/client/generated/protocol';
import type { FakeSession } from './support/fake-daemon';
import { says } from './support/fake-transcript';
import { FakeWindow } from './support/fake-window';
import { ready } from './support/page';
import { spoken } from './support/scenes-transcript';
import { until } from './support/window';

const my = new FakeWindow();
const ID = 'c0ffee00-0000-4000-8000-000000000001';

/** A session in a conversation in which that was said. */
function talks(
  said: readonly Said[],
  part: Partial<FakeSession['session']> = {},
  screen = 'agent> ',
): FakeSession {
  const fake = my.add(
    { name: 'talks', agent: 'claude', status: 'running', conversation_id: ID, ...part },
    screen,
  );
  if (said.length > 0) my.daemon.transcripts.say(ID, said);
  return fake;
}

/** Many turns: a prompt, a tool and an answer each. */
const turns = (count: number, from = 0): Said[] =>
  Array.from({ length: count }, (_, at) => at + from).flatMap((turn) => [
    says.prompt(`prompt ${turn}`),
    says.tool(`t${turn}`, 'Bash', `echo ${turn}`, { command: `echo ${turn}` }),
    says.result(`t${turn}`, String(turn)),
    says.answer(`Answer **${turn}** in a line or two.\n\nAnd a second paragraph.`),
  ]);

async function read(): Promise<void> {
  await my.win.show('talks');
  await my.win.press('Control+Shift+Y');
  await my.page.locator('[data-testid=transcript][data-loaded=true]').waitFor();
}

const box = () => my.win.by('turns');
const scroll = () =>
  box().evaluate(({ scrollTop, scrollHeight, clientHeight }) => ({
    top: scrollTop,
    below: scrollHeight - scrollTop - clientHeight,
  }));
const rows = () => my.page.locator('[data-testid=turns] [data-seq]');
const reads = () => my.daemon.requested('read_transcript').length;

describe('the transcript', () => {
  it('takes the terminal’s place and keyboard, and gives both back as they were', async () => {
    const lines = Array.from({ length: 200 }, (_, at) => `line ${at}`).join('\r\n');
    const fake = talks([says.prompt('hello'), says.answer('Hi.')], { status: 'idle' }, lines);
    fake.full = lines;
    const { id } = fake.session;
    await my.open();
    await my.win.show('talks');
    await my.win.shows(id, 'line 199');
    await my.page.evaluate((session) => window.__belfry?.scrollToTop(session), id);
    const before = await my.page.evaluate(
      (session) => [window.__belfry?.size(session), window.__belfry?.scroll(session)],
      id,
    );
    const resized = my.daemon.requested('resize_view').length;
    await my.win.by('face-transcript').click();
    await my.win.by('answer').getByText('Hi.').waitFor();
    await my.page.waitForFunction(() => document.activeElement?.matches('[data-testid=turns]'));
    await my.win.type('not for the program');
    expect(await my.win.terminal(id).isVisible()).toBe(false);
    await my.win.press('Control+Shift+Y');
    await my.win.by('transcript').waitFor({ state: 'detached' });
    expect(await my.win.terminal(id).isVisible()).toBe(true);
    const after = await my.page.evaluate(
      (session) => [window.__belfry?.size(session), window.__belfry?.scroll(session)],
      id,
    );
    expect(after).toEqual(before);
    expect(my.daemon.requested('resize_view').length).toBe(resized);
    expect(my.daemon.requested('open_view')).toHaveLength(1);
    await my.win.type('for the program');
    await until(
      () => my.typed(fake),
      (typed) => typed === 'for the program',
    );
  });

  it('is offered where there is a conversation only, and is there again after a reload', async () => {
    talks([says.prompt('hello'), says.answer('Hi.')]);
    my.add({ name: 'shell' }, '$ ');
    await my.open();
    await my.win.show('shell');
    expect(await my.win.by('face-transcript').count()).toBe(0);
    await my.win.row('shell').first().click({ button: 'right' });
    expect(await my.win.by('menu-transcript').count()).toBe(0);
    await my.win.press('Escape');
    await my.win.row('talks').first().click({ button: 'right' });
    await my.win.by('menu-transcript').click();
    await my.win.by('answer').waitFor();
    await until(
      () => JSON.stringify(my.daemon.settings.get('window.main.faces') ?? ''),
      (kept) => kept.includes('transcript'),
    );
    await my.page.reload();
    await ready(my.page);
    await my.win.by('answer').getByText('Hi.').waitFor();
    await my.win.by('transcript-close').click();
    await my.win.by('transcript').waitFor({ state: 'detached' });
  });

  it('has thousands of entries, of which few are in the page, back to the first', async () => {
    talks(turns(1500));
    await my.open();
    await read();
    await my.page.getByText('prompt 1499').waitFor();
    expect((await scroll()).below).toBeLessThan(2);
    let most = 0;
    for (
      let at = 0;
      at < 400 && (await my.page.getByText('prompt 0', { exact: true }).count()) === 0;
      at += 1
    ) {
      const first = await rows().first().getAttribute('data-seq');
      await box().evaluate((element) => (element.scrollTop -= 4000));
      most = Math.max(most, await rows().count());
      // What was put above has not moved what is there.
      if (at % 40 === 0 && first !== null) expect(Number(first)).toBeGreaterThanOrEqual(0);
      await my.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
    await my.page.getByText('prompt 0', { exact: true }).waitFor();
    expect(most).toBeLessThanOrEqual(150);
    expect(Math.max(...my.daemon.requested('read_transcript').map(({ params }) => params.limit))).toBe(500);
    await box().focus();
    await my.win.press('End');
    await my.page.getByText('prompt 1499').waitFor();
    await my.win.press('Home');
    await my.page.getByText('prompt 0', { exact: true }).waitFor();
    expect((await scroll()).top).toBeLessThan(2);
  });

  it('stays where it was when earlier entries come', async () => {
    talks(turns(300));
    await my.open();
    await read();
    await my.page.getByText('prompt 299').waitFor();
    const place = (seq: string) =>
      my.page.evaluate(
        (one) => document.querySelector(`[data-seq="${one}"]`)?.getBoundingClientRect().top ?? null,
        seq,
      );
    await box().evaluate((element) => (element.scrollTop = 950));
    const seen = await box().evaluate((element) => {
      const top = element.getBoundingClientRect().top;
      const all = [...element.querySelectorAll<HTMLElement>('[data-seq]')];
      return all.find((row) => row.getBoundingClientRect().top > top)?.dataset['seq'] ?? '';
    });
    const before = (await place(seen)) ?? 0;
    const count = await box().getAttribute('data-count');
    await box().evaluate((element) => (element.scrollTop -= 100));
    await until(
      () => box().getAttribute('data-count'),
      (now) => now !== count,
    );
    await until(
      () => place(seen),
      (now) => now !== null && Math.abs(now - before - 100) < 3,
    );
  });

  it('grows while the agent works: at the end it stays at the end, elsewhere it says how much is new', async () => {
    const fake = talks(turns(30));
    await my.open();
    await read();
    await my.page.getByText('prompt 29').waitFor();
    my.daemon.transcripts.say(ID, [says.prompt('and now this')]);
    my.daemon.print(fake.session.id, 'working');
    await my.page.getByText('and now this').waitFor();
    await until(scroll, ({ below }) => below < 2);
    await box().evaluate((element) => (element.scrollTop -= 600));
    await my.win.by('to-end').waitFor();
    const { top } = await scroll();
    my.daemon.transcripts.say(ID, [says.answer('One.'), says.answer('Two.')]);
    my.daemon.change(fake.session.id, { activity: 'Thinking' });
    await my.win.by('fresh').waitFor();
    expect(await my.win.by('fresh').innerText()).toBe('2 new');
    expect((await scroll()).top).toBe(top);
    await my.win.by('to-end').click();
    await my.page.getByText('Two.', { exact: true }).waitFor();
    await until(scroll, ({ below }) => below < 2);
    await my.win.by('to-end').waitFor({ state: 'detached' });
  });

  it('shows a tool’s result in the row of its call, also where that comes later', async () => {
    const fake = talks([says.prompt('go'), says.tool('a', 'Bash', 'make', { command: 'make' })]);
    await my.open();
    await read();
    const tool = my.win.by('tool');
    await tool.getByText('still runs').waitFor();
    await tool.locator('.head').first().click();
    await tool.getByText('There is no result yet.').waitFor();
    my.daemon.transcripts.say(ID, [says.result('a', 'made it', { failed: true })]);
    my.daemon.print(fake.session.id, 'x');
    await tool.getByText('made it').waitFor();
    await tool.getByText('failed', { exact: true }).waitFor();
    expect(await tool.count()).toBe(1);
  });

  it('asks for nothing while all is quiet', async () => {
    const fake = talks(turns(5));
    await my.open();
    await read();
    await my.page.getByText('prompt 4').waitFor();
    // The question that comes late after the last sign has gone out as well.
    await until(reads, (count) => count >= 3);
    const quiet = reads();
    const late = until(
      () => my.daemon.requested('list_conversations').filter(({ params }) => params.id === ID).length,
      (count) => count >= 2,
    );
    await late;
    expect(reads()).toBeLessThanOrEqual(quiet + 1);
    for (let at = 0; at < 30; at += 1) my.daemon.print(fake.session.id, `spin ${at}`);
    await until(reads, (count) => count > quiet);
    expect(reads()).toBeLessThanOrEqual(quiet + 3);
  });
});

describe('what is in it', () => {
  it('never becomes markup of the page, whatever it is', async () => {
    const evil = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>';
    const long = 'x'.repeat(50_000);
    talks([
      says.prompt(`${evil} \u202etxt.exe\u202c`),
      says.answer(`${evil}\n\n[click](javascript:alert) <a href="javascript:alert(1)">a</a>\n\n${long}`),
      says.answer('[https://bank.example](https://evil.example/login) and [docs](https://example.org/a)'),
      says.answer(`\`\`\`html\n${evil}\n\`\`\`\n\n| ${evil} | b |\n|---|---|\n| \u202ec | d |`),
      says.thought(evil),
      says.tool('e', `Bash${evil}`, `rm \u202ecba${evil}`, { [evil]: evil }),
      says.result('e', `${evil}\u202e`),
      says.todos({ text: evil, progress: 'open' }),
      says.note('failed', evil),
      says.image(`image/png${evil}`, 1),
    ]);
    my.daemon.transcripts.about(ID, { title: evil, model: evil });
    await my.open();
    await read();
    await my.win.by('tool').locator('.head').first().click();
    await my.win.by('thought').locator('.head').first().click();
    expect(await my.page.evaluate(() => 'pwned' in window)).toBe(false);
    expect(await my.win.by('transcript').locator('img, script, a[href], iframe').count()).toBe(0);
    const text = await my.win.by('transcript').innerText();
    expect(text).toContain('onerror');
    expect(text).toContain('⟨U+202E⟩');
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    const links = my.win.by('transcript-link');
    expect(await links.allInnerTexts()).toEqual(['https://evil.example/login', 'docs']);
    // A line as long as that makes nothing wider than the pane.
    const { scrollWidth, clientWidth } = await box().evaluate((element) => ({
      scrollWidth: element.scrollWidth,
      clientWidth: element.clientWidth,
    }));
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
  });

  it('has what a subagent did within its tool, and by itself', async () => {
    talks([
      says.prompt('look'),
      says.tool('t', 'Task', 'Find it', { prompt: 'Find it' }),
      says.result('t', 'Found.', { subagent: 'agent-7' }),
    ]);
    my.daemon.transcripts.say(ID, [says.prompt('Find it'), says.answer('It is **here**.')], {
      subagent: 'agent-7',
    });
    await my.open();
    await read();
    const before = reads();
    await my.win.by('tool').locator('.head').first().click();
    await my.win.by('nested').waitFor();
    // Nothing of it is read before it is looked at.
    expect(my.daemon.requested('read_transcript').some(({ params }) => params.subagent !== null)).toBe(false);
    await my.win.by('nested').locator('.head').first().click();
    await my.win.by('nested').getByText('here', { exact: true }).waitFor();
    expect(reads()).toBeGreaterThan(before);
    await my.win.by('inside').click();
    await my.win.by('outside').waitFor();
    await my.win.by('answer').getByText('here', { exact: true }).waitFor();
    expect(await rows().count()).toBe(2);
    await my.win.by('outside').click();
    await my.win.by('tool').waitFor();
  });

  it('is led to by a search, also where a subagent said it, with a transcript of its own or without', async () => {
    const fake = talks([]);
    const made = my.daemon.transcripts.say(ID, [says.prompt('look'), says.answer('an old needle')]);
    for (const entry of made.slice(1)) entry.subagent = 'old';
    my.daemon.transcripts.say(ID, [says.prompt('Find it'), says.answer('a new needle')], { subagent: 'own' });
    my.daemon.library.add({ id: ID, agent: 'claude', title: 'Talk', session: fake.session.id });
    const search = async (text: string) => {
      await my.page.locator('body').press('Control+Shift+S');
      await my.win.type(text);
      await my.page.locator('[data-testid=palette-item][data-kind=entry]').first().click();
    };
    my.daemon.library.said.set(ID, [
      { role: 'prompt', text: 'look' },
      { role: 'answer', text: 'a new needle', subagent: 'own' },
    ]);
    await my.open();
    await my.win.show('talks');
    await search('new needle');
    await my.win.by('outside').waitFor();
    await my.page.locator('.marked').getByText('a new needle').waitFor();
    my.daemon.library.said.set(ID, [
      { role: 'prompt', text: 'look' },
      { role: 'answer', text: 'an old needle', subagent: 'old' },
    ]);
    await search('old needle');
    const marked = my.page.locator('.marked[data-seq="160"]');
    await marked.getByText('Subagent').waitFor();
    await marked.getByText('an old needle').waitFor();
    expect(await my.win.by('outside').count()).toBe(0);
  });

  it('of an earlier conversation of the session can be read still', async () => {
    const fake = talks([says.prompt('after it was cleared')]);
    my.daemon.transcripts.say('before', [says.prompt('what was said before')]);
    const at = (hour: number) => `2026-03-02T1${hour}:00:00Z`;
    my.daemon.transcripts.ledgers.set(fake.session.id, [
      { id: ID, learnt_at: at(2), how: 'hook' },
      { id: 'before', learnt_at: at(1), how: 'hook' },
      { id: 'before', learnt_at: at(0), how: 'launch' },
    ]);
    await my.open();
    await read();
    await my.win.by('ledger').click();
    expect(await my.win.by('ledger-item').count()).toBe(2);
    await my.win.by('ledger-item').nth(1).click();
    await my.win.by('prompt').getByText('what was said before').waitFor();
    expect(await my.win.by('ledger').innerText()).toBe('1 of 2');
    await my.win.by('ledger').click();
    await my.win.by('ledger-item').first().click();
    await my.win.by('prompt').getByText('after it was cleared').waitFor();
  });

  it('tells what it has used, and that it is an estimate', async () => {
    talks([says.prompt('go')]);
    const usage = {
      input: 12_410,
      output: 900,
      cache_read: 70_000,
      cache_write: 0,
      context: 92_000,
      context_size: 200_000,
      cost: 1.184,
      estimated: true,
    };
    my.daemon.transcripts.about(ID, {
      title: 'A title',
      usage,
      unread: '3 records of a kind that is not known',
    });
    await my.open();
    await read();
    await my.win.by('figure-context').waitFor();
    const head = await my.win.by('transcript-head').innerText();
    for (const part of ['A title', '46 %', '$1.18', '12.4k', '900', '70.0k', 'estimate'])
      expect(head).toContain(part);
    expect(await my.win.by('unread').innerText()).toContain('3 records of a kind');
    const numbers = await my.win.by('summary-numbers').innerText();
    for (const part of ['46 %', '12.4k', '$1.18', 'estimate']) expect(numbers).toContain(part);
  });
});

describe('a transcript that cannot be read', () => {
  it('says that nothing is there yet, and comes when it is', async () => {
    const fake = talks([]);
    await my.open();
    await my.win.show('talks');
    await my.win.by('face-transcript').click();
    await my.win.by('nothing-yet').waitFor();
    my.daemon.transcripts.say(ID, [says.prompt('now it is')]);
    my.daemon.print(fake.session.id, 'x');
    await my.win.by('prompt').getByText('now it is').waitFor();
  });

  it('says that it is gone and what is left to do', async () => {
    talks([], { status: 'dead', exit: { how: 'code', code: 0 } });
    await my.open();
    await my.win.row('talks').first().click();
    await my.win.by('face-transcript').click();
    const problem = my.win.by('transcript-problem');
    await problem.waitFor();
    expect(await problem.innerText()).toContain('does not have this conversation any more');
    expect(await my.win.by('ended').isVisible()).toBe(true);
    my.daemon.transcripts.say(ID, [says.prompt('back again')]);
    await my.win.by('transcript-again').click();
    await my.win.by('prompt').getByText('back again').waitFor();
  });

  it('keeps what was read where the rest cannot be', async () => {
    const fake = talks([says.prompt('kept')]);
    await my.open();
    await read();
    my.daemon.transcripts.failures.set(ID, {
      code: 'internal',
      message: 'the transcript cannot be read: EIO',
    });
    my.daemon.print(fake.session.id, 'x');
    await my.win.by('stale').waitFor();
    expect(await my.win.by('stale').innerText()).toContain('EIO');
    await my.win.by('prompt').getByText('kept').waitFor();
    my.daemon.transcripts.failures.clear();
    my.daemon.transcripts.say(ID, [says.answer('And on.')]);
    my.daemon.print(fake.session.id, 'y');
    await my.page.getByText('And on.').waitFor();
    await my.win.by('stale').waitFor({ state: 'detached' });
  });
});

describe('the outline', () => {
  it('has prompts, files, tools and asks, and leads to their places', async () => {
    const fake = talks([]);
    const early = turns(200);
    const made = my.daemon.transcripts.say(ID, [
      ...early,
      says.prompt('the one to find'),
      says.tool('x', 'Edit', 'src/a.rs', { file_path: 'src/a.rs' }, '--- src/a.rs\n+++ src/a.rs\n+1\n+2\n-3'),
      says.result('x', 'ok'),
      ...turns(200, 200),
    ]);
    my.daemon.histories.set(fake.session.id, [
      {
        happened: 'ask',
        at: made[1200]?.at ?? '',
        ask: 'a',
        kind: 'approval',
        text: 'Proceed?',
        about: 'make it',
        ended_at: null,
        outcome: null,
        answer: null,
        answered_by: null,
      },
    ]);
    await my.open();
    await my.win.show('talks');
    await my.win.by('inspector-outline').click();
    await my.win.by('outline-line').filter({ hasText: 'prompt 399' }).waitFor();
    while ((await my.win.by('outline-line').filter({ hasText: 'the one to find' }).count()) === 0) {
      const before = await my.win.by('outline-line').count();
      await my.win.by('outline-earlier').click();
      await until(
        () => my.win.by('outline-line').count(),
        (count) => count > before,
      );
    }
    const file = my.page.locator('[data-testid=outline-line][data-part=files]');
    expect(await file.textContent()).toMatch(/src\/a\.rs\s*\+2 −1/);
    expect(await my.page.locator('[data-testid=outline-line][data-part=tools]').count()).toBe(0);
    await my.win.by('outline-tools').click();
    await my.page.locator('[data-testid=outline-line][data-part=tools]').first().waitFor();
    await my.win.by('outline-line').filter({ hasText: 'the one to find' }).click();
    await my.page.locator('.marked').getByText('the one to find').waitFor();
    await my.win.by('to-end').waitFor();
    await my.page.locator('[data-testid=outline-line][data-part=asks]').click();
    await my.page.locator(`[data-seq="${made[1200]?.seq}"].marked`).waitFor();
  });

  it('says where there is no conversation', async () => {
    my.add({ name: 'shell' }, '$ ');
    await my.open();
    await my.win.show('shell');
    await my.win.by('inspector-outline').click();
    await my.win.by('inspector').getByText('It has no conversation').waitFor();
  });
});

it('shows an ordinary conversation whole', async () => {
  my.add({ name: 'Token refresh', agent: 'claude', status: 'idle' }, 'x');
  spoken(my);
  await my.open();
  await my.win.show('Token refresh');
  await my.win.by('face-transcript').click();
  await my.win.by('todos').waitFor();
  expect(await my.win.by('todos').innerText()).toContain('1 of 4 done');
  expect(await my.win.by('image').innerText()).toContain('Picture (image/png, 178 KB)');
  await my.page.getByRole('table').waitFor();
  await my.win.by('tool').filter({ hasText: 'src/auth/store.rs' }).last().locator('.head').first().click();
  const added = await my.win.by('diff').locator('.line.add').allInnerTexts();
  expect(added.length).toBe(5);
  expect(added[0]).toMatch(/62\s*\+\s*let family/);
});
