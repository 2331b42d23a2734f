import { describe, expect, it } from 'vitest';
import type { QueuedMessage, Recording } from '$lib/client/generated/protocol';
import { digits, fromWall, heights, holeAt, latest, points, stop, toWall, type Point } from './recording';
import { parse } from './source';

const NOON = Date.parse('2026-03-04T12:00:00Z');
const HOUR = 3_600_000;

/** Two runs; in the first the machine slept for an hour after 10 s. */
const recording: Recording = {
  length: 50_000,
  bytes: 10,
  cols: 80,
  rows: 24,
  runs: [
    { run: 'a', from: 0, to: 20_000, began: new Date(NOON).toISOString() },
    { run: 'b', from: 21_000, to: 50_000, began: new Date(NOON + 5 * HOUR).toISOString() },
  ],
  activity: [],
  marks: [
    { at: 0, kind: 'run', text: '' },
    { at: 2_000, kind: 'turn', text: '' },
    { at: 9_000, kind: 'ask', text: 'Run it?' },
    { at: 21_000, kind: 'run', text: '' },
  ],
  gaps: true,
  holes: [{ at: 30_000, bytes: 4_096, why: 'disk_full' }],
  sizes: [
    { at: 0, cols: 80, rows: 24 },
    { at: 12_000, cols: 100, rows: 30 },
  ],
  clocks: [
    { at: 0, wall: NOON },
    { at: 10_000, wall: NOON + HOUR },
    { at: 21_000, wall: NOON + 5 * HOUR },
  ],
};

describe('the clock on the wall', () => {
  it('is told for any moment, over sleep and the time between runs', () => {
    expect(toWall(recording, 5_000)).toBe(NOON + 5_000);
    expect(toWall(recording, 12_000)).toBe(NOON + HOUR + 2_000);
    expect(toWall(recording, 20_500)).toBe(NOON + HOUR + 10_000);
    expect(toWall(recording, 22_000)).toBe(NOON + 5 * HOUR + 1_000);
    expect(toWall({ ...recording, clocks: [] }, 22_000)).toBe(NOON + 5 * HOUR + 1_000);
    expect(toWall({ ...recording, runs: [] }, 0)).toBeUndefined();
  });

  it('leads back to the moment, or to the next that there is', () => {
    for (const at of [0, 5_000, 12_000, 22_000, 50_000])
      expect(fromWall(recording, toWall(recording, at) ?? 0)).toBe(at);
    expect(fromWall(recording, NOON - HOUR)).toBe(0);
    expect(fromWall(recording, NOON + HOUR / 2)).toBe(10_000);
    expect(fromWall(recording, NOON + 3 * HOUR)).toBe(21_000);
    expect(fromWall(recording, NOON + 9 * HOUR)).toBe(50_000);
  });
});

describe('marks', () => {
  const message = (text: string, at: number, delivery: QueuedMessage['delivery'] = 'delivered') =>
    ({ id: text, text, delivery, why: null, queued_at: new Date(at).toISOString() }) as QueuedMessage;
  const sent = [
    message('fix\n the tests', NOON + 3_000),
    message('waits', NOON + 4_000, 'queued'),
    message('long ago', NOON - HOUR),
  ];
  const told = (list: readonly Point[]) => list.map(({ at, kind }) => `${kind} ${at}`);

  it('are those of the daemon, messages, sizes, holes and where runs end', () => {
    const all = points(recording, sent, false);
    expect(told(all)).toEqual([
      'run 0',
      'turn 2000',
      'message 3000',
      'ask 9000',
      'size 12000',
      'end 20000',
      'run 21000',
      'hole 30000',
      'end 50000',
    ]);
    expect(all[2]?.text).toBe('fix the tests');
    expect(told(points(recording, [], true))).not.toContain('end 50000');
  });

  it('are gone to and fro between', () => {
    const all = points(recording, sent, false);
    expect(stop(all, 0, true)?.at).toBe(2_000);
    expect(stop(all, 9_000, true)).toBeUndefined();
    expect(stop(all, 9_500, false)?.at).toBe(3_000);
    expect(stop(all, 2_500, false)).toBeUndefined();
    expect([latest(all, 8_000)?.kind, latest(all, 20_500)?.kind]).toEqual(['message', 'ask']);
  });

  it('tell of a hole where it is', () => {
    expect(holeAt(recording, 29_999)).toBeUndefined();
    expect(holeAt(recording, 31_000)?.why).toBe('disk_full');
    expect(holeAt(recording, 40_000)).toBeUndefined();
  });
});

it('writes times as players do', () => {
  expect([0, 65_900, 7_384_000].map(digits)).toEqual(['0:00', '1:05', '2:03:04']);
});

it('shows a few lines beside a flood', () => {
  const [none, few, flood] = heights([0, 40, 5_000_000]);
  expect([none, flood]).toEqual([0, 1]);
  expect(few).toBeGreaterThan(0.1);
});

describe('what is read', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const lines = `{"is":"picture","at":0,"cols":2,"rows":1,"text":"ü"}\n{"is":"smell","at":1}\nnonsense\n{"is":"output","at":5,"text":"€"}\n{"is":"end","next":5}\n`;

  it('is taken apart wherever it was cut', () => {
    const whole = parse([bytes(lines)]);
    expect(whole.lines.map((line) => line.is)).toEqual(['picture', 'output']);
    expect(whole.next).toBe(5);
    const all = bytes(lines);
    for (const size of [1, 7, 50]) {
      const pieces = [];
      for (let at = 0; at < all.length; at += size) pieces.push(all.slice(at, at + size));
      expect(parse(pieces)).toEqual(whole);
    }
  });
});
