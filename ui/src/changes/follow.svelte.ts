import { untrack } from 'svelte';
import type { Session } from '$lib/client/generated/protocol';
import type { Belfry } from '$lib/state/belfry.svelte';
import type { Review } from '$lib/state/changes/review.svelte';
import { Follow, heard } from '../transcript/follow';

/** Milliseconds between two looks at what a program that prints may have written, where no count says so. */
const PAUSE = 4_000;

/** While the component lives that calls it, a session's changes are asked for when there is a sign that they are others. */
export function follows(belfry: Belfry, session: () => Session, loaded: (review: Review) => unknown): void {
  const load = async () => {
    const review = belfry.changes.of(session().id);
    await review.load();
    await loaded(review);
  };
  const follow = new Follow(load);
  // A line in place of another leaves all counts as they were.
  const slow = new Follow(load, PAUSE);
  $effect(() => () => {
    follow.stop();
    slow.stop();
  });
  const id = $derived(session().id);
  $effect(() => {
    const shown = id;
    const now = untrack(() => belfry.sessions.get(shown));
    return untrack(() => (now ? heard(belfry, now, slow.ring) : undefined));
  });
  const sign = $derived.by(() => {
    const { id, changes, status, since, activity, branch } = session();
    return [id, JSON.stringify(changes), status, since, activity, branch, belfry.connection.kind].join(' ');
  });
  let first: string | null = null;
  $effect(() => {
    void sign;
    const { id } = session();
    untrack(() => {
      // What was not looked at yet is asked for at once.
      if (first === id) return follow.ring();
      first = id;
      void load();
    });
  });
}
