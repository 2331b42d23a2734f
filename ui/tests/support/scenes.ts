// The window in every state that a person meets: for pictures, and for what is checked on all of them.
import type { Happened, Notification, Status } from '../../src/lib/client/generated/protocol';
import { ask, choice } from './asks';
import { local } from './elsewhere';
import { extremeDay, NAMES } from './extremes';
import type { FakeWindow } from './fake-window';
import { CHANGES_MIRRORED, changesScenes } from './scenes-changes';
import { REPLAY_MIRRORED, replayScenes } from './scenes-replay';
import { TRANSCRIPT_MIRRORED, transcriptScenes } from './scenes-transcript';
import { LIBRARY_MIRRORED, libraryScenes } from './scenes-library';
import { sleepScenes } from './scenes-sleep';
import { WORKSPACES_MIRRORED, workspaceScenes } from './scenes-workspaces';

const MINUTE = 60_000;
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();

const WORK = [
  '\x1b[2m~/worktrees/storefront-auth-refresh\x1b[m',
  '',
  '\x1b[1m›\x1b[m rotate refresh tokens and revoke the old family on reuse',
  '',
  '\x1b[34m●\x1b[m I’ll start with the store, then the handler.',
  '',
  '\x1b[32m●\x1b[m \x1b[1mRead\x1b[m src/auth/store.rs \x1b[2m(184 lines)\x1b[m',
  '\x1b[32m●\x1b[m \x1b[1mEdit\x1b[m src/auth/store.rs',
  '   61    fn rotate(&mut self, id: TokenId) -> Result<Token> {',
  '   62 -\x1b[31m      self.tokens.remove(&id);\x1b[m',
  '   62 +\x1b[32m      let family = self.family_of(id)?;\x1b[m',
  '   63 +\x1b[32m      if self.is_spent(id) {\x1b[m',
  '   64 +\x1b[32m          return Err(Error::Reused);\x1b[m',
  '',
  '\x1b[33m╭─ Run a command ────────────────────────────────────╮\x1b[m',
  '\x1b[33m│\x1b[m  cargo test -p auth -- --ignored                    \x1b[33m│\x1b[m',
  '\x1b[33m│\x1b[m  \x1b[1m› 1. Yes\x1b[m                                           \x1b[33m│\x1b[m',
  '\x1b[33m│\x1b[m    2. Yes, and do not ask again for cargo test      \x1b[33m│\x1b[m',
  '\x1b[33m│\x1b[m    3. No, tell it what to do instead                \x1b[33m│\x1b[m',
  '\x1b[33m╰────────────────────────────────────────────────────╯\x1b[m',
].join('\r\n');

const TESTS = [
  '$ npm test -- payment --repeat 50',
  '',
  ' \x1b[32mPASS\x1b[m payment/refund.test.ts \x1b[2m(1.2 s)\x1b[m',
  ' \x1b[32mPASS\x1b[m payment/capture.test.ts \x1b[2m(0.9 s)\x1b[m',
  ' \x1b[33mRUNS\x1b[m payment/webhook.test.ts 31 of 50',
].join('\r\n');

/** Sessions as on a usual day: some work, some wait, one is blocked. */
export function usualDay(my: FakeWindow): void {
  const { tree } = my.daemon;
  const storefront = tree.addProject('storefront');
  const ledger = tree.addProject('ledger');
  const checkout = tree.addGroup(storefront, 'Checkout', { color: 'teal' });
  const at = (path: string) => ({ cwd: `/home/dev/src/${path}` });
  const inShop = { ...at('storefront'), project: storefront.id };
  const inLedger = { ...at('ledger'), project: ledger.id };
  const run = ask({
    id: 'run',
    opened_at: ago(40_000),
    text: 'Do you want to run this command?',
    detail: { command: 'cargo test -p auth -- --ignored', path: null, url: null, tool: 'Bash', body: null },
    choices: [
      choice('1', { label: 'Allow once' }),
      choice('2', { label: 'Allow for this session' }),
      choice('3', { label: 'Deny and reply', refuses: true, takes_text: true }),
    ],
  });
  const format = ask({
    id: 'format',
    opened_at: ago(3 * MINUTE),
    kind: 'question',
    approves: null,
    text: 'Which file format should the export use?',
    choices: [choice('1', { label: 'CSV' }), choice('2', { label: 'Parquet' })],
    takes_text: true,
  });
  const waiting = { status: 'waiting', agent: 'claude' } as const;
  my.add(
    {
      name: 'Token refresh',
      ...waiting,
      ...inShop,
      group: checkout.id,
      branch: 'auth/refresh',
      ask: run,
      since: ago(40_000),
      pinned: true,
      model: 'opus',
    },
    WORK,
  );
  my.add(
    {
      name: 'Cart totals',
      agent: 'claude',
      status: 'running',
      activity: 'Editing src/cart/total.rs',
      ...inShop,
      group: checkout.id,
      since: ago(6 * MINUTE),
      branch: 'cart/totals',
    },
    'totals are off by one cent on split tax',
  );
  my.add(
    {
      name: 'Flaky payment test',
      status: 'running',
      activity: 'Running npm test',
      ...inShop,
      group: checkout.id,
      since: ago(2 * MINUTE),
      queued: 2,
    },
    TESTS,
  );
  my.add({
    name: 'Image resizing',
    agent: 'codex',
    status: 'idle',
    unseen: true,
    ...inShop,
    since: ago(20_000),
  });
  my.add({
    name: 'Release notes',
    agent: 'codex',
    ...inShop,
    branch: 'main',
    since: ago(60 * MINUTE),
    muted: true,
  });
  my.add({
    name: 'Conductor: Q3 import',
    agent: 'claude',
    status: 'running',
    activity: 'Thinking',
    ...inLedger,
    since: ago(18 * MINUTE),
  });
  my.add({
    name: 'Billing export',
    ...waiting,
    agent: 'opencode',
    ...inLedger,
    ask: format,
    since: ago(3 * MINUTE),
  });
  my.add({
    name: 'Upgrade axum',
    agent: 'codex',
    status: 'blocked',
    reason: 'Rate limit reached, resets 15:30',
    ...inLedger,
    since: ago(12 * MINUTE),
  });
  my.add({
    name: 'Old migration',
    agent: 'gemini',
    status: 'dead',
    exit: { how: 'machine_restarted' },
    ...inLedger,
  });
  my.add({ name: 'notes', ...at('blog') });
  remember(my);
}

/** What the session in front has done so far. */
function remember(my: FakeWindow): void {
  const all = [...my.daemon.sessions.values()];
  const fake = all.find(({ session }) => session.name === 'Token refresh');
  if (!fake) return;
  fake.session.created_at = ago(26 * MINUTE);
  const status = (minutes: number, from: Status, to: Status, reason: string | null): Happened => ({
    happened: 'status',
    at: ago(minutes * MINUTE),
    from,
    to,
    reason,
    source: 'screen',
    what: '',
  });
  my.daemon.histories.set(fake.session.id, [
    status(0.7, 'running', 'waiting', 'approve `cargo test -p auth -- --ignored`'),
    status(6, 'waiting', 'running', 'Editing src/auth/store.rs'),
    {
      happened: 'ask',
      at: ago(9 * MINUTE),
      ask: 'before',
      kind: 'plan',
      text: 'Carry out this plan?',
      about: null,
      ended_at: ago(6 * MINUTE),
      outcome: 'answered',
      answer: 'Yes',
      answered_by: 'person',
    },
    status(9, 'running', 'waiting', 'approve its plan'),
    status(25, 'starting', 'running', 'Reading src/auth'),
  ]);
}

/** What called the person on that day. */
function calls(my: FakeWindow): void {
  const of = (name: string) => [...my.daemon.sessions.values()].find((one) => one.session.name === name);
  const call = (serial: number, name: string, part: Partial<Notification>): Notification => ({
    id: `0190000${serial}-0000-7000-8000-000000000000`,
    session: of(name)?.session.id ?? null,
    kind: 'done',
    title: name,
    text: '',
    ask: null,
    at: ago(MINUTE),
    read: false,
    over: false,
    quiet: false,
    many: false,
    sound: true,
    ...part,
  });
  my.daemon.notifications.push(
    call(0, 'Upgrade axum', {
      kind: 'blocked',
      text: 'Rate limit reached, resets 15:30',
      at: ago(12 * MINUTE),
    }),
    call(1, 'Image resizing', { text: 'Its turn is over.', at: ago(20_000) }),
    call(2, 'Token refresh', {
      kind: 'waiting',
      text: 'cargo test -p auth -- --ignored',
      at: ago(40_000),
      ask: { id: 'run', fingerprint: 'f', allow: '1', deny: '3' },
    }),
  );
}

/** Sessions that run elsewhere on the machine, and more than one that the machine's restart has ended. */
function elsewhere(my: FakeWindow): void {
  usualDay(my);
  local(my, 'blog', 'tmux main:1.0', ['screen', 'adopt', 'end'], {
    status: 'running',
    activity: 'Editing posts/bells.md',
    created_at: ago(9 * MINUTE),
  });
  local(my, 'a-shop-with-a-long-name-in-a-deep-directory', 'another terminal (pts/4)', ['end'], {
    status: 'waiting',
    reason: 'permission prompt',
    created_at: ago(70 * MINUTE),
  });
  my.add({ name: 'Second migration', agent: 'claude', status: 'dead', exit: { how: 'machine_restarted' } });
}

/** A question that cannot be answered from here until what is in the way is gone. */
function hindered(my: FakeWindow): void {
  usualDay(my);
  my.add({
    name: 'Half typed',
    agent: 'claude',
    status: 'waiting',
    cwd: '/home/dev/src/blog',
    since: ago(MINUTE),
    ask: ask({
      id: 'half',
      opened_at: ago(MINUTE),
      text: 'Which colour?',
      kind: 'question',
      approves: null,
      answerable: false,
      obstacle: 'Something is typed into it already: send that, or take it away in the terminal.',
      choices: [choice('1', { label: 'Red' }), choice('2', { label: 'Blue' })],
    }),
  });
}

/** Many sessions in many states. */
export function manySessions(my: FakeWindow, count = 50): void {
  usualDay(my);
  const statuses = ['running', 'idle', 'idle', 'running', 'unknown', 'starting', 'dead'] as const;
  for (let n = my.daemon.sessions.size; n < count; n += 1) {
    const status = statuses[n % statuses.length] ?? 'idle';
    my.add({
      name: `Task ${n}: ${['port the parser', 'tidy imports', 'write docs', 'fix the build'][n % 4]}`,
      agent: ['claude', 'codex', 'opencode', 'gemini', 'aider', 'shell'][n % 6] ?? 'shell',
      status,
      exit: status === 'dead' ? { how: 'code', code: n % 3 } : null,
      unseen: n % 5 === 0,
      activity: status === 'running' ? 'Running cargo test' : null,
      cwd: `/home/dev/src/service-${n % 7}`,
      since: ago(n * MINUTE),
    });
  }
}

export interface Scene {
  name: string;
  width?: number;
  height?: number;
  /** From right to left. */
  rtl?: boolean;
  /** What is there before the window opens. */
  day?: (my: FakeWindow) => void;
  /** What the person does then. */
  act?: (my: FakeWindow) => Promise<void>;
}

const settings = (page: string): Scene => ({
  name: `settings-${page}`,
  act: async ({ win }) => {
    await win.by('open-settings').click();
    await win.by(`settings-${page}`).click();
  },
});

const inspector = (tab: string): Scene => ({
  name: `inspector-${tab.toLowerCase()}`,
  act: async ({ win, page }) => {
    await win.show('Token refresh');
    await page.getByRole('tab', { name: tab }).click();
  },
});

/** Panes with tabs, as in the design's picture. */
async function panes({ win, page }: FakeWindow): Promise<void> {
  const open = (name: string, options: Parameters<ReturnType<typeof win.row>['click']>[0]) =>
    win.row(name).first().click(options);
  const count = (panes: number) =>
    page.waitForFunction(
      (wanted) => document.querySelectorAll('[data-testid=pane]').length === wanted,
      panes,
    );
  await win.show('Token refresh');
  await open('Image resizing', { button: 'middle' });
  await open('Cart totals', { modifiers: ['ControlOrMeta'] });
  await count(2);
  await open('Flaky payment test', { modifiers: ['ControlOrMeta'] });
  await count(3);
  await win.show('Token refresh');
}

const SCENES_LTR: readonly Scene[] = [
  ...changesScenes(usualDay),
  ...replayScenes(usualDay),
  ...transcriptScenes(usualDay),
  ...libraryScenes(usualDay),
  ...sleepScenes(usualDay),
  ...workspaceScenes(usualDay),
  { name: 'welcome', day: () => {} },
  { name: 'window', act: panes },
  { name: 'one-pane', act: async ({ win }) => void (await win.show('Token refresh')) },
  { name: 'fifty', day: (my) => manySessions(my) },
  {
    name: 'grid',
    act: async ({ win, page }) => {
      await panes({ win, page } as FakeWindow);
      await win.by('open-palette').click();
      await page.keyboard.type('> grid');
      await page.keyboard.press('Enter');
      await win.by('grid').waitFor();
    },
  },
  { name: 'flat', act: async ({ win }) => void (await win.by('list-flat').click()) },
  {
    name: 'menu',
    act: async ({ win }) => {
      await win.row('Cart totals').first().click({ button: 'right' });
      await win.page.getByRole('menu').first().waitFor();
    },
  },
  {
    name: 'selecting',
    act: async ({ win }) => {
      await win.row('Cart totals').first().click();
      await win
        .row('Release notes')
        .first()
        .click({ modifiers: ['Shift'] });
      await win.by('bulk').waitFor();
    },
  },
  {
    name: 'new-session',
    act: async ({ win }) => {
      await win.by('new-session').click();
      await win.by('new-session-dialog').waitFor();
    },
  },
  {
    name: 'palette',
    act: async ({ win, page }) => {
      await win.by('open-palette').click();
      await page.keyboard.type('re');
    },
  },
  {
    name: 'keys',
    act: async ({ win, page }) => {
      await page.locator('body').press('Control+Shift+?');
      await win.by('key-sheet').waitFor();
    },
  },
  {
    name: 'bell',
    day: (my) => {
      usualDay(my);
      calls(my);
    },
    act: async ({ win }) => {
      await win.by('bell').click();
      await win.by('bell-panel').waitFor();
    },
  },
  {
    name: 'why',
    act: async ({ win }) => {
      await win.show('Token refresh');
      await win.by('foot-status').first().click();
      await win.by('why').waitFor();
    },
  },
  inspector('Summary'),
  inspector('Changes'),
  inspector('History'),
  inspector('Details'),
  ...['appearance', 'keys', 'notifications', 'desktop', 'agents', 'workspaces', 'privacy', 'about'].map(
    settings,
  ),
  {
    name: 'medium',
    width: 1000,
    height: 700,
    act: async ({ win }) => void (await win.show('Token refresh')),
  },
  { name: 'narrow', width: 480, height: 800 },
  {
    name: 'narrow-bell',
    width: 480,
    height: 800,
    day: (my) => {
      usualDay(my);
      calls(my);
    },
    act: async ({ win }) => {
      await win.by('bell').click();
      await win.by('notification').first().waitFor();
    },
  },
  {
    name: 'narrow-list',
    width: 480,
    height: 800,
    act: async ({ win }) => void (await win.by('open-drawer').click()),
  },
  {
    name: 'selecting-menu',
    act: async ({ win }) => {
      await win.row('Cart totals').first().click();
      await win
        .row('Release notes')
        .first()
        .click({ modifiers: ['Shift'] });
      await win.row('Image resizing').first().click({ button: 'right' });
      await win.by('menu').waitFor();
    },
  },
  {
    name: 'notices',
    act: async ({ win, page }) => {
      await win.show('Token refresh');
      for (const testid of ['menu-archive', 'menu-copy-attach']) {
        await win.row('Release notes').first().click({ button: 'right' });
        await win.by(testid).click();
        if (testid === 'menu-archive') await win.by('archive').click();
      }
      await page.getByTestId('toast').nth(1).waitFor();
    },
  },
  {
    name: 'empty-pane',
    day: (my) => manySessions(my, 30),
    act: async ({ win, page }) => {
      await win.show('Token refresh');
      await page.keyboard.press('Control+Shift+R');
      await win.by('empty-pane').waitFor();
    },
  },
  { name: 'elsewhere', day: elsewhere },
  {
    name: 'elsewhere-card',
    day: elsewhere,
    act: async ({ win }) => {
      await win.by('elsewhere-row').filter({ hasText: 'pts/4' }).locator('.open').click();
      await win.by('elsewhere-card').waitFor();
    },
  },
  {
    name: 'ended',
    act: async ({ win }) => {
      await win.row('Old migration').first().click();
      await win.by('ended').waitFor();
    },
  },
  {
    name: 'hindered',
    day: hindered,
    act: async ({ win }) => {
      await win.by('need').filter({ hasText: 'Half typed' }).locator('.name').click();
      await win.by('ask-bar').waitFor();
    },
  },
  {
    name: 'layouts',
    act: async (my) => {
      await panes(my);
      await my.win.by('pane-menu').first().click();
      await my.win.by('pane-layouts').click();
      await my.win.by('layout-name').fill('Three beside each other');
      await my.win.press('Enter');
      await my.win.by('layout').waitFor();
    },
  },
  {
    name: 'palette-layouts',
    act: async (my) => {
      await panes(my);
      await my.win.by('pane-menu').first().click();
      await my.win.by('pane-layouts').click();
      await my.win.by('layout-name').fill('Three beside each other');
      await my.win.press('Enter');
      await my.win.by('layout').waitFor();
      await my.win.press('Escape', 'Control+Shift+K');
      await my.win.by('palette-input').fill('thr');
    },
  },
  {
    name: 'narrow-elsewhere',
    width: 480,
    height: 800,
    day: elsewhere,
    act: async ({ win }) => {
      await win.by('open-drawer').click();
      await win.by('elsewhere').waitFor();
    },
  },
  {
    name: 'narrow-card',
    width: 480,
    height: 800,
    day: elsewhere,
    act: async ({ win }) => {
      await win.by('open-drawer').click();
      await win.by('elsewhere-row').filter({ hasText: 'pts/4' }).locator('.open').click();
      await win.by('elsewhere-card').waitFor();
    },
  },
  {
    name: 'narrow-ended',
    width: 480,
    height: 800,
    act: async ({ win }) => {
      await win.by('open-drawer').click();
      await win.row('Old migration').first().click();
      await win.by('ended').waitFor();
    },
  },
  {
    name: 'narrow-question',
    width: 480,
    height: 800,
    day: hindered,
    act: async ({ win }) => {
      await win.by('open-drawer').click();
      await win.by('need').filter({ hasText: 'Half typed' }).locator('.name').click();
      await win.by('ask-bar').waitFor();
    },
  },
  {
    name: 'narrow-new-session',
    width: 480,
    height: 800,
    act: async ({ win }) => {
      await win.by('narrow-new').click();
      await win.by('new-session-dialog').waitFor();
    },
  },
  {
    name: 'narrow-settings',
    width: 480,
    height: 800,
    act: async ({ win, page }) => {
      await page.keyboard.press('Control+,');
      await win.by('settings').waitFor();
    },
  },
  {
    name: 'long',
    day: extremeDay,
    act: async ({ win }) => {
      await win.row(NAMES.long).first().click();
      await win.by('ask-bar').waitFor();
    },
  },
  // A window of 1440 by 900 at 200 %.
  { name: 'zoomed', width: 720, height: 450, act: async ({ win }) => void (await win.show('Token refresh')) },
  {
    name: 'zoomed-new-session',
    width: 400,
    height: 400,
    act: async ({ win, page }) => {
      await page.keyboard.press('Control+Shift+N');
      await win.by('more-options').click();
      await win.by('private').scrollIntoViewIfNeeded();
    },
  },
];

const MIRRORED: readonly string[] = [
  ...CHANGES_MIRRORED,
  ...REPLAY_MIRRORED,
  ...TRANSCRIPT_MIRRORED,
  ...LIBRARY_MIRRORED,
  ...WORKSPACES_MIRRORED,
  'window',
  'fifty',
  'menu',
  'selecting',
  'new-session',
  'palette',
  'bell',
  'why',
  'inspector-summary',
  'settings-appearance',
  'grid',
  'elsewhere',
  'elsewhere-card',
  'ended',
  'layouts',
  'long',
  'notices',
  'narrow',
  'narrow-list',
];

/** Scenes from right to left. */
const TURNED: readonly Scene[] = SCENES_LTR.filter(({ name }) => MIRRORED.includes(name)).map((scene) => ({
  ...scene,
  name: `rtl-${scene.name}`,
  rtl: true,
}));

export const SCENES: readonly Scene[] = [...SCENES_LTR, ...TURNED];
