// What a session changed, its diff, and its pull request: for pictures, and for what is checked on all scenes.
import type { ChangedFile, FileDiff, PullRequest } from '../../src/lib/client/generated/protocol';
import { changedFile, counts, diffLine, draftOf, fileDiff, hunk, pullRequest } from './fake-changes';
import type { FakeWindow } from './fake-window';
import type { Scene } from './scenes';

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

export const FILES: ChangedFile[] = [
  changedFile('Cargo.toml', { staged: 'all', added: 1, removed: 0 }),
  changedFile('assets/reuse.png', { kind: 'untracked', added: null, removed: null }),
  changedFile('scripts/migrate.sh', { kind: 'added', staged: 'committed', added: 4, removed: 0 }),
  changedFile('src/auth/handler.rs', { staged: 'part', added: 41, removed: 9 }),
  changedFile('src/auth/legacy.rs', { kind: 'deleted', added: 0, removed: 88, staged: 'all' }),
  changedFile('src/auth/store.rs', { added: 5, removed: 1 }),
  changedFile('tests/auth/rotation.rs', {
    kind: 'renamed',
    old_path: 'tests/auth.rs',
    added: 32,
    removed: 4,
  }),
];

const STORE = [
  hunk(
    1,
    1,
    '',
    ' use std::collections::HashMap;',
    ' ',
    '-use crate::token::{Token, TokenId};',
    '+use crate::token::{«Family, »Token, TokenId};',
    ' ',
    ' /// Keeps refresh tokens, and which family each came from.',
  ),
  hunk(
    58,
    58,
    'impl Store',
    '     /// Gives a new token for a used one.',
    '     ///',
    '     /// What was used before revokes its whole family.',
    '     fn rotate(&mut self, id: TokenId) -> Result<Token> {',
    '-        self.tokens.«remove(&id)»;',
    '+        let family = self.«family_of(id)?»;',
    '+        if self.is_spent(id) {',
    '+            self.revoke(family);',
    '+            return Err(Error::Reused);',
    '+        }',
    '         self.issue(family)',
    '     }',
  ),
  hunk(
    120,
    124,
    'impl Store',
    '     pub fn len(&self) -> usize {',
    '-        self.tokens.len() «as usize»',
    '+        self.tokens.len()',
    '     }',
  ),
];

const COMMITS = [
  { id: 'a1'.padEnd(40, '0'), subject: 'Add the migration', author: 'Dev', at: ago(12), pushed: false },
  {
    id: 'b2'.padEnd(40, '0'),
    subject: 'Say what a token family is',
    author: 'Dev',
    at: ago(50),
    pushed: true,
  },
];
const CHECKPOINTS = [
  { id: 'p2', label: 'Good. Now the handler.', at: ago(9) },
  { id: 'p1', label: 'rotate refresh tokens and revoke the old family on reuse', at: ago(26) },
];

/** The session in front has changed that. */
export function changed(my: FakeWindow, name = 'Token refresh', pull: PullRequest | null = null): string {
  const fake = [...my.daemon.sessions.values()].find(({ session }) => session.name === name);
  if (!fake) throw new Error(`no session ${name}`);
  const { id } = fake.session;
  const { review } = my.daemon;
  review.tell(id, {
    files: FILES,
    upstream: 'origin/auth/refresh',
    unpushed: 1,
    commits: COMMITS,
    checkpoints: CHECKPOINTS,
    counts: counts({ files: 7, added: 83, removed: 102, ahead: 2, behind: 1 }),
  });
  const file = (path: string) => FILES.find((one) => one.path === path) ?? changedFile(path);
  const says = (path: string, diff: Partial<FileDiff> & { hunks: FileDiff['hunks'] }) =>
    review.diff(id, fileDiff(file(path), diff.hunks, diff));
  says('src/auth/store.rs', { hunks: STORE });
  says('src/auth/handler.rs', { hunks: STORE.slice(1) });
  says('Cargo.toml', {
    hunks: [hunk(14, 14, '[dependencies]', ' rand = "0.9"', '+uuid = "1.18" # for families')],
  });
  says('assets/reuse.png', { hunks: [], binary: true, old_bytes: null, new_bytes: 182_000 });
  says('scripts/migrate.sh', {
    hunks: [hunk(0, 1, '', '+#!/bin/sh', '+set -eu', '+# Adds the column.', '+exec psql -f "$1"')],
    note: 'mode 100755',
  });
  if (pull) my.daemon.change(id, { pull_request: pull });
  return id;
}

/** A file of very many lines. */
export function long(my: FakeWindow, id: string, lines: number, left: number): void {
  const path = 'src/auth/store.rs';
  const all = Array.from({ length: lines }, (_, at) =>
    diffLine(`${at % 3 ? ' ' : '+'}    let line_${at} = ${at};`),
  );
  const file = FILES.find((one) => one.path === path) ?? changedFile(path);
  my.daemon.review.diff(
    id,
    fileDiff(file, [{ old_start: 1, new_start: 1, heading: '', lines: all }], { left_out: left }),
  );
}

export const REVIEWED: PullRequest = pullRequest({
  checks_passed: 6,
  checks_pending: 1,
  failed: [
    { name: 'test (ubuntu)', url: 'https://example.org/shop/runs/1' },
    { name: 'lint', url: null },
  ],
  review: 'changes_requested',
  comments: [
    {
      author: 'mira',
      path: 'src/auth/store.rs',
      line: 63,
      text: 'Could this **log** the reuse? See `audit::log`.',
    },
    { author: 'jonas', path: null, line: null, text: 'A test for two reuses at once would be good.' },
  ],
});

const onChanges = async ({ win }: FakeWindow) => {
  await win.show('Token refresh');
  await win.by('inspector-changes').click();
  await win.by('file-row').first().waitFor();
};

/** Shows the diff of the store in the pane. */
export async function readDiff({ win, page }: FakeWindow): Promise<void> {
  await win.show('Token refresh');
  await page.keyboard.press('Control+Shift+O');
  await page.locator('[data-path="src/auth/store.rs"] [data-testid=file-open]').click();
  await win.by('diff-lines').getByText('is_spent').waitFor();
  await page.locator('.keyword').first().waitFor();
}

/** Writes a comment on the line that has a text. */
export async function comment({ win, page }: FakeWindow, on: string, text: string): Promise<void> {
  const line = win.by('diff-line').filter({ hasText: on }).first();
  await line.hover();
  await line.getByTestId('comment-plus').click();
  await win.by('comment-text').fill(text);
  await page.keyboard.press('Enter');
}

export function changesScenes(usualDay: (my: FakeWindow) => void): readonly Scene[] {
  const day = (my: FakeWindow) => {
    usualDay(my);
    changed(my);
    changed(my, 'Image resizing', pullRequest({ review: 'approved' }));
    changed(my, 'Release notes', REVIEWED);
  };
  const dialog = (my: FakeWindow, key: string, testid: string) =>
    my.win.show('Token refresh').then(async () => {
      await my.page.keyboard.press(key);
      await my.win.by(testid).waitFor();
    });
  return [
    { name: 'changes-inspector', day, act: onChanges },
    {
      name: 'changes-conflict',
      day: (my) => {
        day(my);
        const id = changed(my);
        const files = FILES.map((file, at) => (at === 3 ? { ...file, kind: 'conflicted' as const } : file));
        const told = my.daemon.review.told.get(id);
        my.daemon.review.tell(id, {
          ...told,
          files,
          operation: 'rebase',
          counts: counts({ ...told?.counts, conflicted: 1 }),
        });
      },
      act: onChanges,
    },
    {
      name: 'changes-diff',
      day,
      act: async (my) => {
        await readDiff(my);
        await comment(my, 'is_spent', 'Also log the reuse with the client’s address.');
        await comment(my, 'Reused', 'Which error does the handler make of it?');
        await my.page.mouse.move(0, 0);
      },
    },
    {
      name: 'changes-split',
      day,
      act: async (my) => {
        await readDiff(my);
        await my.page.keyboard.press('n');
        await my.page.keyboard.press('u');
        await my.win.by('diff-pair').first().waitFor();
      },
    },
    {
      name: 'changes-staging',
      day,
      act: async (my) => {
        await readDiff(my);
        await my.win.by('between').selectOption('unstaged');
        await my.win.by('stage-hunk').first().waitFor();
        await my.page.locator('[data-path="src/auth/store.rs"] [data-testid=file-open]').click();
        await my.win.by('diff-lines').focus();
        await my.page.keyboard.press('n');
        await my.page.keyboard.press('c');
        await my.win.by('comment-text').waitFor();
      },
    },
    {
      name: 'changes-binary',
      day,
      act: async (my) => {
        await readDiff(my);
        await my.page.locator('[data-path="assets/reuse.png"] [data-testid=file-open]').click();
        await my.win.by('diff-note').waitFor();
      },
    },
    {
      name: 'changes-peek',
      day,
      act: async (my) => {
        await onChanges(my);
        await my.page.locator('[data-path="src/auth/store.rs"] [data-testid=file-open]').click();
        await my.win.by('diff-line').first().waitFor();
      },
    },
    {
      name: 'changes-none',
      day: (my) => {
        usualDay(my);
        const fake = [...my.daemon.sessions.values()].find(({ session }) => session.name === 'Token refresh');
        if (fake) my.daemon.review.tell(fake.session.id, { files: [] });
      },
      act: async ({ win, page }) => {
        await win.show('Token refresh');
        await win.by('inspector-changes').click();
        await page.keyboard.press('Control+Shift+O');
        await win.by('no-changes').waitFor();
      },
    },
    { name: 'changes-commit', day, act: (my) => dialog(my, 'Alt+Shift+C', 'commit-dialog') },
    {
      name: 'narrow-changes',
      width: 480,
      height: 800,
      day,
      act: async ({ win, page }) => {
        await win.by('open-drawer').click();
        await win.row('Token refresh').first().click();
        await page.keyboard.press('Control+Shift+O');
        await win.by('file-select').selectOption('src/auth/store.rs');
        await win.by('diff-lines').getByText('is_spent').waitFor();
      },
    },
    {
      name: 'pull-request',
      day: (my) => {
        day(my);
        changed(my, 'Token refresh', REVIEWED);
      },
      act: async (my) => {
        await onChanges(my);
        await my.win.by('pull-section').scrollIntoViewIfNeeded();
      },
    },
    {
      name: 'pull-create',
      day: (my) => {
        day(my);
        for (const id of my.daemon.sessions.keys())
          my.daemon.review.drafts.set(id, draftOf({ uncommitted: 5 }));
      },
      act: (my) => dialog(my, 'Alt+Shift+R', 'pull-uncommitted'),
    },
    {
      name: 'pull-preview',
      day: (my) => {
        day(my);
        const problem = 'neither gh nor glab is logged in for example.org';
        for (const id of my.daemon.sessions.keys())
          my.daemon.review.drafts.set(id, draftOf({ by: null, problem }));
      },
      act: async (my) => {
        await dialog(my, 'Alt+Shift+R', 'pull-compare');
        await my.win.by('pull-preview').click();
        await my.win.by('pull-shown').getByText('What').waitFor();
      },
    },
  ];
}

export const CHANGES_MIRRORED: readonly string[] = ['changes-inspector', 'changes-diff', 'narrow-changes'];
