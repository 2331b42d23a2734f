import type { Conversation } from '$lib/client/generated/protocol';
import type { Belfry } from '$lib/state/belfry.svelte';
import { say } from '$lib/words';
import type { MenuItem } from '../parts/menu';
import { canShow, cannotResume, type Deeds } from './deeds';
import type { Library } from './library.svelte';

/** What can be done with a conversation, as a menu. `resume` goes on in it, `fork` in a copy. */
export function conversationMenu(
  belfry: Belfry,
  library: Library,
  deeds: Deeds,
  conversation: Conversation,
  resume: () => void,
  fork: () => void,
): MenuItem[] {
  const words = say.library;
  const live = library.live(conversation);
  const there = live !== null && canShow(live.session);
  const { openDirectory } = belfry.surroundings;
  return [
    there
      ? { label: words.goThere, run: () => void deeds.go(live), testid: 'conversation-go' }
      : {
          label: words.resume,
          run: resume,
          unavailable: live ? words.liveMark(live.words) : cannotResume(belfry, conversation),
          testid: 'conversation-resume',
        },
    { label: deeds.forkLabel(conversation), run: fork, testid: 'conversation-fork' },
    'line',
    {
      label: words.copyId,
      run: () => void deeds.copyId(conversation),
      testid: 'conversation-copy-id',
    },
    {
      label: words.openFolder,
      run: () => void deeds.openFolder(conversation),
      unavailable:
        conversation.cwd === null ? words.noDirectory : openDirectory ? undefined : words.notInABrowser,
      testid: 'conversation-folder',
    },
    'line',
    {
      label: conversation.hidden ? words.unhide : words.hide,
      run: () =>
        void deeds.hide(conversation, !conversation.hidden, (now) => library.hidden(conversation, now)),
      testid: 'conversation-hide',
    },
  ];
}
