// The transcript against a real daemon: a program that stands for an agent, and its files in a home of the system's own.
import { appendFile, chmod, cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeBrowser, newPage } from './support/page';
import { RealDaemon } from './support/real-daemon';
import { Win } from './support/window';

const CORPUS = fileURLToPath(new URL('../../tests/corpus/transcripts/home', import.meta.url));
const ID = '11111111-aaaa-4bbb-8ccc-000000000001';
/** It says what every agent says when it is asked, and then takes what is typed. */
const PROGRAM = `#!/bin/sh
if [ "$1" = --version ]; then echo '2.1.332 (Claude Code)'; exit; fi
echo ready
exec cat
`;

let home: string;
let file: string;
let daemon: RealDaemon;
let opened: Awaited<ReturnType<typeof newPage>>;
let win: Win;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'belfry-home-'));
  await cp(CORPUS, home, { recursive: true });
  // As the agent names the folder of a directory.
  file = join(home, '.claude/projects', home.replaceAll(/[^A-Za-z0-9]/g, '-'), `${ID}.jsonl`);
  await rename(join(home, '.claude/projects/-p-app'), dirname(file));
  await mkdir(join(home, 'bin'));
  const program = join(home, 'bin/claude');
  await writeFile(program, PROGRAM);
  await chmod(program, 0o755);
  const PATH = `${join(home, 'bin')}:${process.env['PATH']}`;
  daemon = await RealDaemon.start({
    HOME: home,
    PATH,
    SHELL: '/bin/sh',
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
  });
  opened = await newPage();
  win = new Win(opened.page);
}, 60_000);
afterAll(async () => {
  await closeBrowser();
  await daemon?.stop();
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

it('reads what the agent wrote down, with its subagent and its numbers, and what it writes next', async () => {
  const args = ['--agent', 'claude', ID, '--cwd', home, '--name', 'talks'];
  const session = (await daemon.cli('resume', ...args)).trim();
  await daemon.open(opened.page);
  await win.show('talks');
  await win.shows(session, 'ready');
  await win.by('face-transcript').click();
  await win.by('prompt').filter({ hasText: 'What is this?' }).waitFor();
  // Records that are halves, of other types or nobody's are left out, and the others are there.
  await win.by('note').filter({ hasText: 'Left out' }).first().waitFor();
  const text = await win.by('turns').innerText();
  expect(text).toContain('Fix the tëst');
  expect(await win.by('image').first().innerText()).toMatch(/Picture \(image\//);
  expect(await win.by('aside').count()).toBeGreaterThan(0);
  await win.by('transcript-head').getByText('Fix a failing test').waitFor();
  await win.by('figure-cost').waitFor();
  expect(await win.by('figure-cost').first().innerText()).toContain('$0.25');

  const subagents = win.by('nested');
  for (const tool of await win.by('tool').all()) await tool.locator('.head').first().click();
  await subagents.first().locator('.head').first().click();
  await subagents.first().getByText('look', { exact: true }).waitFor();

  const answer = {
    type: 'assistant',
    uuid: 'next',
    sessionId: ID,
    timestamp: new Date().toISOString(),
    message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'Here is **more**.' }] },
  };
  await appendFile(file, `${JSON.stringify(answer)}\n`);
  await daemon.cli('keys', session, 'on', 'Enter');
  await win.by('answer').filter({ hasText: 'Here is more.' }).waitFor();
  const { errors } = opened;
  expect(errors.filter((error) => !/WebSocket|ERR_|media-src/.test(error))).toEqual([]);
});
