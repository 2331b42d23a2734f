import type { ReplyKind } from '../client/connection';
import type { Delivery, Request, Session } from '../client/generated/protocol';
import { say } from '../words';
import { isAlive } from './alive';
import type { Belfry } from './belfry.svelte';
import { explain } from './explain-error';
import { subject, told, type Outcome } from './outcome';
import { positioned, type Ordered } from './positions';
import { bySiblings, placeOf, type Place } from './tree';

/** What became of a text that went to several sessions. */
export interface Sent {
  session: Session;
  delivery: Delivery;
  why: string | null;
}

/** What a person can do to one session or to several at once. Each says what it did, and how to undo it. */
export class BulkActions {
  constructor(private readonly belfry: Belfry) {}

  async pin(sessions: readonly Session[], pinned: boolean): Promise<void> {
    const changed = this.now(sessions).filter((one) => one.pinned !== pinned);
    const outcome = await this.mark(changed, { pinned });
    this.tell(outcome, pinned ? say.bulk.pinned : say.bulk.notPinnedAnyMore, () =>
      this.pin(outcome.done, !pinned),
    );
  }

  async mute(sessions: readonly Session[], muted: boolean): Promise<void> {
    const changed = this.now(sessions).filter((one) => one.muted !== muted);
    const outcome = await this.mark(changed, { muted });
    this.tell(outcome, muted ? say.bulk.muted : say.bulk.notMutedAnyMore, () =>
      this.mute(outcome.done, !muted),
    );
  }

  /** For so many seconds, with that in words; 0 ends it. */
  async snooze(sessions: readonly Session[], seconds: number, until: string): Promise<void> {
    const outcome = await this.mark(sessions, { snooze_seconds: Math.round(seconds) });
    const what = seconds > 0 ? say.bulk.snoozed(until) : say.bulk.notSnoozedAnyMore;
    this.tell(outcome, what, seconds > 0 ? () => this.snooze(outcome.done, 0, '') : undefined);
  }

  /** Into a project or a group, or out of all; before one that is there, or where their order puts them. */
  async move(sessions: readonly Session[], place: Place, before?: string | null | 'first'): Promise<void> {
    const was = sessions.map((one) => ({ one, place: this.placeOf(one), position: one.position }));
    const changes = before === undefined ? [] : this.positions(sessions, place, before);
    const position = new Map(changes.map((one) => [one.id, one.position]));
    const stays = was.every((old) => same(old.place, place));
    const outcome = await this.each(sessions, 'session', (session) => ({
      method: 'move_session',
      params: { session: session.id, ...place, position: position.get(session.id) ?? null },
    }));
    const moved = new Set(sessions.map(({ id }) => id));
    const others = changes.filter(({ id }) => !moved.has(id)).map(({ id }) => this.belfry.sessions.get(id));
    // The neighbours' numbers had no gap any more.
    await this.each(
      others.filter((one) => one !== undefined),
      'session',
      (session) => ({
        method: 'move_session',
        params: { session: session.id, ...this.placeOf(session), position: position.get(session.id) ?? null },
      }),
    );
    // What was only put elsewhere among its siblings is seen to be there.
    if (stays && outcome.failed.length === 0) return;
    this.tell(outcome, say.bulk.inPlace(this.nameOf(place)), async () => {
      const back = new Map(was.map((old) => [old.one.id, old]));
      const undone = await this.each(outcome.done, 'session', (session) => ({
        method: 'move_session',
        params: {
          session: session.id,
          ...(back.get(session.id)?.place ?? { project: null, group: null }),
          position: back.get(session.id)?.position ?? null,
        },
      }));
      this.tell(undone, say.bulk.backAgain(undone.done.length));
    });
  }

  async archive(sessions: readonly Session[], archived: boolean): Promise<void> {
    const outcome = await this.each(sessions, 'session', (session) => ({
      method: 'archive_session',
      params: { session: session.id, archived },
    }));
    this.tell(
      outcome,
      archived ? say.bulk.inTheArchive : say.bulk.outOfTheArchive,
      archived ? () => this.archive(outcome.done, false) : undefined,
    );
  }

  async kill(sessions: readonly Session[]): Promise<void> {
    const alive = sessions.filter(isAlive);
    if (alive.length === 0) return this.belfry.toasts.show(say.bulk.allOfThemHaveEnded);
    const one = alive.length === 1;
    const agreed = await this.belfry.dialogs.ask({
      title: say.bulk.killAlive(subject(alive)),
      text: one ? say.bulk.itsProgramEndsNow : say.bulk.theirProgramsEndNow,
      quote: one ? undefined : alive.map(({ name }) => name).join('\n'),
      agree: say.bulk.kill,
      danger: true,
    });
    if (!agreed) return;
    const outcome = await this.each(alive, 'session', (session) => ({
      method: 'kill_session',
      params: { session: session.id },
    }));
    if (!one || outcome.failed.length > 0) this.tell(outcome, say.bulk.killed);
  }

  /** Those that have ended, again. */
  async restart(sessions: readonly Session[]): Promise<void> {
    const dead = this.now(sessions).filter((one) => !isAlive(one));
    if (dead.length === 0) return this.belfry.toasts.show(say.selection.allRunning);
    const outcome = await this.each(dead, 'session', (session) => ({
      method: 'restart_session',
      params: { session: session.id, anew: false, base_env: null },
    }));
    this.tell(outcome, say.selection.restarted);
  }

  async remove(sessions: readonly Session[]): Promise<void> {
    const alive = sessions.filter(isAlive);
    const secret = sessions.filter((one) => one.private);
    if (alive.length > 0 || secret.length > 0) {
      const rest = secret.length === sessions.length ? [] : [say.bulk.theRestGoesToTheTrashFor];
      const agreed = await this.belfry.dialogs.ask({
        title: say.bulk.deleteSessions(subject(sessions)),
        text: [
          alive.length > 0 && say.bulk.endNow(subject(alive), alive.length),
          secret.length > 0 && say.bulk.goneForGood(subject(secret), secret.length),
          ...(secret.length > 0 ? rest : [say.bulk.allGoToTheTrashForA]),
        ]
          .filter(Boolean)
          .join(' '),
        quote: sessions.map(({ name }) => name).join('\n'),
        agree: alive.length > 0 ? say.bulk.killAndDelete : say.bulk.deleteForGood,
        danger: true,
      });
      if (!agreed) return;
    }
    const outcome = await this.each(sessions, 'removed', (session) => ({
      method: 'remove_session',
      params: { session: session.id, now: false, kill: isAlive(session) },
    }));
    const trashed = outcome.done.filter((one) => !one.private);
    const gone = outcome.done.length - trashed.length;
    const what = trashed.length > 0 ? say.bulk.inTheTrash : say.bulk.gone;
    const shown = { done: trashed.length > 0 ? trashed : outcome.done, failed: outcome.failed };
    this.tell(
      shown,
      trashed.length > 0 && gone > 0 ? say.bulk.andPrivateForGood(what, gone) : what,
      trashed.length > 0 ? () => this.restore(trashed) : undefined,
    );
  }

  async restore(sessions: readonly Session[]): Promise<void> {
    const outcome = await this.each(sessions, 'session', (session) => ({
      method: 'restore_session',
      params: { session: session.id },
    }));
    this.tell(outcome, say.bulk.back);
  }

  /** One text to each; what became of it is for the caller to show. */
  async broadcast(sessions: readonly Session[], text: string, now: boolean): Promise<Sent[]> {
    return Promise.all(
      sessions.map(async (session): Promise<Sent> => {
        try {
          const params = { session: session.id, text, now };
          const sent = await this.belfry.client.request('message', { method: 'send_message', params });
          return { session, delivery: sent.delivery, why: sent.why };
        } catch (error) {
          return { session, delivery: 'failed', why: explain(error) };
        }
      }),
    );
  }

  /** As they are by now: what is undone was changed meanwhile. */
  private now(sessions: readonly Session[]): Session[] {
    return sessions.map((one) => this.belfry.sessions.get(one.id) ?? one);
  }

  private mark(
    sessions: readonly Session[],
    marks: Partial<{ pinned: boolean; muted: boolean; snooze_seconds: number }>,
  ): Promise<Outcome> {
    return this.each(sessions, 'session', (session) => ({
      method: 'mark_session',
      params: { session: session.id, pinned: null, muted: null, snooze_seconds: null, ...marks },
    }));
  }

  private async each(
    sessions: readonly Session[],
    kind: ReplyKind,
    request: (session: Session) => Request,
  ): Promise<Outcome> {
    const outcome: Outcome = { done: [], failed: [] };
    const answers = await Promise.allSettled(
      sessions.map((session) => this.belfry.client.request(kind, request(session))),
    );
    answers.forEach((answer, at) => {
      const session = sessions[at];
      if (!session) return;
      if (answer.status === 'fulfilled') outcome.done.push(session);
      else outcome.failed.push({ session, why: explain(answer.reason) });
    });
    return outcome;
  }

  private tell(outcome: Outcome, what: string, undo?: () => Promise<void>): void {
    const { toasts } = this.belfry;
    const text = told(outcome, what);
    if (!text) return;
    if (outcome.done.length === 0) toasts.fail(text);
    else toasts.show(text, undo && { label: say.bulk.undo, run: () => void undo() });
  }

  /** Numbers that put the sessions there, pinned ones among the pinned. */
  private positions(sessions: readonly Session[], place: Place, before: string | null | 'first'): Ordered[] {
    const { sessions: known } = this.belfry;
    const siblings = known.listed.filter((one) => same(this.placeOf(one), place)).sort(bySiblings);
    const at = before === 'first' ? 0 : siblings.findIndex(({ id }) => id === before);
    const behind = at < 0 ? [] : siblings.slice(at);
    return [true, false].flatMap((pinned) => {
      const moved = sessions.filter((one) => one.pinned === pinned).map(({ id }) => id);
      if (moved.length === 0) return [];
      const next = behind.find((one) => one.pinned === pinned && !moved.includes(one.id));
      return positioned(
        siblings.filter((one) => one.pinned === pinned),
        moved,
        next?.id ?? null,
      );
    });
  }

  private placeOf(session: Session): Place {
    return placeOf(session, this.belfry.sessions.projects, this.belfry.sessions.groups);
  }

  private nameOf(place: Place): string {
    const { projects, groups } = this.belfry.sessions;
    const group = place.group === null ? undefined : groups.get(place.group);
    const project = place.project === null ? undefined : projects.get(place.project);
    if (!project) return say.bulk.noProjectNow;
    return group ? `${group.name} (${project.name})` : project.name;
  }
}

function same(a: Place, b: Place): boolean {
  return a.project === b.project && a.group === b.group;
}
