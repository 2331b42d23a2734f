// Pull requests of sessions, against a pretended daemon.
import { describe, expect, it } from 'vitest';
import type { PullRequest } from '../src/lib/client/generated/protocol';
import { draftOf, pullRequest } from './support/fake-changes';
import { FakeWindow } from './support/fake-window';
import { changed, REVIEWED } from './support/scenes-changes';
import { until } from './support/window';

const my = new FakeWindow();

function works(pull: PullRequest | null = null, part: object = {}): string {
  my.add({ name: 'Token refresh', agent: 'claude', branch: 'auth/refresh', ...part }, '› ');
  return changed(my, 'Token refresh', pull);
}
const asked = () => my.daemon.requested('pull_request').map(({ params }) => params);

async function inspect() {
  await my.open();
  await my.win.show('Token refresh');
  await my.win.by('inspector-changes').click();
  await my.win.by('pull-section').waitFor();
}

/** Pages that were opened outside. */
async function opened(): Promise<string[]> {
  return my.page.evaluate(() => (window as unknown as { opened: string[] }).opened);
}
async function watchLinks() {
  await my.page.evaluate(() => {
    const pages: string[] = [];
    (window as unknown as { opened: string[] }).opened = pages;
    window.open = (url) => {
      pages.push(String(url));
      return window;
    };
  });
}

describe('a pull request', () => {
  it('is made from what the conversation says, edited, looked at and sent', async () => {
    const id = works();
    my.daemon.review.drafts.set(id, draftOf({ uncommitted: 2 }));
    await my.open();
    await my.win.show('Token refresh');
    await my.win.press('Alt+Shift+R');
    await my.win.by('pull-uncommitted').getByText('2 files are not committed').waitFor();
    await my.win.by('pull-name').fill('Rotate tokens');
    await my.win.by('pull-preview').click();
    await my.win.by('pull-shown').locator('strong', { hasText: 'all' }).waitFor();
    await my.win.by('pull-draft').click();
    // To the commit that is wanted first, and back with all that was written.
    await my.win.by('pull-commit').click();
    await my.win.by('commit-dialog').waitFor();
    await my.win.press('Escape');
    await my.win.by('pull-dialog').waitFor();
    expect(await my.win.by('pull-name').inputValue()).toBe('Rotate tokens');
    await my.win.by('pull-submit').click();
    await my.win.by('pull-dialog').waitFor({ state: 'detached' });
    expect(asked().at(-1)).toMatchObject({
      do: 'create',
      session: id,
      title: 'Rotate tokens',
      base: 'main',
      draft: true,
    });
    await my.win.row('Token refresh').getByTestId('pull-chip').getByText('#128').first().waitFor();
  });

  it('is made by hand where no program is there for it', async () => {
    const id = works();
    my.daemon.review.drafts.set(id, draftOf({ by: null, problem: 'gh is not logged in' }));
    await my.open();
    await my.win.show('Token refresh');
    await watchLinks();
    await my.win.press('Alt+Shift+R');
    await my.win.by('pull-problem').getByText('Gh is not logged in.').waitFor();
    await my.win.by('pull-compare').click();
    await my.win.by('pull-dialog').waitFor({ state: 'detached' });
    expect(await opened()).toEqual(['https://example.org/shop/compare/main...auth/refresh']);
  });

  it('keeps the dialog where it cannot be made', async () => {
    works();
    my.daemon.review.failures.set('create', { code: 'git', message: 'the push was rejected' });
    await my.open();
    await my.win.show('Token refresh');
    await my.win.press('Alt+Shift+R');
    await until(
      () => my.win.by('pull-submit').isEnabled(),
      (enabled) => enabled,
    );
    await my.win.by('pull-submit').click();
    await my.win.by('pull-problem').getByText('The push was rejected.').waitFor();
    expect(await my.win.by('pull-name').inputValue()).toContain('Rotate');
  });

  it('shows its checks and its reviews, and sends them to the agent', async () => {
    const id = works(REVIEWED);
    await inspect();
    const section = my.win.by('pull-section');
    expect(await section.innerText()).toMatch(/2 failed\s+1 running\s+6 passed/);
    await section.getByText('audit::log').waitFor();
    await my.win.by('send-checks').click();
    await my.page.getByText('The failed checks are on their way').first().waitFor();
    await my.win.by('send-review').click();
    await until(
      () => asked().filter((one) => one.do === 'send_findings'),
      (sent) => sent.length === 2,
    );
    expect(asked()).toMatchObject([
      { do: 'send_findings', session: id, what: 'checks' },
      { do: 'send_findings', session: id, what: 'comments' },
    ]);
    await watchLinks();
    await my.win.by('pull-open').click();
    expect(await opened()).toEqual([REVIEWED.url]);
    expect(await my.win.by('tab').getAttribute('title')).toContain('Pull request #128: Open');
  });

  it('is merged when the person says so, and its workspace offered for removal', async () => {
    const id = works(pullRequest(), { workspace: 'worktree', workspace_id: 'w1' });
    await inspect();
    await my.win.by('pull-merge').click();
    await my.win.by('merge-squash').click();
    await my.page.getByTestId('question').getByRole('button', { name: 'Merge' }).click();
    await my.page.getByTestId('question').getByText('#128 is merged. The').waitFor();
    expect(asked()).toMatchObject([{ do: 'merge', session: id, how: 'squash' }]);
    await my.page.getByTestId('question').getByRole('button', { name: 'Cancel' }).click();
    await my.win.by('pull-create').waitFor();
  });
});
