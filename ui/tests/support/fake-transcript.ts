import type {
  Conversation,
  Entry,
  LearntConversation,
  Note,
  Request,
  Said,
  Todo,
} from '../../src/lib/client/generated/protocol';
import { conversation } from './fake-library';

/** Between two entries, in their numbers and in time. */
export const PLACES = 160;
const SECONDS = 20_000;

const text = (of: string, cut = 0) => ({ text: of, cut });

/** What can be said. */
export const says = {
  prompt: (of: string): Said => ({ kind: 'prompt', ...text(of) }),
  answer: (of: string, cut = 0): Said => ({ kind: 'answer', ...text(of, cut) }),
  thought: (of: string): Said => ({ kind: 'thought', ...text(of) }),
  tool: (call: string, name: string, about: string | null, args: object, diff?: string): Said => ({
    kind: 'tool',
    call,
    name,
    about,
    arguments: text(JSON.stringify(args)),
    files: diff && about ? [about] : [],
    diff: diff ? text(diff) : null,
  }),
  result: (call: string, output: string, part: Partial<Extract<Said, { kind: 'result' }>> = {}): Said => ({
    kind: 'result',
    call,
    output: text(output),
    failed: false,
    diff: null,
    subagent: null,
    ...part,
  }),
  todos: (...items: Todo[]): Said => ({ kind: 'todos', items }),
  image: (media_type: string, bytes: number): Said => ({ kind: 'image', media_type, bytes }),
  note: (note: Note, of = ''): Said => ({ kind: 'note', note, text: text(of) }),
};

/** What is in the conversations of a pretended daemon. */
export class FakeTranscripts {
  private readonly logs = new Map<string, Entry[]>();
  readonly abouts = new Map<string, Conversation>();
  readonly ledgers = new Map<string, LearntConversation[]>();
  /** Conversations that cannot be read, by id. */
  readonly failures = new Map<string, { code: string; message: string }>();

  /** Adds entries to a conversation, or to what a subagent of it did. */
  say(id: string, said: readonly Said[], { subagent = null as string | null, since = 0 } = {}): Entry[] {
    const key = keyOf(id, subagent);
    const log = this.logs.get(key) ?? [];
    const begins = since || Date.now() - 26 * 60_000;
    const made = said.map((one, at): Entry => {
      const place = log.length + at;
      return {
        seq: place * PLACES,
        at: new Date(begins + place * SECONDS).toISOString(),
        id: null,
        subagent,
        said: one,
      };
    });
    this.logs.set(key, [...log, ...made]);
    return made;
  }

  /** Puts an entry in the place of one that has grown. */
  grow(id: string, seq: number, said: Said): void {
    const log = this.logs.get(keyOf(id, null)) ?? [];
    this.logs.set(
      keyOf(id, null),
      log.map((entry) => (entry.seq === seq ? { ...entry, said } : entry)),
    );
  }

  about(id: string, part: Partial<Conversation>): void {
    this.abouts.set(id, { ...conversation(), ...part, id });
  }

  /** The answer to a request; none where it is about something else. */
  reply(request: Request): readonly [string, unknown?] | { failed: object } | undefined {
    switch (request.method) {
      case 'list_conversations': {
        const { id } = request.params;
        if (id === null) return undefined;
        const found = this.abouts.get(id);
        const indexing = { done: 1, total: 1, busy: false };
        return ['conversations', { conversations: found ? [found] : [], total: found ? 1 : 0, indexing }];
      }
      case 'read_transcript': {
        const { id, subagent, from, before, limit } = request.params;
        const failure = this.failures.get(id);
        const log = this.logs.get(keyOf(id, subagent));
        if (failure) return { failed: failure };
        if (!log) return { failed: { code: 'conversation_gone', message: 'its agent does not have it' } };
        return ['transcript', page(log, from, before, limit)];
      }
      case 'list_ledger':
        return ['ledger', this.ledgers.get(request.params.session) ?? []];
      default:
        return undefined;
    }
  }
}

function keyOf(id: string, subagent: string | null): string {
  return subagent === null ? id : `${id} ${subagent}`;
}

function page(log: readonly Entry[], from: number | null, before: number | null, limit: number) {
  if (from !== null) {
    const all = log.filter(({ seq }) => seq >= from);
    return { entries: all.slice(0, limit), earlier: all.length < log.length, later: all.length > limit };
  }
  const all = before === null ? log : log.filter(({ seq }) => seq < before);
  return { entries: all.slice(-limit), earlier: all.length > limit, later: all.length < log.length };
}
