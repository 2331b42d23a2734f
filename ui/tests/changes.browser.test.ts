// What a session changed, its diff and the comments on it, against a pretended daemon.
import { describe, expect, it } from 'vitest';
import type { ChangesRequest } from '../src/lib/client/generated/protocol';
import { changedFile, counts } from './support/fake-changes';
import { FakeWindow } from './support/fake-window';
import { changed, comment, long, readDiff } from './support/scenes-changes';
import { until } from './support/window';

const my = new FakeWindow();

/** A session that has changed something. */
function works(part: object = {}): string {
  my.add({ name: 'Token refresh', agent: 'claude', branch: 'auth/refresh', ...part }, '› ');
  return changed(my);
}

const asked = <D extends ChangesRequest['do']>(what: D) =>
  my.daemon
    .requested('changes')
    .map(({ params }) => params)
    .filter((params): params is Extract<ChangesRequest, { do: D }> => params.do === what);
const diffs = () => asked('diff');
const file = (path: string) => my.page.locator(`[data-testid=file-row][data-path="${path}"]`);
const focused = () => my.page.evaluate(() => document.activeElement?.getAttribute('data-testid'));

async function inspect() {
  await my.open();
  await my.win.show('Token refresh');
  await my.win.by('inspector-changes').click();
  await my.win.by('file-row').first().waitFor();
}

describe('counts', () => {
  it('stand in the row, the tab, the foot of the pane and the inspector, and follow', async () => {
    const id = works({ unseen: true });
    await my.open();
    await my.win.show('Token refresh');
    const row = my.win.row('Token refresh');
    await row.getByTestId('counts').getByText('+83').waitFor();
    expect(await row.getByTestId('counts').getAttribute('title')).toBe(
      '7 files +83 −102 · 2 ahead, 1 behind',
    );
    expect(await my.win.by('tab').getAttribute('title')).toContain('7 files +83 −102');
    expect(await my.win.by('pane-foot').innerText()).toContain('+83');
    expect(await my.win.by('inspector-changes').innerText()).toBe('Changes 7');
    my.daemon.change(id, { changes: counts({ files: 2, added: 5, conflicted: 1 }) });
    await row.getByText('! 1').waitFor();
    my.daemon.change(id, { status: 'running', changes: counts({ files: 2, added: 5 }) });
    await row.getByTestId('counts').waitFor({ state: 'detached' });
  });
});

describe('the list of changes', () => {
  it('stages by its boxes, and shows one file beside the terminal', async () => {
    const id = works();
    await inspect();
    await file('src/auth/store.rs').getByTestId('file-stage').click();
    await until(
      () => asked('stage'),
      (all) => all.length === 1,
    );
    expect(asked('stage')[0]).toMatchObject({ session: id, paths: ['src/auth/store.rs'], hunk: null });
    await until(
      () => file('src/auth/store.rs').getByTestId('file-stage').isChecked(),
      (checked) => checked,
    );
    await file('src/auth/legacy.rs').getByTestId('file-stage').click();
    await until(
      () => asked('unstage'),
      (all) => all.length === 1,
    );
    // What is committed has nothing to stage.
    expect(await file('scripts/migrate.sh').getByTestId('file-stage').isVisible()).toBe(false);
    await file('src/auth/store.rs').getByTestId('file-open').click();
    await my.win.by('peek').getByText('is_spent').waitFor();
    await my.win.press('Escape');
    await my.win.by('peek').waitFor({ state: 'detached' });
    await until(focused, (where) => where === 'file-open');
  });

  it('is gone through by keys', async () => {
    works();
    await inspect();
    await file('src/auth/handler.rs').getByTestId('file-open').focus();
    await my.win.press('ArrowDown', 'ArrowDown', 'Space');
    await until(
      () => asked('stage').at(-1)?.paths,
      (paths) => paths?.[0] === 'src/auth/store.rs',
    );
    await my.win.press('ArrowLeft', 'ArrowLeft');
    await file('src/auth/store.rs').waitFor({ state: 'detached' });
    await my.win.press('ArrowRight', 'ArrowRight', 'Enter');
    await my.win.by('peek').waitFor();
  });

  it('discards after asking, and brings it back', async () => {
    const id = works();
    await inspect();
    await my.win.by('more-actions').click();
    await my.win.by('menu-discard').click();
    await my.page.getByTestId('question').getByRole('button', { name: 'Discard' }).click();
    await until(
      () => asked('discard'),
      (all) => all.length === 1,
    );
    expect(asked('discard')[0]?.paths).toHaveLength(6);
    await my.page.getByRole('button', { name: 'Undo' }).click();
    await until(
      () => asked('go_to'),
      (all) => all.length === 1,
    );
    expect(asked('go_to')[0]).toMatchObject({ session: id, checkpoint: 'point-1' });
  });

  it('discards one file, from its menu and by its key', async () => {
    works();
    await inspect();
    await file('src/auth/store.rs').click({ button: 'right' });
    await my.win.by('file-discard').click();
    await my.win.by('question-agree').click();
    await until(
      () => asked('discard').at(-1)?.paths,
      (paths) => paths?.join() === 'src/auth/store.rs',
    );
    await file('src/auth/handler.rs').getByTestId('file-open').focus();
    await my.win.press('Shift+F10', 'Escape', 'Delete');
    await my.win.by('question-agree').click();
    await until(
      () => asked('discard').at(-1)?.paths,
      (paths) => paths?.join() === 'src/auth/handler.rs',
    );
  });

  it('tells what stops in the middle, and has the agent settle it', async () => {
    const id = works();
    const files = [changedFile('src/cart.rs', { kind: 'conflicted' })];
    my.daemon.review.tell(id, { files, operation: 'rebase' });
    await inspect();
    await my.win.by('operation').getByText('A rebase stands in the middle').waitFor();
    await my.win.by('settle').click();
    const box = my.page.locator(`#message-${id}`);
    await box.waitFor();
    expect(await box.inputValue()).toContain('- src/cart.rs');
    await my.win.by('abort').click();
    await my.page.getByTestId('question').getByRole('button', { name: 'Abort' }).click();
    await my.win.by('operation').waitFor({ state: 'detached' });
  });

  it('goes back to a checkpoint after asking, and compares with one', async () => {
    works();
    await inspect();
    await my.win.by('go-back').first().click();
    await my.page.getByTestId('question').getByRole('button', { name: 'Put back' }).click();
    await until(
      () => asked('go_to')[0]?.checkpoint,
      (id) => id === 'p2',
    );
    await my.win.by('compare').last().click();
    await my.win.by('diff-lines').waitFor();
    await until(
      () => asked('files').at(-1)?.between,
      (between) => between?.of === 'points' && between.from === 'p1',
    );
  });

  it('commits what is staged, or all, with a message that is suggested', async () => {
    works();
    await inspect();
    await my.win.press('Alt+Shift+C');
    const message = my.win.by('commit-message');
    await until(
      () => message.inputValue(),
      (text) => text.startsWith('Rotate refresh tokens'),
    );
    await message.fill('Rotate them');
    await my.win.by('commit-all').click();
    await my.win.press('Control+Enter');
    await my.win.by('commit-dialog').waitFor({ state: 'detached' });
    expect(asked('commit')).toMatchObject([{ message: 'Rotate them', all: true, amend: false }]);
    await my.win.by('commit-row').getByText('Rotate them').waitFor();
  });

  it('says in git’s own words what it refuses', async () => {
    works();
    my.daemon.review.failures.set('push', {
      code: 'git',
      message: 'the remote has commits that you have not',
    });
    await inspect();
    await my.win.by('push').click();
    await my.page.getByText('The remote has commits that you have not.').first().waitFor();
  });
});

describe('the diff', () => {
  it('takes the terminal’s place, is gone through by keys, and gives the place back', async () => {
    works();
    await my.open();
    await readDiff(my);
    const lines = my.win.by('diff-lines');
    expect(await focused()).toBe('diff-lines');
    const active = async () => {
      const id = await lines.getAttribute('aria-activedescendant');
      return my.page.locator(`[id="${id}"]`).innerText();
    };
    await my.win.press('n');
    expect(await active()).toContain('use crate::token::{Token, TokenId}');
    await my.win.press('n');
    expect(await active()).toContain('remove(&id)');
    await my.win.press('p', 'ArrowDown');
    expect(await active()).toContain('Family');
    await my.win.press('u');
    await my.win.by('diff-pair').first().waitFor();
    await my.win.press('k');
    await until(
      () => diffs().at(-1)?.path,
      (path) => path === 'src/auth/legacy.rs',
    );
    await my.win.press('j', 'j');
    await until(
      () => diffs().at(-1)?.path,
      (path) => path === 'tests/auth/rotation.rs',
    );
    await my.win.press('Escape');
    await my.win.by('changes-face').waitFor({ state: 'detached' });
    await my.win.press('Control+Shift+O');
    await my.win.by('diff-split').waitFor();
    expect(await my.win.by('diff-split').getAttribute('aria-pressed')).toBe('true');
  });

  it('stages single changes between what is staged and what is not', async () => {
    works();
    await my.open();
    await readDiff(my);
    await my.win.by('between').selectOption('unstaged');
    await file('src/auth/store.rs').getByTestId('file-open').click();
    await my.win.by('stage-hunk').nth(1).click();
    await until(
      () => asked('stage')[0],
      (stage) => stage?.hunk === 58,
    );
    await my.win.by('between').selectOption('staged');
    await file('src/auth/store.rs').getByTestId('file-open').click();
    await my.win.by('stage-hunk').first().waitFor();
    await my.win.press('n', 's');
    await until(
      () => asked('unstage')[0],
      (stage) => stage?.hunk === 1,
    );
  });

  it('shows more around, all that was left out, and what is no text', async () => {
    const id = works();
    long(my, id, 300, 1_200);
    await my.open();
    await my.win.show('Token refresh');
    await my.win.press('Control+Shift+O');
    await file('src/auth/store.rs').getByTestId('file-open').click();
    await my.win.press('e');
    await until(
      () => diffs().at(-1)?.context,
      (context) => context === 23,
    );
    await my.win.press('End');
    await my.win.by('show-all').click();
    await until(
      () => diffs().at(-1)?.whole,
      (whole) => whole === true,
    );
    await file('assets/reuse.png').getByTestId('file-open').click();
    expect(await my.win.by('diff-note').innerText()).toContain('was not there → 182 kB');
  });

  it('draws of very many lines those that are in sight, wherever that is', async () => {
    const id = works();
    long(my, id, 9_000, 0);
    await my.open();
    await my.win.show('Token refresh');
    await my.win.press('Control+Shift+O');
    await file('src/auth/store.rs').getByTestId('file-open').click();
    await my.win.by('diff-lines').getByText('let line_3 = 3;').waitFor();
    expect(await my.win.by('diff-line').count()).toBeLessThan(200);
    await my.win.press('End');
    await my.win.by('diff-lines').getByText('let line_8999 = 8999;').waitFor();
    expect(await my.win.by('diff-line').count()).toBeLessThan(200);
    await my.win.press('PageUp', 'Home');
    await my.win.by('diff-lines').getByText('let line_0 = 0;').waitFor();
  });

  it('stays where it is when the lines are read anew', async () => {
    const id = works();
    long(my, id, 2_000, 0);
    await my.open();
    await my.win.show('Token refresh');
    await my.win.press('Control+Shift+O');
    await file('src/auth/store.rs').getByTestId('file-open').click();
    const lines = my.win.by('diff-lines');
    await lines.getByText('let line_3 = 3;').waitFor();
    await lines.evaluate((box) => (box.scrollTop = 9_000));
    const before = diffs().length;
    my.daemon.change(id, { status: 'running', changes: counts({ files: 7, added: 84 }) });
    await until(
      () => diffs().length,
      (count) => count > before,
    );
    expect(await lines.evaluate((box) => box.scrollTop)).toBe(9_000);
  });
});

describe('comments', () => {
  it('are written with the mouse and with keys, edited, removed, and go out as one message', async () => {
    const id = works();
    await my.open();
    await readDiff(my);
    await comment(my, 'is_spent', 'Also log the reuse.');
    await my.win.by('diff-lines').focus();
    await my.win.press('n', 'n', 'n', 'p', 'Shift+ArrowDown', 'c');
    await my.win.by('comment-text').fill('first');
    await my.win.press('Enter');
    expect(await focused()).toBe('diff-lines');
    const cards = my.win.by('comment');
    expect(await cards.count()).toBe(2);
    await cards.filter({ hasText: 'first' }).getByTestId('comment-edit').click();
    await my.win.by('comment-text').fill('Why this way?');
    await my.win.press('Enter');
    await comment(my, 'self.issue', 'nothing');
    await cards.filter({ hasText: 'nothing' }).getByTestId('comment-remove').click();
    await my.win.by('send-comments').getByText('Send 2 comments').click();
    await until(
      () => my.daemon.requested('send_message'),
      (sent) => sent.length === 1,
    );
    const { session, text, now } = my.daemon.requested('send_message')[0]?.params ?? {};
    expect([session, now]).toEqual([id, false]);
    expect(text).toContain('src/auth/store.rs:63\n>         if self.is_spent(id) {\nAlso log the reuse.');
    expect(text).toContain('\nWhy this way?');
    await cards.first().waitFor({ state: 'detached' });
    await my.page.getByText('2 comments sent to the agent.').first().waitFor();
  });

  it('are kept where they cannot go out, and while another session is looked at', async () => {
    works();
    my.add({ name: 'Other' }, 'other');
    my.daemon.failures.set('send_message', { code: 'not_alive', message: 'it has ended' });
    await my.open();
    await readDiff(my);
    await comment(my, 'is_spent', 'Also log the reuse.');
    await my.win.by('send-comments').click();
    await my.page.getByText('It has ended.').first().waitFor();
    await my.win.show('Other');
    await my.win.row('Token refresh').click();
    await my.win.by('comment').getByText('Also log the reuse.').waitFor();
  });

  it('are begun by dragging over several lines', async () => {
    works();
    await my.open();
    await readDiff(my);
    const line = (text: string) => my.win.by('diff-line').filter({ hasText: text }).first();
    await line('is_spent').hover();
    const from = await line('is_spent').getByTestId('comment-plus').boundingBox();
    const to = await line('Reused').boundingBox();
    if (!from || !to) throw new Error('nothing to drag');
    await my.page.mouse.move(from.x + 5, from.y + 5);
    await my.page.mouse.down();
    await my.page.mouse.move(to.x + 60, to.y + 8, { steps: 4 });
    await my.page.mouse.up();
    expect(await my.win.by('comment-text').getAttribute('aria-label')).toBe('Comment on lines 63–65');
    await my.win.press('Escape');
    await my.win.by('comment-text').waitFor({ state: 'detached' });
    expect(await my.win.by('comment').count()).toBe(0);
  });
});
