import { describe, expect, it } from 'vitest';
import type { AgentInfo, Session } from '$lib/client/generated/protocol';
import type { Belfry } from '$lib/state/belfry.svelte';
import { adoptable, deeds, directory, ordered, placeWords } from './elsewhere';

const agents = [{ id: 'claude', name: 'Claude Code' }] as AgentInfo[];

function session(part: Partial<Session>): Session {
  return {
    id: 'a',
    name: 'claude in blog',
    agent: 'claude',
    kind: 'local',
    status: 'idle',
    cwd: '/home/u/src/blog',
    conversation_id: 'c',
    pid: 7,
    local: { place: 'tmux main:1.0', at: { in: 'terminal' }, tty: 'pts/4', can: ['screen', 'adopt', 'end'] },
    ...part,
  } as Session;
}

describe('sessions that Belfry did not start', () => {
  it('come with those that ask first, then the newest', () => {
    const all = [session({ id: '1' }), session({ id: '2' }), session({ id: '0', status: 'waiting' })];
    expect(ordered(all).map(({ id }) => id)).toEqual(['0', '2', '1']);
  });

  it('are told by where they are', () => {
    expect(directory(session({}), '/home/u')).toBe('~/src/blog');
    expect(placeWords(session({}), agents)).toBe('Claude Code in tmux main:1.0');
    expect(adoptable(session({}))).toBe(true);
  });

  it('say what can be done with them, and why something cannot', () => {
    const belfry = {} as Belfry;
    const can = (part: Partial<Session>) =>
      Object.fromEntries(deeds(belfry, session(part)).map((deed) => [deed.id, deed.not]));
    expect(Object.keys(can({}))).toEqual(['adopt', 'continue', 'end']);
    expect(can({}).continue).toMatch(/End it first/);
    expect(can({ status: 'dead', local: null })).toMatchObject({ continue: undefined, end: 'It has ended.' });
    expect(can({ status: 'dead', conversation_id: null }).continue).toBe('Its conversation is not known.');
    expect(Object.keys(can({ local: null }))).not.toContain('adopt');
  });
});
