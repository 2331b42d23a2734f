// A pull request from the window, by a real daemon, a remote on disk and a program that answers as the forge's does.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { closeBrowser, newPage } from './support/page';
import { RealDaemon } from './support/real-daemon';
import { until, Win } from './support/window';

let daemon: RealDaemon;
let opened: Awaited<ReturnType<typeof newPage>>;
let home: string;

const GH = `#!/bin/sh
cd "$HOME/forge" || exit 9
case "$1 $2 $6 $7" in
"api graphql "*) cat > asked; cat answer ;;
"api "*" POST "*) cat > created; cp after-create answer; cat create-answer ;;
"pr merge "*) printf '%s\\n' "$3" > merged; cp after-merge answer ;;
*) exit 1 ;;
esac
`;
const SSH = (remotes: string) => `#!/bin/sh
for command; do :; done
cd '${remotes}' || exit 9
eval "$command"
`;

/** What the forge says of the branch. */
function answer(state: string | null): string {
  const run = 'https://github.com/ann/shop/actions/runs/5/job/6';
  const contexts = {
    nodes: [
      {
        __typename: 'CheckRun',
        name: 'test',
        status: 'COMPLETED',
        conclusion: 'FAILURE',
        detailsUrl: run,
      },
      { __typename: 'CheckRun', name: 'lint', status: 'COMPLETED', conclusion: 'SUCCESS' },
    ],
  };
  const pull = {
    number: 7,
    url: 'https://github.com/ann/shop/pull/7',
    title: 'Fix the login',
    state,
    isDraft: false,
    baseRefName: 'main',
    reviewDecision: 'CHANGES_REQUESTED',
    mergeable: 'MERGEABLE',
    closedAt: null,
    isCrossRepository: false,
    headRepositoryOwner: { login: 'ann' },
    commits: { nodes: [{ commit: { statusCheckRollup: { contexts } } }] },
    latestReviews: { nodes: [] },
    reviewThreads: { nodes: [] },
  };
  const repository = {
    nameWithOwner: 'ann/shop',
    defaultBranchRef: { name: 'main' },
    parent: null,
    b0: { nodes: state === null ? [] : [pull] },
  };
  return JSON.stringify({ data: { repository } });
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'belfry-forge-'));
  for (const dir of ['bin', 'forge', 'remotes/ann/shop.git']) mkdirSync(join(home, dir), { recursive: true });
  const script = (name: string, text: string) => {
    writeFileSync(join(home, 'bin', name), text);
    chmodSync(join(home, 'bin', name), 0o755);
  };
  script('gh', GH);
  script('fake-ssh', SSH(join(home, 'remotes')));
  const forge = (name: string, text: string) => writeFileSync(join(home, 'forge', name), text);
  forge('answer', answer(null));
  forge('after-create', answer('OPEN'));
  forge('after-merge', answer('MERGED'));
  forge(
    'create-answer',
    JSON.stringify({
      number: 7,
      html_url: 'https://github.com/ann/shop/pull/7',
      title: 't',
      draft: false,
      base: { ref: 'main' },
    }),
  );
  const path = `${join(home, 'bin')}:${process.env['PATH']}`;
  const ssh = join(home, 'bin/fake-ssh');
  writeFileSync(join(home, '.profile'), `export PATH='${path}' GIT_SSH_COMMAND='${ssh}'\n`);
  daemon = await RealDaemon.start({ HOME: home, PATH: path, GIT_SSH_COMMAND: ssh });
});
afterEach(async () => {
  await opened.context.close();
});
afterAll(async () => {
  await closeBrowser();
  await daemon?.stop();
  rmSync(home, { recursive: true, force: true });
});

const WHO = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', '-c', 'init.defaultBranch=main'];

it('is drafted, made, shown and merged', async () => {
  const shop = join(home, 'shop');
  const remote = join(home, 'remotes/ann/shop.git');
  mkdirSync(shop);
  const git = (at: string, ...args: string[]) =>
    execFileSync('git', [...WHO, ...args], { cwd: at, encoding: 'utf8' }).trim();
  git(remote, 'init', '-q', '--bare');
  git(shop, 'init', '-q');
  git(shop, 'commit', '-q', '--allow-empty', '-m', 'Begin');
  git(shop, 'remote', 'add', 'origin', 'git@github.com:ann/shop.git');
  git(shop, 'push', '-q', remote, 'main');
  git(shop, 'update-ref', 'refs/remotes/origin/main', 'main');
  git(shop, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  git(shop, 'checkout', '-q', '-b', 'fix-login');
  writeFileSync(join(shop, 'login'), 'works\n');
  git(shop, 'add', 'login');
  git(shop, 'commit', '-qm', 'Mend the login');
  writeFileSync(join(shop, 'more'), 'not committed\n');
  await daemon.cli('new', '--agent', 'shell', '--cwd', shop, '--name', 'login', '--', 'cat');

  opened = await newPage();
  const win = new Win(opened.page);
  await daemon.open(opened.page);
  await win.show('login');
  await win.row('login').getByTestId('counts').waitFor();
  await win.press('Alt+Shift+R');
  await win.by('pull-uncommitted').getByText('1 file is not committed').waitFor();
  await until(
    () => win.by('pull-name').inputValue(),
    (title) => title !== '',
  );
  expect(await win.by('pull-base').inputValue()).toBe('main');
  await win.by('pull-name').fill('Fix the login');
  await win.by('pull-submit').click();
  await win.by('pull-dialog').waitFor({ state: 'detached' });
  expect(JSON.parse(readFileSync(join(home, 'forge/created'), 'utf8'))).toMatchObject({
    title: 'Fix the login',
    head: 'fix-login',
    base: 'main',
  });
  expect(git(remote, 'branch', '--list', 'fix-login')).toContain('fix-login');

  await win.row('login').getByTestId('pull-chip').waitFor();
  await win.by('inspector-changes').click();
  await win.by('pull-section').getByText('1 failed').waitFor();
  await win.by('pull-merge').click();
  await win.by('merge-squash').click();
  await opened.page.getByTestId('question-agree').click();
  await win.by('pull-section').getByText('Merged').waitFor();
  expect(readFileSync(join(home, 'forge/merged'), 'utf8').trim()).toBe('--squash');
});
