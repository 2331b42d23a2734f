// The page of conversations with a real daemon, over a home with agents' files in it.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeBrowser, newPage } from './support/page';
import { RealDaemon } from './support/real-daemon';
import { until, Win } from './support/window';

const CORPUS = fileURLToPath(new URL('../../tests/corpus/transcripts/home', import.meta.url));

let person: string;
let daemon: RealDaemon;
let opened: Awaited<ReturnType<typeof newPage>>;
let win: Win;

beforeAll(async () => {
  person = await mkdtemp(join(tmpdir(), 'belfry-person-'));
  await cp(CORPUS, person, { recursive: true });
  // Where an agent's variables are set they would lead out of that home.
  daemon = await RealDaemon.start({ HOME: person, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '', XDG_DATA_HOME: '' });
  opened = await newPage();
  win = new Win(opened.page);
});
afterAll(async () => {
  await opened.context.close();
  await closeBrowser();
  await daemon.stop();
  await rm(person, { recursive: true, force: true, maxRetries: 5 });
});

const rows = () => win.by('library-row');

it('counts, lists, searches, reads and hides what real files hold', async () => {
  await daemon.open(opened.page);
  await until(
    () => win.by('welcome-conversations').innerText(),
    (text) => text.includes('5 conversations of'),
  );
  await win.by('welcome-library').click();
  await until(
    () => rows().count(),
    (count) => count === 5,
  );
  const listed = (await opened.page.locator('#library-list').innerText()).replaceAll(/\s+/g, ' ');
  for (const part of ['Fix a failing test', '/p/app', 'tokens']) expect(listed).toContain(part);

  await win.by('library-search').fill('make it fas');
  await until(
    () => rows().evaluateAll((all) => all.map((row) => (row as HTMLElement).dataset['kind'])),
    (kinds) => kinds.includes('hit'),
  );
  const hit = opened.page.locator('[data-testid=library-row][data-kind=hit]').first();
  expect((await hit.locator('mark').allInnerTexts()).join(' ')).toMatch(/make it fas/i);
  await hit.click();
  await opened.page
    .locator('[data-testid=library-detail] [data-testid=transcript]')
    .getByText('Make it faster')
    .first()
    .waitFor();

  // Its directory is of another machine: what is in the way is said, and what is left to do.
  await win.by('library-resume').click();
  await win.by('library-obstacle').waitFor();
  expect(await win.by('library-obstacle').innerText()).not.toBe('');

  await win.by('library-hide').click();
  await until(
    () => rows().count(),
    (count) => count === 0,
  );
  await win.by('toast-action').click();
  await win.by('library-search').fill('');
  await until(
    () => rows().count(),
    (count) => count === 5,
  );
  // What a session printed is found as well, and played from there.
  const session = await daemon.run('printer', 'sh', '-c', 'echo a needle in the terminal; exec cat');
  await until(
    () => daemon.cli('screen', session),
    (screen) => screen.includes('needle'),
  );
  await win.by('library-search').fill('needle in the term');
  const line = opened.page.locator('[data-testid=library-row][data-kind=line]');
  await until(
    async () => {
      // The index looks for what is new when it is asked.
      await win.by('library-hidden').click();
      return line.count();
    },
    (count) => count > 0,
  );
  await line.first().click();
  expect(await win.by('library-line').innerText()).toContain('needle in the terminal');
  await win.by('library-terminal').click();
  await win.by('library').waitFor({ state: 'detached' });
  await until(
    () => win.by('find-count').innerText(),
    (text) => text.includes('1 of'),
  );
  await win.press('Escape');

  const all = JSON.parse(await daemon.cli('import', '--json')) as { id: string }[];
  expect(all).toHaveLength(5);
  expect(opened.errors).toEqual([]);
});
