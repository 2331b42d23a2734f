// The page of conversations in what a person meets there.
import type { Said, Session } from '../../src/lib/client/generated/protocol';
import type { FakeLibrary } from './fake-library';
import { says } from './fake-transcript';
import type { FakeWindow } from './fake-window';
import type { Scene } from './scenes';

const HOUR = 3_600_000;
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();

/** Conversations as somebody has them after some weeks. */
export function pastWeeks(my: FakeWindow): void {
  const { library } = my.daemon;
  const at = (name: string) => `/home/dev/src/${name}`;
  library.add(
    {
      title: 'Rotate refresh tokens and revoke the old family on reuse',
      cwd: at('storefront'),
      branch: 'auth/refresh',
      last_prompt: 'Also log the reuse with the client’s address.',
      updated_at: ago(0.2 * HOUR),
    },
    ['prompt', 'Rotate refresh tokens and revoke the old family on reuse.'],
    ['answer', 'I’ll start with the store: a refresh token that was spent revokes its whole family.'],
    ['tool', 'cargo test -p auth refresh_reuse'],
    ['result', 'test refresh_reuse_revokes_family ... ok'],
    ['thought', 'The refresh handler has to answer 401 and clear the cookie.'],
  );
  library.add({
    agent: 'codex',
    title: 'Totals are off by one cent on split tax',
    cwd: at('storefront'),
    branch: 'cart/totals',
    updated_at: ago(2 * HOUR),
    bytes: 4_730_000,
  });
  library.add({
    agent: 'opencode',
    title: 'Which file format should the billing export use?',
    cwd: at('ledger'),
    branch: null,
    updated_at: ago(7 * HOUR),
    unread: 'two of its records are of a kind that is not known',
  });
  library.add(
    {
      agent: 'gemini',
      title: 'Refresh the base image and pin its digest',
      cwd: at('deploy'),
      branch: 'main',
      updated_at: ago(26 * HOUR),
      last_prompt: 'Pin the digest, not the tag.',
      bytes: 36_400,
    },
    ['prompt', 'Refresh the base image weekly and pin its digest.'],
  );
  library.add({
    agent: 'aider',
    id: '/home/dev/src/blog/.aider.chat.history.md',
    title: 'Rename the post on bells',
    cwd: at('blog'),
    branch: 'main',
    updated_at: ago(75 * HOUR),
    usage: {
      input: 9_000,
      output: 1_100,
      cache_read: 0,
      cache_write: 0,
      context: null,
      context_size: null,
      cost: 0.07,
      estimated: true,
    },
  });
  for (const title of [
    'Upgrade axum to 0.9',
    'Flaky payment test',
    'Image resizing in the worker',
    'Tidy imports',
  ])
    library.add({
      title,
      agent: title.length % 2 ? 'claude' : 'codex',
      cwd: at('storefront'),
      updated_at: ago((90 + title.length * 9) * HOUR),
    });
  writeDown(my, library);
}

/** An entry of a transcript for something that was said. */
function entry(role: string, text: string): Said {
  if (role === 'answer') return says.answer(text);
  if (role === 'thought') return says.thought(text);
  if (role === 'tool') return says.tool('run', 'Bash', text, { command: text });
  if (role === 'result') return says.result('run', text);
  return says.prompt(text);
}

/** What was said in each of them, to be read. */
function writeDown(my: FakeWindow, library: FakeLibrary): void {
  for (const one of library.conversations) {
    const said = library.said.get(one.id) ?? [
      { role: 'prompt', text: one.title },
      { role: 'answer', text: 'Done: the change is small, and a test shows it.' },
      { role: 'prompt', text: one.last_prompt ?? '' },
      { role: 'answer', text: 'That is done as well.' },
    ];
    const entries = said.map(({ role, text }) => entry(role, text));
    my.daemon.transcripts.say(one.id, entries, { since: Date.parse(one.updated_at) });
    my.daemon.transcripts.abouts.set(one.id, one);
  }
}

/** The newest of them goes on in a session. */
export function goesOn(my: FakeWindow): Session | undefined {
  const [first] = my.daemon.library.conversations;
  const fake = [...my.daemon.sessions.values()].find(({ session }) => session.name === 'Token refresh');
  if (!first || !fake) return undefined;
  fake.session = { ...fake.session, agent: 'claude', conversation_id: first.id };
  first.session = fake.session.id;
  first.live = { pid: 4242, place: fake.session.name, session: fake.session.id };
  my.daemon.library.shown.set(fake.session.id, ['   62 -      self.refresh.remove(&id);']);
  return fake.session;
}

async function open({ win, page }: FakeWindow): Promise<void> {
  await page.locator('body').press('Control+Shift+H');
  await win.by('library').waitFor();
  await win.by('library-row').first().waitFor();
}

async function search(my: FakeWindow, text: string): Promise<void> {
  await open(my);
  await my.win.by('library-search').fill(text);
  await my.page.locator('[data-testid=library-row] mark').first().waitFor();
}

/** `usual` is the day on which all this is there. */
export function libraryScenes(usual: (my: FakeWindow) => void): readonly Scene[] {
  const day = (my: FakeWindow) => {
    usual(my);
    pastWeeks(my);
    goesOn(my);
  };
  const refuse = async (my: FakeWindow, refusal: { code: string; message: string; next?: string }) => {
    const second = my.daemon.library.conversations[1];
    if (second) my.daemon.library.refusals.set(second.id, refusal);
    await open(my);
    await my.win.by('library-row').nth(1).click();
    await my.win.by('library-resume').click();
    await my.win.by('library-obstacle').waitFor();
  };
  return [
    { name: 'library', day, act: open },
    { name: 'library-search', day, act: (my) => search(my, 'refresh') },
    {
      name: 'library-details',
      day,
      act: async (my) => {
        await open(my);
        await my.win.by('library-row').nth(4).click();
        await my.win.by('library-details').click();
        await my.win.by('library-facts').waitFor();
      },
    },
    {
      name: 'library-filtered',
      day,
      act: async (my) => {
        await open(my);
        await my.win.by('library-agent-codex').click();
        await my.win.by('library-span').selectOption('today');
        await my.win.by('library-no-filters').waitFor();
      },
    },
    {
      name: 'library-gone',
      day,
      act: (my) =>
        refuse(my, {
          code: 'conversation_gone',
          message: 'Codex has no transcript of it in /home/dev/.codex/sessions',
        }),
    },
    {
      name: 'library-reading',
      day: (my) => {
        day(my);
        my.daemon.library.indexing = { done: 1240, total: 10_000, busy: true };
      },
      act: open,
    },
    {
      name: 'library-empty',
      day: usual,
      act: async ({ win, page }) => {
        await page.locator('body').press('Control+Shift+H');
        await win.by('library-none').waitFor();
      },
    },
    { name: 'library-narrow', width: 480, height: 800, day, act: open },
    { name: 'library-narrow-search', width: 480, height: 800, day, act: (my) => search(my, 'refresh') },
    {
      name: 'library-narrow-one',
      width: 480,
      height: 800,
      day,
      act: async (my) => {
        await open(my);
        await my.win.by('library-row').first().click();
        await my.win.by('library-detail').waitFor();
      },
    },
    {
      name: 'library-zoomed',
      width: 720,
      height: 450,
      day,
      act: open,
    },
    {
      name: 'palette-text',
      day,
      act: async (my) => {
        const { win, page } = my;
        for (const { session } of my.daemon.sessions.values()) my.daemon.screens.set(session.id, '');
        await page.locator('body').press('Control+Shift+S');
        await win.by('palette-input').fill('# refresh');
        await page.locator('[data-testid=palette-item][data-kind=entry]').first().waitFor();
      },
    },
    {
      name: 'palette-conversations',
      day,
      act: async ({ win, page }) => {
        await win.by('open-palette').click();
        await win.by('palette-input').fill('base image');
        await page.locator('[data-testid=palette-item][data-kind=conversation]').first().waitFor();
      },
    },
    {
      name: 'welcome-conversations',
      day: pastWeeks,
      act: async ({ win }) => void (await win.by('welcome-conversations').waitFor()),
    },
  ];
}

/** Those that are also looked at from right to left. */
export const LIBRARY_MIRRORED: readonly string[] = ['library', 'library-search', 'library-narrow-one'];
