import { describe, expect, it } from 'vitest';
import { hibernated, isAlive } from './alive';

const session = (status: 'idle' | 'dead' | 'running', reason: string | null, pid: number | null) => ({
  status,
  reason,
  pid,
});

describe('a session', () => {
  it('sleeps where its program was put to sleep, and only there', () => {
    expect(hibernated(session('idle', 'hibernated', null))).toBe(true);
    expect(isAlive(session('idle', 'hibernated', null))).toBe(false);
    // What an agent says of itself puts nothing to sleep.
    expect(hibernated(session('idle', 'hibernated', 4))).toBe(false);
    expect(hibernated(session('dead', 'hibernated', null))).toBe(false);
    expect(isAlive(session('idle', null, 4))).toBe(true);
    expect(isAlive(session('dead', 'exit 1', null))).toBe(false);
  });
});
