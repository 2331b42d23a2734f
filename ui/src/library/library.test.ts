import { describe, expect, it } from 'vitest';
import type { Conversation, Hit, Session, Usage } from '$lib/client/generated/protocol';
import { setLocales } from '$lib/words/locale';
import { say } from '$lib/words';
import { lastWords, letters, progress, short, size, tokens } from './describe';
import { rowsOf } from './hit-rows';
import { between, even, stacked } from './layout';
import { living, liveOf } from './live';
import { EVERYTHING, listOf, narrowed, searches, searchOf, since } from './query';

setLocales(['en-US']);
const one = (part: Partial<Conversation>) =>
  ({ agent: 'claude', id: 'a', title: 'A', ...part }) as Conversation;
const hit = (part: object) =>
  ({
    at: '2026-01-02T03:04:05Z',
    role: 'prompt',
    text: [],
    more: 0,
    subagent: null,
    seq: 1,
    ...part,
  }) as unknown as Hit;

describe('a query', () => {
  it('is searched for from its second letter on, and from the first where that is a word', () => {
    for (const [text, expected] of [
      ['', false],
      ['r', false],
      ['r ', false],
      ['  -- "" ', false],
      ['re', true],
      ['本', true],
      ['a b', true],
    ] as const)
      expect(searches({ ...EVERYTHING, text }), text).toBe(expected);
  });

  it('begins at the beginning of a day', () => {
    const now = new Date(2026, 2, 10, 15, 30).getTime();
    expect(since('any', now)).toBeNull();
    expect(since('today', now)).toBe(new Date(2026, 2, 10).toISOString());
    expect(since('week', now)).toBe(new Date(2026, 2, 3).toISOString());
    // Over the change to another month.
    expect(since('month', now)).toBe(new Date(2026, 1, 8).toISOString());
  });

  it('asks for what is narrowed, and keeps the blank behind a whole word', () => {
    const query = { ...EVERYTHING, text: ' token ', role: 'answer', file: ' auth.rs ' } as const;
    expect(narrowed(query)).toBe(true);
    expect(searchOf(query, 0, 5, 10)).toMatchObject({
      text: 'token ',
      roles: ['answer'],
      file: 'auth.rs',
      scrollback: false,
      skip: 5,
      limit: 10,
    });
    expect(searchOf(EVERYTHING, 0, 0, 10)).toMatchObject({ roles: [], file: null, scrollback: true });
    expect(listOf(query, 0, 0, 10)).toMatchObject({ text: 'token', agents: [], directory: null });
    expect(narrowed({ ...EVERYTHING, text: 'token' })).toBe(false);
  });
});

describe('hits', () => {
  it('are put together by conversation, in the order of the best of each, the title in the head', () => {
    const [a, b] = [one({}), one({ id: 'b', title: 'B' })];
    const rows = rowsOf([
      hit({ conversation: b, seq: 4 }),
      hit({ conversation: a, role: 'title', seq: null, text: [{ text: 'A', marked: true }] }),
      hit({ conversation: b, seq: 9, more: 7 }),
      hit({ conversation: b, seq: 9, more: 7 }),
      hit({ conversation: b, seq: 9, subagent: 'x' }),
    ]);
    expect(rows.map(({ kind, key }) => `${kind} ${key.replaceAll('\n', '/')}`)).toEqual([
      'head claude/b',
      'hit claude/b//4',
      'hit claude/b//9',
      'hit claude/b/x/9',
      'head claude/a',
    ]);
    expect(rows[0]).toMatchObject({ more: 7, title: null });
    expect(rows[4]).toMatchObject({ title: [{ text: 'A', marked: true }] });
  });

  it('in terminals are put together by session', () => {
    const line = (offset: number) => ({ session: 's', run: 'r', name: 'shell', offset });
    const lines = [7, 8, 7].map((offset) => hit({ role: 'scrollback', line: line(offset) }));
    expect(rowsOf(lines).map(({ kind }) => kind)).toEqual(['session', 'line', 'line']);
  });

  it('of a kind that a newer daemon knows are left out', () => {
    expect(rowsOf([hit({ somewhere: 'else' })])).toEqual([]);
  });
});

describe('rows of a long list', () => {
  it('are found by their height, alike or not', () => {
    const same = even(10_000, 68);
    expect(between(same, 68 * 500, 68 * 503)).toEqual({ from: 500, to: 504 });
    expect(between(same, -50, 10)).toEqual({ from: 0, to: 1 });
    expect(between(same, 1e9, 2e9)).toEqual({ from: 9_999, to: 10_000 });
    const rows = stacked([38, 46, 46, 38]);
    expect([0, 37, 38, 84, 130, 999].map((y) => rows.at(y))).toEqual([0, 0, 1, 2, 3, 3]);
    expect(rows.height).toBe(168);
    expect(between(stacked([]), 0, 100)).toEqual({ from: 0, to: 0 });
  });
});

describe('where a conversation goes on', () => {
  const session = (part: Partial<Session>) =>
    ({ id: 's', agent: 'claude', name: 'mine', status: 'running', conversation_id: 'a', ...part }) as Session;
  const known = (all: Session[]) => (id: string) => all.find((each) => each.id === id);

  it('is what the window hears of sessions, and not what it was told with the list', () => {
    const live = { pid: 7, place: 'mine', session: 's' };
    const running = session({});
    expect(liveOf(one({}), living([running]), known([running]))).toMatchObject({ words: 'mine' });
    const dead = session({ status: 'dead' });
    expect(liveOf(one({ live }), living([dead]), known([dead]))).toBeNull();
    const moved = session({ conversation_id: 'other' });
    expect(liveOf(one({ live }), living([moved]), known([moved]))).toBeNull();
    expect(liveOf(one({ live }), new Map(), known([]))).toMatchObject({ pid: 7, session: undefined });
    const elsewhere = { ...live, place: 'tmux main:1.0', session: null };
    expect(liveOf(one({ live: elsewhere }), new Map(), known([]))).toMatchObject({ words: 'tmux main:1.0' });
  });
});

describe('words', () => {
  it('tell sizes and counts in few digits', () => {
    expect([0, 999, 1_000, 36_400, 4_730_000, 199_999_999, 3_200_000_000].map(size)).toEqual([
      '0 B',
      '999 B',
      '1 kB',
      '36 kB',
      '4.7 MB',
      '200 MB',
      '3.2 GB',
    ]);
    expect([0, 999, 1_250, 92_410, 999_600, 12_000_000].map(short)).toEqual([
      '0',
      '999',
      '1.3k',
      '92k',
      '1M',
      '12M',
    ]);
    const usage = { input: 1, output: 2, cache_read: 3, cache_write: 4 } as Usage;
    expect(tokens(usage)).toBe(10);
  });

  it('say below a title only what is not in it', () => {
    expect(lastWords(one({ title: 'Fix it', first_prompt: 'Fix it', last_prompt: 'And\n this' }))).toBe(
      'And this',
    );
    expect(lastWords(one({ title: 'Fix it', first_prompt: 'Fix it\nplease', last_prompt: 'Fix it' }))).toBe(
      '',
    );
    expect(lastWords(one({ title: 'Named', first_prompt: 'First', last_prompt: null }))).toBe('First');
  });

  it('tell of reading where that takes long enough to be read', () => {
    const busy = (done: number, total: number) => ({ done, total, busy: true });
    expect(progress({ done: 9, total: 9, busy: false }, 0)).toBeNull();
    expect(progress(busy(1_240, 10_000), 50)).toBe('Reading 1,240 of 10,000…');
    expect(progress(busy(0, 0), 0)).toBe(say.library.lookingForThem);
    expect(progress(busy(0, 0), 12)).toBeNull();
    expect(progress(busy(0, 2), 12)).toBeNull();
    expect(progress(busy(0, 2), 0)).toBe('Reading 0 of 2…');
  });

  it('name an agent in two letters', () => {
    expect(['Claude Code', 'Codex', 'OpenCode', 'Gemini CLI', 'x', '🤖'].map(letters)).toEqual([
      'CC',
      'Co',
      'Op',
      'GC',
      'X',
      '🤖',
    ]);
  });
});
