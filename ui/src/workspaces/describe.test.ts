import { describe, expect, it } from 'vitest';
import type { Losses, Workspace } from '$lib/client/generated/protocol';
import { found, isOrphan, lossList, size } from './describe';

const one = (part: Partial<Workspace> = {}): Workspace => ({
  id: 'w',
  kind: 'worktree',
  path: '/home/dev/worktrees/shop-cart',
  repository: '/home/dev/src/shop',
  project: null,
  branch: 'cart',
  base: 'origin/main',
  state: { is: 'ready' },
  sessions: [],
  ports: null,
  disk: null,
  created_at: null,
  notice: null,
  ...part,
});
const nothing: Losses = {
  path: '',
  uncommitted: { count: 0, bytes: 0, first: [] },
  untracked: { count: 0, bytes: 0, first: [] },
  ignored: { count: 0, bytes: 0, first: [] },
  unpushed: [],
  unpushed_count: 0,
  stashes: [],
  operation: null,
  repositories: [],
  processes: [],
  refused: null,
  fingerprint: '',
};

describe('a workspace', () => {
  it('is an orphan where Belfry made it and no session has it', () => {
    expect(isOrphan(one())).toBe(true);
    expect(isOrphan(one({ sessions: ['s'] }))).toBe(false);
    expect(isOrphan(one({ id: null }))).toBe(false);
    expect(isOrphan(one({ state: { is: 'warm' } }))).toBe(false);
    expect(isOrphan(one({ state: { is: 'removed', until: '' } }))).toBe(false);
  });

  it('is found by its branch, its directory and its sessions', () => {
    expect(found(one(), ['Totals'], 'cart tot')).toBe(true);
    expect(found(one(), [], 'SHOP')).toBe(true);
    expect(found(one(), [], 'ledger')).toBe(false);
  });
});

describe('what would be lost', () => {
  it('is nothing where nothing is', () => expect(lossList(nothing)).toEqual([]));

  it('is named up to five of a kind, and counted', () => {
    const first = Array.from({ length: 50 }, (_, at) => `f${at}`);
    const list = lossList({
      ...nothing,
      untracked: { count: 1_200, bytes: 2_400_000, first },
      unpushed: ['a b'],
      unpushed_count: 1,
    });
    expect(list.map(({ key, count, more }) => [key, count, more])).toEqual([
      ['untracked', '1,200 files, 2 MB', 1_195],
      ['unpushed', '1 commit', 0],
    ]);
    expect(list[0]?.first).toHaveLength(5);
  });

  it('has a size that can be read', () => {
    expect([0, 12, 18_200, 2_400_000, 1_530_000_000].map(size)).toEqual([
      '0 KB',
      '1 KB',
      '18 KB',
      '2 MB',
      '1.5 GB',
    ]);
  });
});
