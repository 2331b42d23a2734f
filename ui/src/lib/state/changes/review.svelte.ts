import { RequestError } from '../../client/connection';
import type { Changes, ChangesRequest, Session } from '../../client/generated/protocol';
import { say } from '../../words';
import type { Belfry } from '../belfry.svelte';
import { explain, sentence } from '../explain-error';
import { isAlive } from '../alive';
import { Comments, composed, type Place } from './comments.svelte';
import { ShownDiff } from './shown.svelte';
import { canBeNamed } from './told';

const words = say.changes;

/** What is being done to a repository. */
export type Deed = keyof typeof words.doing;

/** A comment that is being written. */
export interface Draft extends Place {
  path: string;
  quote: readonly string[];
  /** The comment that it will replace. */
  edits: number | null;
  text: string;
}

/** One session's changes: what is known of them, what the person looks at, and what they write about it. */
export class Review {
  told = $state.raw<Changes | null>(null);
  problem = $state<string | null>(null);
  doing = $state<Deed | null>(null);
  /** The diff in the pane, and the one in the inspector, which is there while a file is chosen. */
  readonly pane: ShownDiff;
  readonly peek: ShownDiff;
  peeking = $state(false);
  readonly comments = new Comments();
  draft = $state<Draft | null>(null);
  sending = $state(false);
  /** The message of a commit that was not made yet. */
  message = $state<string | null>(null);
  private round = 0;

  constructor(
    private readonly belfry: Belfry,
    readonly id: string,
  ) {
    this.pane = new ShownDiff(belfry, id, this.comments);
    this.peek = new ShownDiff(belfry, id, this.comments);
  }

  get session(): Session | undefined {
    return this.belfry.sessions.get(this.id);
  }

  async load(): Promise<void> {
    const round = ++this.round;
    try {
      const params: ChangesRequest = { do: 'show', session: this.id };
      const told = await this.belfry.client.request('changes', { method: 'changes', params });
      if (round !== this.round) return;
      this.take(told);
    } catch (error) {
      if (round === this.round) this.problem = explain(error);
    }
  }

  private take(told: Changes): void {
    this.problem = null;
    if (JSON.stringify(told) !== JSON.stringify(this.told)) this.told = told;
  }

  /** Does something, and takes how things are after it. Failures are told, not thrown. */
  async act(deed: Deed, params: ChangesRequest): Promise<Changes | null> {
    if (this.doing) return null;
    this.doing = deed;
    try {
      const told = await this.belfry.client.request('changes', { method: 'changes', params });
      this.round += 1;
      this.take(told);
      return told;
    } catch (error) {
      this.belfry.toasts.fail(explain(error));
      // Half of it may be done: a merge that stopped at a conflict, say.
      void this.load();
      if (!(error instanceof RequestError)) throw error;
      return null;
    } finally {
      this.doing = null;
    }
  }

  async stage(paths: readonly string[], staged: boolean, hunk: number | null = null): Promise<void> {
    const session = this.id;
    if (paths.length === 0) return;
    await this.act(staged ? 'stage' : 'unstage', {
      do: staged ? 'stage' : 'unstage',
      session,
      paths: [...paths],
      hunk,
    });
    await Promise.all([this.pane.list(this.told), this.peeking ? this.peek.list(this.told) : undefined]);
  }

  /** Puts files back, after asking. What was there is one click away for a while. */
  async discard(paths: readonly string[]): Promise<void> {
    const named = paths.filter((path) => !path.includes('\u{fffd}'));
    if (named.length === 0) return;
    const agreed = await this.belfry.dialogs.ask({
      title: words.discardTitle(named.length),
      text: words.discardText,
      quote: named.length > 12 ? [...named.slice(0, 12), '…'].join('\n') : named.join('\n'),
      agree: words.discardAgree,
      danger: true,
    });
    if (!agreed) return;
    const before = new Set(this.told?.checkpoints.map(({ id }) => id));
    const told = await this.act('discard', { do: 'discard', session: this.id, paths: named });
    if (!told) return;
    const saved = told.checkpoints.find(({ id }) => !before.has(id));
    const undo = saved && { label: words.undo, run: () => void this.goTo(saved.id) };
    this.belfry.toasts.show(words.discarded(named.length), undo);
  }

  /** Puts the files back to a checkpoint, and tells how to get out of it again. */
  async goTo(checkpoint: string): Promise<void> {
    const before = new Set(this.told?.checkpoints.map(({ id }) => id));
    const told = await this.act('back', { do: 'go_to', session: this.id, checkpoint });
    if (!told) return;
    const saved = told.checkpoints.find(({ id }) => !before.has(id));
    const undo = saved && { label: words.undo, run: () => void this.goTo(saved.id) };
    this.belfry.toasts.show(words.wentBack, undo);
  }

  async keep(): Promise<void> {
    const label = words.ownLabel;
    if (await this.act('checkpoint', { do: 'make_checkpoint', session: this.id, label }))
      this.belfry.toasts.show(words.kept);
  }

  /** Pushes the branch; where the remote has other commits, after asking once more. */
  async push(): Promise<boolean> {
    const done = await this.act('push', { do: 'push', session: this.id, force: false });
    if (done) this.belfry.toasts.show(words.pushedNow(done.branch ?? words.branch));
    return done !== null;
  }

  async pushAnyway(): Promise<void> {
    const agreed = await this.belfry.dialogs.ask({
      title: words.pushAnywayTitle,
      text: words.pushAnywayText,
      agree: words.pushAnywayAgree,
      danger: true,
    });
    if (!agreed) return;
    const done = await this.act('push', { do: 'push', session: this.id, force: true });
    if (done) this.belfry.toasts.show(words.pushedNow(done.branch ?? words.branch));
  }

  async pull(onto: 'rebase' | 'merge'): Promise<void> {
    const done = await this.act('pull', { do: 'pull', session: this.id, onto });
    if (done) this.belfry.toasts.show(words.pulledNow(done.base ?? words.theBase));
  }

  async abort(): Promise<void> {
    const agreed = await this.belfry.dialogs.ask({
      title: words.abortTitle,
      text: words.abortText,
      agree: words.abort,
      danger: true,
    });
    if (agreed) await this.act('abort', { do: 'abort', session: this.id });
  }

  /** Puts a message about the conflicts into the box: the person sends it, or says more. */
  askToSettle(): void {
    const { belfry, session, told } = this;
    if (!session || !told) return;
    const files = told.files.filter((file) => file.kind === 'conflicted' && canBeNamed(file));
    const text = words.settle(
      told.operation ?? 'merge',
      told.base ?? words.theBase,
      files.map(({ path }) => path),
    );
    const before = belfry.messages.draft(session.id);
    belfry.messages.write(session.id, before ? `${before}\n\n${text}` : text);
    belfry.show(session.id);
    belfry.focusMessage();
  }

  /** Why comments cannot be sent. */
  get cannotSend(): string | undefined {
    const { session } = this;
    if (!session || session.agent === 'shell') return words.noAgent;
    return isAlive(session) || session.reason === 'hibernated' ? undefined : words.ended;
  }

  /** All comments as one message; they are kept where it does not go out. */
  async send(): Promise<void> {
    const { list } = this.comments;
    const { client, toasts, messages } = this.belfry;
    if (list.length === 0 || this.sending || this.cannotSend) return;
    this.sending = true;
    try {
      const text = composed(list);
      const sent = await client.request('message', {
        method: 'send_message',
        params: { session: this.id, text, now: false },
      });
      if (sent.delivery === 'failed') return toasts.fail(sentence(sent.why ?? say.messages.itWasNotTyped));
      this.comments.remove(...list.map(({ id }) => id));
      if (sent.delivery === 'unsure') toasts.fail(say.messages.itMayNotHaveArrived);
      else if (sent.delivery === 'queued') toasts.show(words.queuedComments(list.length));
      else toasts.show(words.sentComments(list.length));
      void messages.load(this.id);
    } catch (error) {
      toasts.fail(explain(error));
    } finally {
      this.sending = false;
    }
  }

  /** Begins a comment, or goes on with one. */
  write(
    path: string,
    place: Place,
    quote: readonly string[],
    edits: { id: number; text: string } | null,
  ): void {
    const { side, from, to } = place;
    this.draft = { path, side, from, to, quote, edits: edits?.id ?? null, text: edits?.text ?? '' };
  }

  /** Keeps the comment that was written. */
  finish(): void {
    const { draft } = this;
    if (!draft) return;
    if (draft.edits !== null) this.comments.edit(draft.edits, draft.text);
    else {
      const { path, side, from, to, quote, text } = draft;
      this.comments.add(path, { side, from, to }, quote, text);
    }
    this.draft = null;
  }
}
