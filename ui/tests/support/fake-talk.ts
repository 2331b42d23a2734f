import type { Explanation, QueuedMessage, Request, Session } from '../../src/lib/client/generated/protocol';

/** What the pretended daemon knows and does besides terminals: questions, explanations and messages. */
export interface Talking {
  session(id: string): Session;
  change(id: string, part: Partial<Session>): void;
}

export class FakeTalk {
  readonly explanations = new Map<string, Explanation>();
  readonly messages = new Map<string, QueuedMessage[]>();
  private serial = 0;

  constructor(private readonly daemon: Talking) {}

  /** The reply's kind and value, or nothing where the request is none of these. */
  reply(request: Request): [kind: string, value: unknown] | undefined {
    switch (request.method) {
      case 'answer_ask': {
        const { session } = request.params;
        this.daemon.change(session, { status: 'running', ask: null, activity: null, since: now() });
        return ['session', this.daemon.session(session)];
      }
      case 'explain_session': {
        const session = this.daemon.session(request.params.session);
        return ['explanation', this.explanations.get(session.id) ?? plain(session)];
      }
      case 'list_messages':
        return ['messages', this.messages.get(request.params.session) ?? []];
      case 'send_message': {
        const { session, text } = request.params;
        const free = this.daemon.session(session).status === 'idle' || request.params.now;
        this.serial += 1;
        const message: QueuedMessage = {
          id: `message ${this.serial}`,
          text,
          delivery: free ? 'delivered' : 'queued',
          why: free ? null : 'the agent works',
          queued_at: now(),
        };
        this.messages.set(session, [...(this.messages.get(session) ?? []), message]);
        this.count(session);
        return ['message', { id: message.id, delivery: message.delivery, why: null }];
      }
      case 'cancel_message': {
        for (const [session, list] of this.messages) {
          const left = list.filter(({ id }) => id !== request.params.message);
          if (left.length === list.length) continue;
          this.messages.set(session, left);
          this.count(session);
        }
        return ['message', { id: request.params.message, delivery: 'failed', why: 'taken back' }];
      }
      default:
        return undefined;
    }
  }

  private count(session: string): void {
    const queued = (this.messages.get(session) ?? []).filter(({ delivery }) => delivery === 'queued').length;
    this.daemon.change(session, { queued });
  }
}

function plain(session: Session): Explanation {
  return {
    name: session.name,
    agent: session.agent,
    version: null,
    status: session.status,
    reason: session.reason,
    for_ms: 40_000,
    activity_since: null,
    rule: 'The process runs.',
    evidence: [],
    missing: [],
    history: [],
  };
}

function now(): string {
  return new Date().toISOString();
}
