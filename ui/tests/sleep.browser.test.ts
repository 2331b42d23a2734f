// Sleep and what sessions take, against a pretended daemon.
import { describe, expect, it } from 'vitest';
import { FakeWindow } from './support/fake-window';

const my = new FakeWindow();

describe('a session', () => {
  it('is put to sleep from its menu, shows its last screen, and wakes by Enter', async () => {
    const { session } = my.add({ name: 'one', agent: 'claude', status: 'idle' }, 'the last screen');
    await my.open();
    await my.win.show('one');
    await my.win.row('one').first().click({ button: 'right' });
    await my.win.by('menu-hibernate').click();
    const bar = my.win.by('ended');
    await bar.waitFor();
    expect(await bar.innerText()).toContain('Asleep');
    expect(await my.win.by('terminal').innerText()).toContain('the last screen');
    await bar.getByTestId('resume').click();
    await bar.waitFor({ state: 'detached' });
    const resumed = my.daemon.requested('resume_session');
    expect(resumed.map(({ params }) => params.session)).toEqual([session.id]);
  });

  it('tells in its details what it takes, and asks for that only while somebody looks', async () => {
    my.add({ name: 'one', agent: 'claude', status: 'idle' }, 'x');
    await my.open();
    await my.win.show('one');
    await my.win.by('inspector-details').click();
    const figures = my.win.by('figures');
    await figures.waitFor();
    expect(await figures.innerText()).toContain('412 MB');
    expect(my.daemon.requested('measure_sessions').length).toBeGreaterThan(0);
    await my.win.by('inspector-summary').click();
    await figures.waitFor({ state: 'detached' });
  });
});
