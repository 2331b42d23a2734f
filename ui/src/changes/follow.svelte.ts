import { untrack } from 'svelte';
import type { Session } from '$lib/client/generated/protocol';
import type { Belfry } from '$lib/state/belfry.svelte';
import type { Review } from '$lib/state/changes/review.svelte';
import { Follow } from '../transcript/follow';

/** While the component lives that calls it, a session's changes are asked for when there is a sign that they are others. */
export function follows(belfry: Belfry, session: () => Session, loaded: (review: Review) => unknown): void {
  const load = async () => {
    const review = belfry.changes.of(session().id);
    await review.load();
    await loaded(review);
  };
  const follow = new Follow(load);
  $effect(() => () => follow.stop());
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
