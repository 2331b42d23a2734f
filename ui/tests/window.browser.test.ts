// The window against a daemon that only pretends: what a real one cannot be made to do on demand.
import { describe, expect, it } from 'vitest';
import { FakeWindow } from './support/fake-window';
import { ready } from './support/page';
import { until } from './support/window';

const my = new FakeWindow();

describe('list', () => {
  it('is walked by keyboard', async () => {
    const home = '/home/dev';
    my.add({ name: 'alpha', cwd: `${home}/a` }, 'alpha');
    const beta = my.add({ name: 'beta', cwd: `${home}/b` }, 'beta screen');
    await my.open();
    await my.win.press('Control+Shift+E');
    await my.win.press('Home', 'ArrowDown', 'ArrowDown', 'ArrowDown');
    expect(await my.page.evaluate(() => document.activeElement?.getAttribute('data-session'))).toBe(
      beta.session.id,
    );
    await my.win.press('Enter');
    await my.win.shows(beta.session.id, 'beta screen');
    await my.win.type('q');
    await until(
      () => my.typed(beta),
      (text) => text === 'q',
    );
    await my.win.press('Control+Shift+E', 'ArrowLeft', 'ArrowLeft');
    await my.win.row('beta').waitFor({ state: 'detached' });
  });

  it('shows how sessions are and how they ended, without words from a program as markup', async () => {
    my.add({ name: '<b>bold</b>', status: 'running', activity: 'npm <i>test</i>' });
    my.add({ name: 'gone', status: 'dead', exit: { how: 'machine_restarted' } });
    my.add({ name: 'shot', status: 'dead', exit: { how: 'signal', signal: 9, name: 'SIGKILL' } });
    my.add({ name: 'seen', unseen: true });
    await my.open();
    expect(await my.win.row('<b>bold</b>').textContent()).toContain('npm <i>test</i>');
    expect(await my.win.row('gone').textContent()).toContain('Machine restarted');
    expect(await my.win.row('shot').textContent()).toContain('Killed by SIGKILL');
    expect(await my.win.row('seen').getAttribute('data-status')).toBe('done');
    expect(await my.win.by('count-done').textContent()).toContain('1');
  });

  it('says what each does, in the list, on the tab and at the foot, and for how long', async () => {
    const since = new Date(Date.now() - 48_000).toISOString();
    my.add({ name: 'busy', agent: 'claude', status: 'running', activity: 'Running npm test', since });
    my.add({ name: 'stuck', agent: 'codex', status: 'blocked', reason: 'usage limit, resets 15:30' });
    my.add({ name: 'over', agent: 'codex', unseen: true, branch: 'main' });
    my.add({ name: 'dark', agent: 'gemini', status: 'unknown' });
    await my.open();
    expect(await my.win.row('busy').textContent()).toMatch(/Running npm test\s· (4[89]|5\d) s/);
    expect(await my.win.row('stuck').textContent()).toContain('Blocked: usage limit, resets 15:30');
    expect(await my.win.row('over').textContent()).toContain('Done · unseen · Codex · main');
    expect(await my.win.row('dark').textContent()).toContain('Unknown · Gemini CLI');
    const id = await my.win.show('busy');
    expect(await my.win.by('foot-status').textContent()).toMatch(/Running npm test\s· \d+ (s|min)/);
    expect(await my.win.by('tab').getAttribute('title')).toContain('Running npm test');
    // What it does next began just now, whatever the status did.
    my.daemon.change(id, { activity: 'Editing src/a.rs' });
    await until(
      () => my.win.row('busy').textContent(),
      (text) => /Editing src\/a\.rs\s· \d s/.test(text ?? ''),
    );
  });

  it('with 300 sessions keeps up with changes', async () => {
    for (let at = 0; at < 300; at += 1)
      my.add({ name: `session ${at}`, cwd: `/home/dev/src/p${at % 12}` }, `screen ${at}`);
    await my.open();
    // What is out of sight is not in the document.
    expect(await my.win.by('session-row').count()).toBeLessThan(40);
    const first = (await my.win.by('session-row').first().getAttribute('data-session'))!;
    for (let at = 0; at < 600; at += 1) {
      const fake = [...my.daemon.sessions.values()][at % 300]!;
      my.daemon.change(fake.session.id, { activity: `step ${at}`, status: 'running' });
    }
    my.daemon.change(first, { activity: 'the last step' });
    await until(
      () => my.win.by('session-row').first().textContent(),
      (text) => text?.includes('the last step') ?? false,
    );
  });
});

describe('panes', () => {
  it('split by a click with Ctrl, are resized by their divider, and come back after a reload', async () => {
    const left = my.add({ name: 'left' }, 'left');
    my.add({ name: 'right' }, 'right');
    await my.open();
    await my.win.show('left');
    await my.win.show('right', { modifiers: ['Control'] });
    expect(await my.win.by('pane').count()).toBe(2);
    const cols = await until(
      () => left.size.cols,
      (size) => size < 80,
    );
    const box = (await my.win.by('divider').boundingBox())!;
    await my.page.mouse.move(box.x, box.y + 200);
    await my.page.mouse.down();
    await my.page.mouse.move(box.x + 200, box.y + 200, { steps: 4 });
    await my.page.mouse.up();
    await until(
      () => left.size.cols,
      (size) => size > cols + 15,
    );
    await until(
      () => JSON.stringify(my.daemon.settings.get('window.main.layout') ?? ''),
      (stored) => /"shares":\[0\.[67]/.test(stored),
    );
    await my.page.reload();
    await ready(my.page);
    expect(await my.win.by('pane').count()).toBe(2);
    await my.win.press('Control+Shift+ArrowLeft', 'Control+Shift+W');
    expect(await my.win.by('pane').count()).toBe(1);
  });

  it('take tabs, which keys and a middle click move and close', async () => {
    for (const name of ['a1', 'a2', 'a3']) my.add({ name }, name);
    await my.open();
    await my.win.show('a1');
    await my.win.row('a2').click({ button: 'middle' });
    await my.win.row('a3').click({ button: 'middle' });
    expect(await my.win.by('tab').count()).toBe(3);
    await my.win.press('Control+Shift+PageDown');
    expect(await my.page.locator('[data-testid=tab][aria-selected=true]').textContent()).toContain('a1');
    await my.win.by('tab').filter({ hasText: 'a2' }).click({ button: 'middle' });
    expect(await my.win.by('tab').count()).toBe(2);
    await my.win.press('Control+Shift+Enter');
    expect(await my.win.by('pane').count()).toBe(2);
  });
});

it('keeps the keyboard where it is when another pane goes away', async () => {
  const stays = my.add({ name: 'stays' }, '');
  const goes = my.add({ name: 'goes' }, '');
  await my.open();
  await my.win.show('goes');
  await my.win.show('stays', { modifiers: ['Control'] });
  await my.win.type('a');
  await expect.poll(() => my.typed(stays)).toBe('a');
  my.daemon.sessions.delete(goes.session.id);
  my.daemon.event({ event: 'session_removed', id: goes.session.id });
  await until(
    () => my.win.by('pane').count(),
    (count) => count === 1,
  );
  await my.win.type('b');
  await expect.poll(() => my.typed(stays)).toBe('ab');
});

it('keeps the keyboard in the focused pane when it gets narrow and wide again', async () => {
  const other = my.add({ name: 'other' }, '');
  const front = my.add({ name: 'front' }, '');
  await my.open({ width: 1280, height: 800 });
  await my.win.show('other');
  await my.win.show('front', { modifiers: ['Control'] });
  await my.page.setViewportSize({ width: 700, height: 800 });
  await my.win.by('bottom-bar').waitFor();
  await my.win.type('n');
  await expect.poll(() => my.typed(front)).toBe('n');
  await my.page.setViewportSize({ width: 1280, height: 800 });
  await my.win.by('status-bar').waitFor();
  await my.win.type('w');
  await expect.poll(() => my.typed(front)).toBe('nw');
  // Also from a place that only a wide window has.
  await my.win.press('Control+Shift+E');
  await my.page.setViewportSize({ width: 700, height: 800 });
  await my.win.by('bottom-bar').waitFor();
  await my.win.type('l');
  await expect.poll(() => my.typed(front)).toBe('nwl');
  expect(my.typed(other)).toBe('');
});

describe('connection', () => {
  it('comes back by itself, with a calm notice meanwhile', async () => {
    const fake = my.add({ name: 'lasting' }, 'screen before');
    await my.open();
    const id = await my.win.show('lasting');
    my.daemon.disconnect(true);
    await my.win.by('reconnect-notice').waitFor();
    await my.win.shows(id, 'screen before');
    fake.screen = 'screen after';
    my.daemon.up();
    await my.win.shows(id, 'screen after');
    await my.win.by('reconnect-notice').waitFor({ state: 'detached' });
    await my.win.type('k');
    await until(
      () => my.typed(fake),
      (text) => text === 'k',
    );
  });

  it('tells the colours of the theme, and again when it changes', async () => {
    my.add({ name: 'x' });
    await my.open();
    const dark = () => my.daemon.requested('set_colors').map(({ params }) => params.dark);
    await until(dark, (list) => list.at(-1) === true);
    await my.page.emulateMedia({ colorScheme: 'light' });
    await until(dark, (list) => list.at(-1) === false);
    const { params } = my.daemon.requested('set_colors').at(-1)!;
    expect(params.background).toBe('#eef0f3');
    expect(params.ansi).toHaveLength(16);
  });
});

describe('new session', () => {
  it('offers what is here, and says how the rest is installed', async () => {
    await my.open();
    await my.win.press('Control+Shift+N');
    expect(await my.win.by('agent-claude').getAttribute('aria-checked')).toBe('true');
    await my.win.by('agent-aider').click();
    expect(await my.win.by('install-hint').textContent()).toContain('pipx install aider-chat');
    await my.win.by('prompt').fill('Fix it\nwell');
    await my.win.by('more-options').click();
    await my.win.by('args').fill("--flag 'two words'");
    await my.win.by('env').fill('TOKEN=a b');
    await my.win.by('private').check();
    await my.win.by('prompt').press('Enter');
    await my.win.by('new-session-dialog').waitFor({ state: 'detached' });
    const { params } = my.daemon.requested('new_session').at(-1)!;
    expect(params).toMatchObject({
      agent: 'claude',
      prompt: 'Fix it\nwell',
      args: ['--flag', 'two words'],
      env: [{ name: 'TOKEN', value: 'a b' }],
      private: true,
    });
  });

  it('keeps what was typed when it is left, until it is started', async () => {
    await my.open();
    await my.win.press('Control+Shift+N');
    // Nothing in it yet: a click outside closes it.
    await my.page.mouse.click(5, 400);
    await my.win.by('new-session-dialog').waitFor({ state: 'detached' });
    await my.win.press('Control+Shift+N');
    await my.win.by('directory').fill('~/src/ledger');
    await my.win.by('name').fill('draft');
    await my.win.by('prompt').fill('A long thought');
    await my.page.mouse.click(5, 400);
    expect(await my.win.by('prompt').inputValue()).toBe('A long thought');
    await my.win.press('Escape');
    await my.win.by('new-session-dialog').waitFor({ state: 'detached' });
    await my.win.press('Control+Shift+N');
    expect(await my.win.by('prompt').inputValue()).toBe('A long thought');
    expect(await my.win.by('name').inputValue()).toBe('draft');
    expect(await my.win.by('directory').inputValue()).toBe('~/src/ledger');
    await my.win.by('prompt').press('Enter');
    await my.win.by('new-session-dialog').waitFor({ state: 'detached' });
    expect(my.daemon.requested('new_session').at(-1)?.params.prompt).toBe('A long thought');
    await my.win.press('Control+Shift+N');
    expect(await my.win.by('prompt').inputValue()).toBe('');
    expect(await my.win.by('name').inputValue()).toBe('');
    await my.win.by('name').fill('gone');
    await my.win.by('start-over').click();
    expect(await my.win.by('name').inputValue()).toBe('');
  });

  it('completes directories by Tab and offers recent ones', async () => {
    await my.open();
    await my.win.press('Control+Shift+N');
    await my.win.by('agent-shell').click();
    await my.win.by('directory').fill('~/src/st');
    await my.win.by('directories').waitFor();
    await my.win.press('Tab');
    expect(await my.win.by('directory').inputValue()).toBe('~/src/storefront/');
    await my.win.by('directory').fill('');
    await my.page.getByText('Recent', { exact: true }).waitFor();
    await my.win.press('ArrowDown', 'ArrowDown', 'Enter');
    expect(await my.win.by('directory').inputValue()).toBe('~/src/ledger');
    await my.win.press('Enter');
    await my.win.by('new-session-dialog').waitFor({ state: 'detached' });
    expect(my.daemon.requested('new_session').at(-1)?.params.cwd).toBe('~/src/ledger');
  });

  it('keeps what was typed when it fails, and says why beside it', async () => {
    my.daemon.failures.set('new_session', {
      code: 'no_private_storage',
      message: 'There is no memory-backed storage here.',
    });
    await my.open();
    await my.win.press('Control+Shift+N');
    await my.win.by('name').fill('kept');
    await my.win.by('name').press('Enter');
    await my.page.getByText('There is no memory-backed storage here.').waitFor();
    expect(await my.win.by('name').inputValue()).toBe('kept');
  });
});

describe('narrow window', () => {
  it('has one pane, a drawer and a bottom bar', async () => {
    my.add({ name: 'first' }, 'first screen');
    my.add({ name: 'second' }, 'second screen');
    await my.open({ width: 480, height: 800 });
    await my.win.by('open-drawer').click();
    const first = await my.win.show('first');
    await my.win.by('sidebar').waitFor({ state: 'detached' });
    await my.win.by('open-drawer').click();
    await my.win.row('second').click({ button: 'middle' });
    await my.win.shows(first, 'first screen');
    await my.win.by('bottom-bar').getByText('first').click();
    expect(await my.win.by('pane').count()).toBe(1);
    expect(await my.page.evaluate(() => document.documentElement.scrollWidth)).toBe(480);
  });
});
