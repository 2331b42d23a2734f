import { describe, expect, it } from 'vitest';
import type { AgentInfo, Session } from '../client/generated/protocol';
import { cannotFork, cannotResume, lost } from './conversations';

const can = { resume: true, fork: true, fork_earlier: false, history: true, find: true };
const agents = [
  { id: 'claude', name: 'Claude Code', can },
  { id: 'goose', name: 'Goose', can: { ...can, resume: false } },
] as AgentInfo[];

function session(part: Partial<Session>): Session {
  return {
    agent: 'claude',
    status: 'dead',
    conversation_id: 'c',
    exit: null,
    archived_at: null,
    trashed_at: null,
    ...part,
  } as Session;
}

describe('what can go on', () => {
  it('is what has ended and has a conversation', () => {
    expect(cannotResume(session({}), agents)).toBeUndefined();
    expect(cannotResume(session({ status: 'idle' }), agents)).toBe('it is running');
    expect(cannotResume(session({ agent: 'shell' }), agents)).toBe('a shell has no conversation');
    expect(cannotResume(session({ agent: 'goose' }), agents)).toBe('Goose cannot go on with one');
  });

  it('can be forked once something was said', () => {
    expect(cannotFork(session({ status: 'idle' }))).toBeUndefined();
    expect(cannotFork(session({ status: 'idle', conversation_id: null }))).toBe('nothing was said yet');
    expect(cannotFork(session({ agent: 'shell' }))).toBe('a shell has no conversation');
  });

  it('is resumed together where the machine has ended it', () => {
    const exit = { how: 'machine_restarted' } as const;
    const all = [
      session({ id: 'a', exit }),
      session({ id: 'b', exit: { how: 'code', code: 0 } }),
      session({ id: 'c', exit, archived_at: '2026-01-01T00:00:00Z' }),
      session({ id: 'd', exit, status: 'idle' }),
    ];
    expect(lost(all).map(({ id }) => id)).toEqual(['a']);
  });
});
