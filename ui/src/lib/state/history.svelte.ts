import { untrack } from 'svelte';
import type { Happened, Session } from '../client/generated/protocol';
import type { Belfry } from './belfry.svelte';
import { explain } from './explain-error';

/** As many as the daemon gives at once. */
export const MOST_HISTORY = 500;
/** As many as are asked for where the rest is known. */
const RECENT = 20;
/** What follows each other within so many milliseconds is asked for at once. */
const PAUSE = 250;

/** What happened to one session; asked for anew when the session changes, and only while somebody looks. */
export class History {
  list = $state.raw<readonly Happened[] | null>(null);
  problem = $state<string | null>(null);
  private session: string | null = null;
  private round = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** While the component lives that makes it. */
  constructor(
    private readonly belfry: Pick<Belfry, 'client' | 'connection'>,
    session: () => Session,
  ) {
    const change = $derived.by(() => {
      const { id, status, since, ask } = session();
      return [id, status, since, ask?.id, belfry.connection.kind].join(' ');
    });
    $effect(() => {
      void change;
      untrack(() => this.changed(session().id));
    });
    $effect(() => {
      const seen = () => this.changed(session().id);
      document.addEventListener('visibilitychange', seen);
      return () => {
        document.removeEventListener('visibilitychange', seen);
        clearTimeout(this.timer);
      };
    });
  }

  private changed(session: string): void {
    if (session !== this.session) {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.session = session;
      this.list = null;
      void this.load(session, MOST_HISTORY);
    } else
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        // What nobody sees is asked for when somebody does.
        if (!document.hidden) void this.load(session, this.list ? RECENT : MOST_HISTORY);
      }, PAUSE);
  }

  private async load(session: string, limit: number): Promise<void> {
    const round = ++this.round;
    try {
      const newest = await this.belfry.client.request('history', {
        method: 'list_history',
        params: { session, limit },
      });
      if (round !== this.round) return;
      const list = newest.length < limit || limit === MOST_HISTORY ? newest : joined(newest, this.list ?? []);
      if (!list) return await this.load(session, MOST_HISTORY);
      this.list = list;
      this.problem = null;
    } catch (error) {
      if (round === this.round) this.problem = explain(error);
    }
  }
}

/** The newest before the ones that were known, newest first; nothing where something between them may be missing. */
export function joined(newest: readonly Happened[], known: readonly Happened[]): readonly Happened[] | null {
  const last = newest.at(-1);
  const place = last ? known.findIndex((one) => same(one, last)) : -1;
  return place < 0 ? null : [...newest, ...known.slice(place + 1)].slice(0, MOST_HISTORY);
}

/** A question stays the same one when it is answered. */
function same(a: Happened, b: Happened): boolean {
  if (a.happened === 'ask') return b.happened === 'ask' && a.ask === b.ask;
  return b.happened === 'status' && a.at === b.at && a.from === b.from && a.to === b.to;
}
