import { describe, expect, it } from 'vitest';
import type { Conversation, Hit } from '$lib/client/generated/protocol';
import { conversationSection, foundSections } from './found';

const one = (part: Partial<Conversation>) =>
  ({
    agent: 'claude',
    id: 'a',
    title: 'Rotate tokens',
    cwd: '/src/shop',
    session: null,
    ...part,
  }) as Conversation;
const hit = (part: object) =>
  ({
    at: '2026-01-02T03:04:05Z',
    role: 'prompt',
    more: 0,
    subagent: null,
    seq: 1,
    ...part,
  }) as unknown as Hit;
const text = (plain: string) => [{ text: plain, marked: false }];

describe('the palette', () => {
  it('offers conversations but for those of sessions that it lists', () => {
    const all = [
      one({}),
      one({ id: 'b', title: '', session: 's' }),
      one({ id: 'c', title: '\u202e', session: 't' }),
    ];
    const section = conversationSection(all, 'tok', new Set(['s']));
    expect(section?.items.map(({ key }) => key)).toEqual([
      'conversation claude\na',
      'conversation claude\nc',
    ]);
    expect(section?.items[0]?.parts).toEqual([
      { text: 'Rotate ', hit: false },
      { text: 'tok', hit: true },
      { text: 'ens', hit: false },
    ]);
    expect(conversationSection([], 'tok', new Set())).toBeNull();
  });

  it('lists what was said by conversation, and what was shown where it was not read already', () => {
    const conversation = one({});
    const line = (session: string) => ({ session, name: session, run: 'r', offset: 1 });
    const sections = foundSections(
      [
        hit({ conversation, role: 'title', seq: null, text: text('Rotate tokens') }),
        hit({ conversation, text: text('one\n two') }),
        hit({ conversation: one({ id: 'b', title: 'B' }), role: 'title', seq: null, text: text('B') }),
        hit({ line: line('read'), role: 'scrollback', text: text('x') }),
        hit({ line: line('ended'), role: 'scrollback', text: text('y') }),
      ],
      'token',
      new Set(['read']),
    );
    expect(sections.map(({ title, items }) => [title, items.map(({ goal }) => goal.kind)])).toEqual([
      ['Rotate tokens', ['entry']],
      ['B', ['conversation']],
      ['ended', ['line']],
    ]);
    expect(sections[0]?.items[0]?.parts).toEqual([{ text: 'one two', hit: false }]);
  });
});
