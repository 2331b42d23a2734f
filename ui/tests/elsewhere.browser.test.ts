// Sessions that Belfry did not start, against a pretended daemon.
import { describe, expect, it } from 'vitest';
import { local } from './support/elsewhere';
import { FakeWindow } from './support/fake-window';
import { until } from './support/window';

const my = new FakeWindow();

describe('elsewhere on this machine', () => {
  it('lists what runs there, and adopts what is in tmux by a click', async () => {
    const blog = local(my, 'blog', 'tmux main:1.0', ['screen', 'adopt', 'end'], { status: 'running' });
    await my.open();
    const row = my.page.locator(`[data-testid=elsewhere-row][data-session="${blog.id}"]`);
    expect(await row.innerText()).toContain('~/src/blog');
    expect(await row.innerText()).toContain('Claude Code in tmux main:1.0');
    expect(await row.getAttribute('data-status')).toBe('running');
    expect(await my.win.by('session-row').count()).toBe(0);
    expect(await my.win.by('elsewhere-count').innerText()).toBe('1 elsewhere');
    await row.locator('.open').click();
    await until(
      () => my.daemon.requested('adopt_session').length,
      (count) => count === 1,
    );
    expect(my.daemon.requested('adopt_session')[0]?.params).toEqual({ target: blog.id });
    await my.win.by('session-row').waitFor();
    await my.win.by('elsewhere').waitFor({ state: 'detached' });
  });

  it('says of others what is known, what can be done and why not', async () => {
    const shop = local(my, 'shop', 'another terminal (pts/4)', ['end'], {
      status: 'waiting',
      reason: 'permission prompt',
    });
    await my.open();
    const row = my.page.locator(`[data-testid=elsewhere-row][data-session="${shop.id}"]`);
    await row.locator('.open').click();
    const card = my.win.by('elsewhere-card');
    expect(await card.innerText()).toContain('another terminal (pts/4)');
    expect(await my.win.by('elsewhere-status').innerText()).toContain('permission prompt');
    expect(await my.win.by('elsewhere-continue').getAttribute('aria-disabled')).toBe('true');
    expect(await card.innerText()).toContain('End it first');
    expect(await my.win.by('elsewhere-adopt').count()).toBe(0);
    await my.win.by('elsewhere-end').click();
    await my.win.by('question').waitFor();
    expect(await my.win.by('question').innerText()).toContain('End shop?');
    await my.page.keyboard.press('Escape');
    // Once it has ended, its conversation can go on here.
    my.daemon.change(shop.id, { status: 'dead', pid: null });
    await my.page.locator('[data-testid=elsewhere-continue][aria-disabled=false]').waitFor();
    await my.win.by('elsewhere-continue').click();
    await until(
      () => my.daemon.requested('resume_conversation').length,
      (count) => count === 1,
    );
    expect(my.daemon.requested('resume_conversation')[0]?.params).toMatchObject({
      agent: 'claude',
      id: 'c0ffee',
    });
  });
});
