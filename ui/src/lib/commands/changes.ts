import type { Session } from '../client/generated/protocol';
import type { Belfry } from '../state/belfry.svelte';
import { noChanges, uncommitted } from '../state/changes/told';
import { cannotCreate } from '../state/pulls';
import { say } from '../words';
import type { Command } from './command';

const words = say.changes.commands;
const front = (belfry: Belfry) => belfry.sessions.get(belfry.arrangement.focused);

/** Does something with the session in front. */
const withFront = (run: (belfry: Belfry, session: Session) => unknown) => (belfry: Belfry) => {
  const session = front(belfry);
  if (session) void run(belfry, session);
};
/** Why that session cannot be used. */
const cannot =
  (why: (session: Session, belfry: Belfry) => string | undefined = () => undefined) =>
  (belfry: Belfry): string | undefined => {
    const session = front(belfry);
    if (!session) return say.commands.nothingIsOpen;
    return noChanges(session) ?? why(session, belfry);
  };
const pullOf = ({ pull_request: pull }: Session) => (pull ? undefined : say.pulls.none);

async function discardAll(belfry: Belfry, { id }: Session): Promise<void> {
  const review = belfry.changes.of(id);
  await review.load();
  const paths = review.told ? uncommitted(review.told).map(({ path }) => path) : [];
  if (paths.length > 0) await review.discard(paths);
  else belfry.toasts.show(say.changes.nothingHere);
}

export const CHANGES = [
  {
    id: 'commit-changes',
    title: words.commit,
    topic: 'Sessions',
    words: words.commitWords,
    keys: { other: ['Alt+Shift+C'], mac: ['Cmd+Alt+C'] },
    unavailable: cannot(({ changes }) => (changes?.files === 0 ? say.changes.nothingToCommit : undefined)),
    run: withFront(({ changes }, { id }) => changes.commit(id)),
  },
  {
    id: 'push-branch',
    title: words.push,
    topic: 'Sessions',
    words: words.pushWords,
    keys: { other: ['Alt+Shift+P'], mac: ['Cmd+Alt+P'] },
    unavailable: cannot(),
    run: withFront(({ changes }, { id }) => changes.of(id).push()),
  },
  {
    id: 'refresh-base',
    title: words.rebase,
    topic: 'Sessions',
    words: words.pullWords,
    keys: { other: ['Alt+Shift+B'], mac: ['Cmd+Alt+B'] },
    unavailable: cannot(),
    run: withFront(({ changes }, { id }) => changes.of(id).pull('rebase')),
  },
  {
    id: 'merge-base',
    title: words.merge,
    topic: 'Sessions',
    words: words.pullWords,
    unavailable: cannot(),
    run: withFront(({ changes }, { id }) => changes.of(id).pull('merge')),
  },
  {
    id: 'keep-checkpoint',
    title: words.checkpoint,
    topic: 'Sessions',
    words: words.checkpointWords,
    unavailable: cannot(),
    run: withFront(({ changes }, { id }) => changes.of(id).keep()),
  },
  {
    id: 'discard-changes',
    title: words.discard,
    topic: 'Sessions',
    words: words.discardWords,
    unavailable: cannot(),
    run: withFront(discardAll),
  },
  {
    id: 'send-comments',
    title: words.send,
    topic: 'Sessions',
    words: words.sendWords,
    keys: { other: ['Alt+Shift+S'], mac: ['Cmd+Alt+S'] },
    unavailable: cannot(({ id }, { changes }) =>
      changes.of(id).comments.list.length === 0 ? words.noComments : changes.of(id).cannotSend,
    ),
    run: withFront(({ changes }, { id }) => changes.of(id).send()),
  },
  {
    id: 'list-changes',
    title: words.list,
    topic: 'Window',
    words: words.listWords,
    unavailable: cannot(),
    run: ({ inspector }) => inspector.show('changes'),
  },
  {
    id: 'create-pull-request',
    title: say.pulls.create,
    topic: 'Sessions',
    words: say.pulls.createWords,
    keys: { other: ['Alt+Shift+R'], mac: ['Cmd+Alt+R'] },
    unavailable: cannot(cannotCreate),
    run: withFront(({ pulls }, session) => pulls.create(session)),
  },
  {
    id: 'refresh-pull-request',
    title: say.pulls.refreshCommand,
    topic: 'Sessions',
    words: say.pulls.createWords,
    unavailable: cannot(pullOf),
    run: withFront(({ pulls }, session) => pulls.refresh(session)),
  },
  {
    id: 'open-pull-request',
    title: say.pulls.openCommand,
    topic: 'Sessions',
    words: say.pulls.createWords,
    unavailable: cannot(pullOf),
    run: withFront(({ pulls }, { pull_request: pull }) => pull && pulls.openLink(pull.url)),
  },
] as const satisfies readonly Command[];
