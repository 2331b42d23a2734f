import type { ChangedFile } from '$lib/client/generated/protocol';
import type { Belfry } from '$lib/state/belfry.svelte';
import type { Review } from '$lib/state/changes/review.svelte';
import { canBeNamed } from '$lib/state/changes/told';
import { say } from '$lib/words';
import type { MenuItem } from '../parts/menu';

/** What can be done with one changed file. */
export function fileMenu(belfry: Belfry, review: Review, file: ChangedFile): MenuItem[] {
  const words = say.changes;
  const { session } = review;
  const named = canBeNamed(file) ? undefined : words.cannotName;
  const committed = named ?? (file.staged === 'committed' ? words.stagedWords.committed : undefined);
  const staged = file.staged === 'all';
  return [
    {
      label: words.openInPane,
      run: () => session && belfry.changes.open(session, file.path),
      unavailable: named,
      testid: 'file-pane',
    },
    {
      label: staged ? words.unstageThisFile : words.stageThisFile,
      run: () => void review.stage([file.path], !staged),
      unavailable: committed,
      keys: 'S',
      testid: 'file-menu-stage',
    },
    {
      label: words.copyPath,
      run: () => {
        belfry.surroundings.writeClipboard(file.path).then(
          () => belfry.toasts.show(say.transcript.copied),
          () => belfry.toasts.fail(say.transcript.couldNotCopy),
        );
      },
      testid: 'file-copy',
    },
    'line',
    {
      label: words.discard,
      run: () => void review.discard([file.path]),
      unavailable: committed,
      danger: true,
      keys: say.keys.del,
      testid: 'file-discard',
    },
  ];
}
