import { describe, expect, it } from 'vitest';
import { ACK_EVERY, Credit } from './credit';
import { SnapshotCollector, type Snapshot } from './snapshot';

describe('credit', () => {
  it('grants in steps, and every byte once', () => {
    const grants: number[] = [];
    const credit = new Credit((bytes) => grants.push(bytes));
    credit.done(ACK_EVERY - 1);
    expect(grants).toEqual([]);
    credit.done(10);
    expect(grants).toEqual([ACK_EVERY + 9]);
    credit.done(ACK_EVERY);
    expect(grants).toEqual([ACK_EVERY + 9, ACK_EVERY]);
  });
});

describe('snapshot', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  function collect() {
    const seen: (string | Snapshot)[] = [];
    const collector = new SnapshotCollector(
      (snapshot) => seen.push(snapshot),
      (piece) => seen.push(new TextDecoder().decode(piece)),
    );
    return {
      seen,
      put: (flags: number, text: string) => collector.take({ offset: 0, flags, bytes: bytes(text) }),
    };
  }

  it('comes whole, between the output before and after', () => {
    const { seen, put } = collect();
    expect(put(0, 'before')).toBe(false);
    expect(put(1, 'a')).toBe(true);
    expect(put(0, 'b')).toBe(true);
    expect(seen).toEqual(['before']);
    expect(put(2 | 4, 'c')).toBe(true);
    put(0, 'after');
    expect(seen).toEqual(['before', { pieces: [bytes('a'), bytes('b'), bytes('c')], full: true }, 'after']);
  });

  it('can be one piece', () => {
    const { seen, put } = collect();
    put(3, 'x');
    expect(seen).toEqual([{ pieces: [bytes('x')], full: false }]);
  });

  it('starts again when another begins', () => {
    const { seen, put } = collect();
    put(1 | 4, 'old');
    put(1, 'new');
    put(2, '');
    expect(seen).toEqual([{ pieces: [bytes('new'), bytes('')], full: false }]);
  });
});
