import type { Preparing, WorkspaceRules } from '../../src/lib/client/generated/protocol';
import type { FakeWindow } from './fake-window';
import { branches, losses, scripts } from './fake-workspaces';
import type { Scene } from './scenes';

export const RULES: WorkspaceRules = {
  setup: 'npm ci\nnpm run generate',
  teardown: 'docker compose down',
  run: [
    { name: 'dev', command: 'npm run dev -- --port $BELFRY_PORT' },
    { name: 'test', command: 'npm test -- --watch' },
  ],
  copy: ['.env.local'],
  link: ['node_modules'],
};

/** The session of that name. */
export function named({ daemon }: FakeWindow, name: string) {
  const found = [...daemon.sessions.values()].find(({ session }) => session.name === name);
  if (!found) throw new Error(`no session ${name}`);
  return found.session;
}

/** A session whose workspace is not ready. */
export function prepares(my: FakeWindow, name: string, state: Preparing['state'], line: string | null): void {
  const { id } = named(my, name);
  my.daemon.change(id, {
    status: 'starting',
    activity: null,
    workspace: 'worktree',
    preparing: { state, line, prompt_waits: true },
  });
}

/** A session with commands beside it. */
export function runsBeside(my: FakeWindow, name: string): void {
  const { daemon } = my;
  const { id, cwd, project, group } = named(my, name);
  daemon.workspaces.scripts = scripts({ rules: RULES, hash: 'h' });
  const part = { cwd, project, group, status: 'running' as const };
  my.add(
    { name: 'dev', ...part, runs_for: { session: id, name: 'dev' }, listening: [41_010, 41_011] },
    'ready',
  );
}

/** A page full of workspaces of every kind. */
export function manyWorkspaces(my: FakeWindow): void {
  const { daemon } = my;
  const token = named(my, 'Token refresh');
  const cart = named(my, 'Cart totals');
  const { workspaces } = daemon;
  const first = workspaces.add({
    branch: 'auth/refresh',
    path: '/home/dev/worktrees/storefront-auth-refresh',
    sessions: [token.id],
  });
  daemon.change(token.id, { workspace: 'worktree', workspace_id: first.id });
  workspaces.add({ branch: 'cart/totals', kind: 'clone', sessions: [cart.id] });
  workspaces.add({ branch: 'old-idea' });
  const dirty = workspaces.add({ branch: 'half-done', notice: 'Its setup script failed twice.' });
  workspaces.add({
    branch: null,
    kind: 'scratch',
    base: null,
    repository: null,
    path: '/home/dev/scratch/notes',
  });
  workspaces.add({
    branch: 'by-hand',
    id: null,
    base: null,
    ports: null,
    path: '/home/dev/src/storefront-hand',
  });
  workspaces.add({
    branch: 'gone',
    state: { is: 'removed', until: new Date(Date.now() + 20 * 3_600_000).toISOString() },
  });
  workspaces.losses.set(
    dirty.id ?? '',
    losses({
      path: dirty.path,
      uncommitted: {
        count: 3,
        bytes: 18_200,
        first: ['src/auth/store.rs', 'src/auth/handler.rs', 'Cargo.toml'],
      },
      untracked: { count: 62, bytes: 2_400_000, first: ['notes.md', 'fixtures/'] },
      ignored: { count: 1, bytes: 220, first: ['.env.test'] },
      unpushed: ['4f1c2aa Store families of refresh tokens', '9b20e11 Begin with the store'],
      unpushed_count: 2,
      stashes: ['WIP on half-done: try the other table'],
    }),
  );
}

/** Scenes of workspaces; `usual` is what there is before. */
export function workspaceScenes(usual: (my: FakeWindow) => void): Scene[] {
  const day = (more: (my: FakeWindow) => void) => (my: FakeWindow) => {
    usual(my);
    more(my);
  };
  const describing = async ({ win }: FakeWindow) => {
    await win.press('Control+Shift+N');
    await win.by('where-worktree').click();
    await win.by('prompt').fill('Rotate refresh tokens and revoke the old family on reuse');
    await win.by('base').fill('origin/relese');
    await win.by('base-error').waitFor();
  };
  return [
    {
      name: 'new-session-worktree',
      day: day(({ daemon }) => void (daemon.workspaces.branches = branches({ warm: true }))),
      act: describing,
    },
    {
      name: 'new-session-scripts',
      day: day(({ daemon }) => {
        daemon.workspaces.branches = branches({ changed: 3 });
        daemon.workspaces.scripts = scripts({ rules: RULES, hash: 'h', trusted: false });
      }),
      act: async ({ win }) => {
        await win.press('Control+Shift+N');
        await win.by('where-worktree').click();
        await win.by('scripts-read').click();
        await win.by('rules').waitFor();
      },
    },
    { name: 'narrow-new-session-worktree', width: 480, height: 800, day: day(() => {}), act: describing },
    { name: 'zoomed-new-session-worktree', width: 400, height: 400, day: day(() => {}), act: describing },
    {
      name: 'new-session-no-repository',
      day: day(({ daemon }) => {
        const repository = { repository: null, remote: null, names: [], taken: [], base: null };
        daemon.workspaces.branches = branches(repository);
      }),
      act: async ({ win }) => {
        await win.press('Control+Shift+N');
        await win.by('where-missing').waitFor();
      },
    },
    {
      name: 'fetching',
      act: async ({ win, daemon }) => {
        for (const name of ['ledger-next', 'gone']) {
          await win.by('add-project').click();
          await win.by('directory').fill(`https://github.com/acme/${name}.git`);
          await win.by('clone-into').waitFor();
          await win.press('Enter');
          await win.by('cloning').filter({ hasText: name }).waitFor();
        }
        const [first, second] = daemon.workspaces.clonings.keys();
        daemon.workspaces.clone(first ?? '', { step: 'Receiving objects', percent: 41 });
        const error = {
          code: 'git' as const,
          message: 'The repository was not found, or is not yours to read',
        };
        daemon.workspaces.clone(second ?? '', { end: { how: 'failed', error } });
        await win.by('cloning-retry').waitFor();
      },
    },
    {
      name: 'add-address',
      act: async ({ win }) => {
        await win.by('add-project').click();
        await win.by('directory').fill('git@github.com:acme/storefront.git');
        await win.by('clone-into').waitFor();
      },
    },
    ...(
      [
        ['workspaces', undefined, undefined],
        ['narrow-workspaces', 480, 800],
        ['zoomed-workspaces', 720, 450],
      ] as const
    ).map(([name, width, height]): Scene => ({
      name,
      ...(width && { width, height }),
      day: day(manyWorkspaces),
      act: async ({ win, page }) => {
        await win.press('Alt+Shift+W');
        await win.by('workspace-row').first().waitFor();
        await page.waitForFunction(() => document.body.innerText.includes('in all'));
      },
    })),
    {
      name: 'remove-workspace',
      day: day(manyWorkspaces),
      act: async ({ win }) => {
        await win.press('Alt+Shift+W');
        await win.by('workspace-row').filter({ hasText: 'half-done' }).click();
        await win.by('workspace-remove').click();
        await win.by('loss-untracked').waitFor();
      },
    },
    {
      name: 'delete-with-workspace',
      day: day(manyWorkspaces),
      act: async ({ win }) => {
        await win.row('Token refresh').first().click({ button: 'right' });
        await win.by('menu-delete').click();
        await win.by('delete-session').waitFor();
      },
    },
    {
      name: 'run',
      day: day((my) => runsBeside(my, 'Token refresh')),
      act: async ({ win }) => {
        await win.show('Token refresh');
        await win.by('run-port').first().waitFor();
      },
    },
    {
      name: 'run-menu',
      day: day((my) => runsBeside(my, 'Token refresh')),
      act: async ({ win }) => {
        await win.show('Token refresh');
        await win.row('Token refresh').first().click({ button: 'right' });
        await win.by('menu-run').click();
        await win.by('menu-run-dev').click();
        await win.by('run-open').first().waitFor();
      },
    },
    ...(
      [
        ['project-settings', undefined, undefined],
        ['narrow-project-settings', 480, 800],
        ['zoomed-project-settings', 720, 450],
      ] as const
    ).map(([name, width, height]): Scene => ({
      name,
      ...(width && { width, height }),
      day: day(({ daemon }) => {
        daemon.workspaces.scripts = scripts({ rules: RULES, hash: 'h', trusted: false });
        const [shop] = daemon.tree.projects.values();
        if (!shop) return;
        const rules = { ...RULES, setup: 'pnpm install', copy: [], link: [], warm: 'agent' as const };
        daemon.tree.projects.set(shop.id, { ...shop, defaults: { workspace: 'worktree', rules } });
      }),
      act: async ({ win, page }) => {
        if (width && width < 720) await win.by('open-drawer').click();
        await page.locator('[data-testid=section]').first().click({ button: 'right' });
        await win.by('project-defaults').click();
        await win.by('rules-read').waitFor();
        await win.by('rule-run-add').scrollIntoViewIfNeeded();
      },
    })),
    {
      name: 'settings-workspaces',
      act: async ({ win }) => {
        await win.by('open-settings').click();
        await win.by('settings-workspaces').click();
        await win.by('workspace-kind-worktree').waitFor();
      },
    },
    {
      name: 'preparing',
      day: day((my) =>
        prepares(my, 'Cart totals', { is: 'setting_up', session: null }, 'added 212 packages, 3 to go'),
      ),
      act: async ({ win }) => {
        await win.row('Cart totals').first().click();
        await win.by('preparing').waitFor();
      },
    },
    {
      name: 'preparing-failed',
      day: day((my) =>
        prepares(
          my,
          'Cart totals',
          { is: 'setup_failed', why: 'npm ci left with 1.' },
          'npm error code E401',
        ),
      ),
      act: async ({ win }) => {
        await win.row('Cart totals').first().click();
        await win.by('preparing').waitFor();
      },
    },
    {
      name: 'scripts',
      day: day((my) => {
        prepares(my, 'Cart totals', { is: 'untrusted' }, null);
        const before = { ...RULES, setup: 'npm ci', teardown: '' };
        my.daemon.workspaces.scripts = scripts({ rules: RULES, hash: 'h', trusted: false, before });
      }),
      act: async ({ win }) => {
        await win.row('Cart totals').first().click();
        await win.by('preparing-review').click();
        await win.by('rules').waitFor();
      },
    },
  ];
}

export const WORKSPACES_MIRRORED: readonly string[] = [
  'new-session-worktree',
  'workspaces',
  'remove-workspace',
  'preparing',
  'scripts',
];
