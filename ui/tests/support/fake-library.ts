import type {
  Conversation,
  Hit,
  Indexing,
  List,
  Piece,
  Request,
  Search,
  Session,
} from '../../src/lib/client/generated/protocol';
import { PLACES } from './fake-transcript';

const MINUTE = 60_000;
let serial = 0;

export function conversation(part: Partial<Conversation> = {}): Conversation {
  serial += 1;
  const updated = new Date(Date.now() - serial * 37 * MINUTE).toISOString();
  return {
    agent: 'claude',
    id: `5b0d7a00-0000-4000-8000-${String(serial).padStart(12, '0')}`,
    title: `Conversation ${serial}`,
    cwd: '/home/dev/src/storefront',
    branch: 'main',
    model: 'opus',
    first_prompt: 'Where are the totals added up?',
    last_prompt: 'Now the same for the other tax.',
    prompts: 7,
    started_at: updated,
    updated_at: updated,
    bytes: 182_000,
    usage: {
      input: 12_000,
      output: 8_400,
      cache_read: 72_000,
      cache_write: 0,
      context: null,
      context_size: null,
      cost: null,
      estimated: false,
    },
    forked_from: null,
    file: `/home/dev/.claude/projects/storefront/${serial}.jsonl`,
    unread: null,
    hidden: false,
    session: null,
    live: null,
    ...part,
  };
}

/** A text with what was looked for marked. */
export function pieces(text: string, wanted: string): Piece[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const pattern = new RegExp(`(${words.map((word) => word.replace(/\W/g, '\\$&')).join('|')})`, 'i');
  return text
    .split(pattern)
    .map((piece, at) => ({ text: piece, marked: at % 2 === 1 }))
    .filter(({ text: piece }) => piece !== '');
}

/** The conversations of a pretended daemon. */
export class FakeLibrary {
  readonly conversations: Conversation[] = [];
  /** What was said, by a conversation's id. */
  readonly said = new Map<string, { role: Hit['role']; text: string; subagent?: string }[]>();
  /** Lines that terminals showed, by a session's id. */
  readonly shown = new Map<string, string[]>();
  indexing: Indexing = { done: 0, total: 0, busy: false };
  /** Refuses to resume these, by id. */
  readonly refusals = new Map<string, { code: string; message: string; next?: string }>();

  constructor(
    private readonly owner: {
      sessions(): Session[];
      resume(conversation: Conversation, cwd: string | null): Session;
    },
  ) {}

  add(part: Partial<Conversation> = {}, ...said: [Hit['role'], string][]): Conversation {
    const made = conversation(part);
    this.conversations.push(made);
    if (said.length > 0)
      this.said.set(
        made.id,
        said.map(([role, text]) => ({ role, text })),
      );
    return made;
  }

  /** The answer to a request; none where it is about something else. */
  reply(request: Request): readonly [string, unknown?] | { failed: object } | undefined {
    switch (request.method) {
      case 'list_conversations':
        return ['conversations', this.list(request.params)];
      case 'search_text':
        return ['hits', { found: this.search(request.params), indexing: this.indexing }];
      case 'hide_conversation': {
        const { id, hidden } = request.params;
        const at = this.conversations.findIndex((one) => one.id === id);
        const one = this.conversations[at];
        if (one) this.conversations[at] = { ...one, hidden };
        return ['done'];
      }
      case 'resume_conversation': {
        const { id, cwd } = request.params;
        const refusal = this.refusals.get(id);
        if (refusal) return { failed: refusal };
        const one = this.conversations.find((found) => found.id === id);
        if (!one) return { failed: { code: 'conversation_gone', message: 'it is gone' } };
        return ['session', this.owner.resume(one, cwd)];
      }
      default:
        return undefined;
    }
  }

  private fits(one: Conversation, query: List | Search): boolean {
    const { agents, directory, hidden, since } = query;
    const below = (cwd: string) => cwd === directory || cwd.startsWith(`${directory}/`);
    return (
      (agents.length === 0 || agents.includes(one.agent)) &&
      (directory === null || (one.cwd !== null && below(one.cwd))) &&
      (hidden || !one.hidden) &&
      (since === null || one.updated_at >= since)
    );
  }

  private list(list: List) {
    const words = (list.text ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    const all = this.conversations
      .filter((one) => this.fits(one, list))
      .filter((one) => words.every((word) => `${one.title} ${one.cwd}`.toLowerCase().includes(word)))
      .toSorted((a, b) => (a.updated_at < b.updated_at ? 1 : -1));
    return {
      conversations: all.slice(list.skip, list.skip + list.limit),
      total: all.length,
      indexing: this.indexing,
    };
  }

  private search(search: Search) {
    const words = search.text.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (text: string) => words.every((word) => text.toLowerCase().includes(word));
    const role = (one: Hit['role']) => search.roles.length === 0 || search.roles.includes(one);
    const at = (n: number) => new Date(Date.now() - n * MINUTE).toISOString();
    const hits: Hit[] = this.conversations
      .filter((one) => this.fits(one, search))
      .flatMap((one) => {
        const said = [{ role: 'title' as const, text: one.title }, ...(this.said.get(one.id) ?? [])];
        const found = said.flatMap((entry, seq) =>
          has(entry.text) && role(entry.role) ? [{ ...entry, seq }] : [],
        );
        return found.slice(0, 3).map(({ text, seq, ...entry }): Hit => ({
          conversation: one,
          subagent: 'subagent' in entry ? (entry.subagent ?? null) : null,
          // The title comes before the first entry.
          seq: entry.role === 'title' ? null : (seq - 1) * PLACES,
          at: at(seq + 3),
          role: entry.role,
          text: pieces(text, search.text),
          more: Math.max(0, found.length - 3),
        }));
      });
    for (const session of search.scrollback && role('scrollback') ? this.owner.sessions() : []) {
      const lines = (this.shown.get(session.id) ?? []).filter(has);
      for (const text of lines.slice(0, 3))
        hits.push({
          line: {
            session: session.id,
            name: session.name,
            agent: session.agent,
            cwd: session.cwd,
            alive: session.status !== 'dead',
            run: '01890000-0000-7000-8000-0000000000aa',
            offset: 100 + text.length,
          },
          at: at(9),
          role: 'scrollback',
          text: pieces(text, search.text),
          more: Math.max(0, lines.length - 3),
        });
    }
    return { hits: hits.slice(search.skip, search.skip + search.limit), total: hits.length, more: false };
  }
}
