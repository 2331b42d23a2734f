import type {
  Findings,
  MergeHow,
  PullDraft,
  PullRequest,
  PullRequestRequest,
  Session,
} from '../client/generated/protocol';
import { say } from '../words';
import type { Belfry } from './belfry.svelte';
import { isOpen } from './changes/told';
import { explain, sentence } from './explain-error';

const words = say.pulls;

/** Why no pull request can be made from a session. */
export function cannotCreate(session: Session): string | undefined {
  if (session.changes === null) return words.noWorkspace;
  return isOpen(session.pull_request) ? words.has(session.pull_request.number) : undefined;
}

/** What the person has written for one that is not made yet. */
export interface Unmade {
  title: string;
  body: string;
  base: string;
  draft: boolean;
}

/** What can be done with pull requests. Failures are told, not thrown, where nothing else is said. */
export class Pulls {
  /** What was edited and not made, by session. In this window only. */
  readonly unmade = new Map<string, Unmade>();
  /** The session of which one is made as soon as its changes are committed. */
  waiting: string | null = null;

  constructor(private readonly belfry: Belfry) {}

  /** Opens the dialog that makes one. */
  create(session: Session): void {
    const { dialogs } = this.belfry;
    dialogs.about = session.id;
    dialogs.open = 'pull-request';
  }

  /** To the commit that is wanted first, and back. */
  commitFirst(session: Session): void {
    this.waiting = session.id;
    this.belfry.changes.commit(session.id);
  }

  /** What one would begin with; throws. */
  draft(session: string): Promise<PullDraft> {
    return this.ask('pull_draft', { do: 'draft', session });
  }

  /** Makes one; throws. */
  async make(params: Extract<PullRequestRequest, { do: 'create' }>): Promise<PullRequest> {
    const made = await this.ask('pull_request', params);
    const open = { label: words.open, run: () => this.openLink(made.url) };
    this.belfry.toasts.show(words.created(made.number), open);
    return made;
  }

  async refresh(session: Session): Promise<void> {
    await this.told(() => this.ask('pull_request', { do: 'refresh', session: session.id }));
  }

  async merge(session: Session, how: MergeHow): Promise<void> {
    const pull = session.pull_request;
    if (!pull) return;
    const agreed = await this.belfry.dialogs.ask({
      title: words.mergeTitle(pull.number),
      text: words.mergeText(words.merges[how], pull.base),
      quote: pull.title,
      agree: words.merge,
    });
    if (!agreed) return;
    const merged = await this.told(() => this.ask('pull_request', { do: 'merge', session: session.id, how }));
    if (!merged) return;
    this.belfry.toasts.show(words.merged(merged.number));
    if (merged.state === 'merged') await this.offerRemoval(session, merged);
  }

  async sendFindings(session: Session, what: Findings): Promise<void> {
    const { toasts, messages } = this.belfry;
    const sent = await this.told(() =>
      this.ask('message', { do: 'send_findings', session: session.id, what }),
    );
    if (!sent) return;
    void messages.load(session.id);
    if (sent.delivery === 'failed') toasts.fail(sentence(sent.why ?? say.messages.itWasNotTyped));
    else toasts.show(what === 'checks' ? words.sentChecks : words.sentComments);
  }

  openLink(url: string): void {
    this.belfry.surroundings.openLink(url).catch(() => this.belfry.toasts.fail(words.couldNotOpen));
  }

  /** A workspace whose branch is merged has done its work. */
  private async offerRemoval(session: Session, pull: PullRequest): Promise<void> {
    const { dialogs } = this.belfry;
    const workspace = session.workspace_id;
    if (workspace === null) return;
    const agreed = await dialogs.ask({
      title: words.removeWorkspace,
      text: words.removeText(pull.number, session.branch ?? session.name),
      agree: words.removeAgree,
    });
    if (agreed) dialogs.over = { kind: 'remove', workspace, name: session.branch ?? session.name };
  }

  private ask<K extends 'pull_draft' | 'pull_request' | 'message'>(kind: K, params: PullRequestRequest) {
    return this.belfry.client.request(kind, { method: 'pull_request', params });
  }

  private async told<T>(deed: () => Promise<T>): Promise<T | null> {
    try {
      return await deed();
    } catch (error) {
      this.belfry.toasts.fail(explain(error));
      return null;
    }
  }
}
