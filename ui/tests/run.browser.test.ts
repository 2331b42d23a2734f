// Commands that run beside agents; against a pretended daemon.
import { beforeEach, describe, expect, it } from 'vitest';
import { FakeWindow } from './support/fake-window';
import { scripts } from './support/fake-workspaces';
import { RULES } from './support/scenes-workspaces';

const my = new FakeWindow();
const asked = () => my.daemon.workspaces;
let agent: string;

beforeEach(() => {
  const project = my.daemon.tree.addProject('storefront');
  agent = my.add({ name: 'Token refresh', agent: 'claude', project: project.id }).session.id;
  asked().scripts = scripts({ rules: RULES, hash: 'h' });
});

const rowOf = (name: string) => my.page.locator(`[data-testid=session-row]:has(.t:text-is("${name}"))`);
const strip = (name: string) => my.page.locator('[data-testid=run-row]', { hasText: name });

describe('a command beside an agent', () => {
  it('is started, looked at, opened and stopped in the inspector, and listed under the agent', async () => {
    await my.open();
    await my.win.row('Token refresh').first().click();
    await strip('dev').getByTestId('run-start').click();
    const row = rowOf('dev');
    await row.waitFor();
    expect(Number(await row.getAttribute('aria-level'))).toBe(3);
    expect(await my.win.by('session-count').innerText()).toContain('1 session');
    expect(asked().requested('run')).toEqual([{ do: 'run', session: agent, name: 'dev' }]);
    const id = [...my.daemon.sessions.keys()].at(-1)!;
    my.daemon.change(id, { listening: [41_010] });
    await my.page.evaluate(() => {
      window.open = (address) => {
        document.title = String(address);
        return null;
      };
    });
    await strip('dev').getByTestId('run-port').click();
    await expect.poll(() => my.page.title()).toBe('http://localhost:41010/');
    await strip('dev').getByTestId('run-output').click();
    await my.win.terminal(id).waitFor();
    await strip('dev').getByTestId('run-restart').click();
    await expect.poll(() => asked().requested('run')).toHaveLength(2);
    const again = [...my.daemon.sessions.keys()].at(-1)!;
    await strip('dev').getByTestId('run-stop').click();
    await expect
      .poll(() => my.daemon.requested('kill_session').map(({ params }) => params.session))
      .toEqual([id, again]);
    await strip('dev').getByTestId('run-start').waitFor();
  });

  it('is started from the menu by keys, once its scripts are trusted', async () => {
    asked().scripts = scripts({ rules: RULES, hash: 'h', trusted: false });
    asked().failures.set('run', { code: 'untrusted', message: 'not trusted' });
    await my.open();
    await my.win.row('Token refresh').first().click({ button: 'right' });
    await my.win.by('menu-run').click();
    await my.win.by('menu-run-test').click();
    await my.win.by('scripts-trust').waitFor();
    asked().failures.clear();
    await my.win.by('scripts-trust').click();
    await expect.poll(() => asked().requested('run')).toHaveLength(2);
    await rowOf('test').waitFor();
    await rowOf('test').click({ button: 'right' });
    await my.win.by('run-stop').click();
    await expect.poll(() => my.daemon.requested('kill_session')).toHaveLength(1);
  });
});
