import type { Session } from '$lib/client/generated/protocol';
import { label } from '$lib/keymap';
import type { Belfry } from '$lib/state/belfry.svelte';
import { isOpen } from '$lib/state/changes/told';
import { cannotCreate } from '$lib/state/pulls';
import { say } from '$lib/words';
import type { MenuItem } from '../parts/menu';

/** What can be done with a session's changes, in its menu. What git refuses is told when it is tried. */
export function changesMenu(belfry: Belfry, session: Session): MenuItem[] {
  const { mac, changes, pulls } = belfry;
  const words = say.changes;
  const review = changes.of(session.id);
  const none = session.changes === null ? words.noRepository : undefined;
  const pull = session.pull_request;
  const items: MenuItem[] = [
    {
      label: words.commit,
      run: () => changes.commit(session.id),
      unavailable: none ?? (session.changes?.files === 0 ? words.nothingToCommit : undefined),
      keys: label('commit-changes', mac),
      testid: 'menu-commit',
    },
    {
      label: words.push,
      run: () => void review.push(),
      unavailable: none,
      keys: label('push-branch', mac),
      testid: 'menu-push',
    },
    {
      label: words.pullRebase,
      run: () => void review.pull('rebase'),
      unavailable: none,
      keys: label('refresh-base', mac),
      testid: 'menu-rebase',
    },
    { label: words.pullMerge, run: () => void review.pull('merge'), unavailable: none, testid: 'menu-merge' },
    { label: words.keepNow, run: () => void review.keep(), unavailable: none, testid: 'menu-keep' },
  ];
  return [
    { label: words.face, items, unavailable: none, testid: 'menu-changes-more' },
    isOpen(pull)
      ? {
          label: `${say.pulls.open} (${say.pulls.numbered(pull.number)})`,
          run: () => pulls.openLink(pull.url),
          testid: 'menu-pr',
        }
      : {
          label: say.pulls.create,
          run: () => pulls.create(session),
          unavailable: cannotCreate(session),
          keys: label('create-pull-request', mac),
          testid: 'menu-pr',
        },
  ];
}
