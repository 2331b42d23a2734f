import { describe, expect, it } from 'vitest';
import type { Session } from '../client/generated/protocol';
import {
  age,
  baseName,
  ended,
  secondLine,
  shellQuote,
  shortPath,
  shownStatus,
  span,
  spoken,
  statusText,
} from './describe';

function session(part: Partial<Session>): Session {
  return {
    id: 'a',
    name: 'name',
    agent: 'shell',
    status: 'idle',
    unseen: false,
    cwd: '/home/dev/src/shop',
    project: null,
    position: 0,
    command: ['/usr/bin/zsh'],
    branch: null,
    activity: null,
    reason: null,
    exit: null,
    ...part,
  } as Session;
}

describe('words', () => {
  it('for how a run ended', () => {
    expect(ended({ how: 'code', code: 0 })).toBe('Finished');
    expect(ended({ how: 'code', code: 3 })).toBe('Exit code 3');
    expect(ended({ how: 'signal', signal: 9, name: 'SIGKILL' })).toBe('Killed by SIGKILL');
    expect(ended({ how: 'machine_restarted' })).toBe('Machine restarted');
    expect(ended(null)).toBe('Ended');
  });

  it('for the status', () => {
    expect(shownStatus(session({ unseen: true }))).toBe('done');
    expect(shownStatus(session({ unseen: true, status: 'running' }))).toBe('running');
    expect(statusText(session({ status: 'running', activity: 'npm test' }))).toBe('Running: npm test');
    expect(statusText(session({ status: 'dead', exit: { how: 'keeper_lost' } }))).toBe(
      'Its keeper was killed',
    );
  });

  it.each<[Partial<Session>, string]>([
    [{ status: 'running', activity: 'Running `npm test`' }, 'Running `npm test`'],
    [{ status: 'running', activity: 'editing src/a.rs' }, 'Editing src/a.rs'],
    [{ status: 'running', activity: 'ping host' }, 'Running: ping host'],
    [{ status: 'running', activity: '2 subagents' }, 'Running: 2 subagents'],
    [{ status: 'running' }, 'Running'],
    [{ status: 'starting' }, 'Starting'],
    [{ status: 'waiting', reason: 'approval' }, 'Waiting: approval'],
    [{ status: 'waiting' }, 'Waiting for an answer'],
    [{ status: 'blocked', reason: 'usage limit, resets 15:30' }, 'Blocked: usage limit, resets 15:30'],
    [{}, 'Idle'],
    [{ reason: 'hibernated' }, 'Idle: hibernated'],
    [{ activity: '1 shell in the background' }, 'Idle · 1 shell in the background'],
    [{ unseen: true }, 'Done · unseen'],
    [{ status: 'unknown' }, 'Unknown'],
  ])('for %o', (part, words) => {
    expect(statusText(session(part))).toBe(words);
  });

  it('for the second line: what it does, else how it is and what', () => {
    expect(secondLine(session({ branch: 'main' }), [])).toBe('Idle · zsh · main');
    expect(secondLine(session({ agent: 'codex', unseen: true }), [])).toBe('Done · unseen · Codex');
    expect(secondLine(session({ agent: 'codex', activity: 'Thinking', status: 'running' }), [])).toBe(
      'Thinking',
    );
    expect(spoken('approve `cargo test`')).toBe('approve cargo test');
  });

  it.each([
    [-5, '0 s'],
    [48_000, '48 s'],
    [61_000, '1 min'],
    [7_200_000, '2 h'],
    [200_000_000, '2 d'],
  ])('for a span of %i ms', (ms, words) => {
    expect(span(ms)).toBe(words);
  });

  it('for paths', () => {
    expect(shortPath('/home/dev/src', '/home/dev')).toBe('~/src');
    expect(shortPath('/home/dev', '/home/dev')).toBe('~');
    expect(shortPath('/home/devil', '/home/dev')).toBe('/home/devil');
    expect(shortPath('/etc', '/')).toBe('/etc');
    expect(baseName('/a/b/')).toBe('b');
    expect(baseName('/')).toBe('/');
  });

  it.each([
    [0, 'now'],
    [59, 'now'],
    [61, '1m'],
    [3_599, '59m'],
    [3_600, '1h'],
    [90_000, '1d'],
    [-500, 'now'],
  ])('for %i seconds ago', (seconds, words) => {
    const now = Date.parse('2026-01-02T12:00:00Z');
    expect(age(new Date(now - seconds * 1_000).toISOString(), now)).toBe(words);
  });

  it('for a shell', () => {
    expect(shellQuote('0189-abc')).toBe('0189-abc');
    expect(shellQuote("it's")).toBe("'it'\\''s'");
  });
});
