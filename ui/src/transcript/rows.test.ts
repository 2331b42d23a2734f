import { describe, expect, it } from 'vitest';
import type { Entry, Said } from '$lib/client/generated/protocol';
import { given } from './arguments';
import { plain } from './plain';
import { rowAt, rowOf, rows, took } from './rows';
import { around, downwards, ending, MOST_ROWS, STEP, upwards } from './slice';

const text = (of: string) => ({ text: of, cut: 0 });
const at = (second: number) => `2026-03-02T12:00:${String(second).padStart(2, '0')}Z`;
let seq = 0;
const entry = (said: Said, part: Partial<Entry> = {}): Entry => ({
  seq: (seq += 16),
  at: null,
  id: null,
  subagent: null,
  said,
  ...part,
});
const call = (id: string): Said => ({
  kind: 'tool',
  call: id,
  name: 'Bash',
  about: 'ls',
  arguments: text('{}'),
  files: [],
  diff: null,
});
const result = (id: string, part: Partial<Extract<Said, { kind: 'result' }>> = {}): Said => ({
  kind: 'result',
  call: id,
  output: text('out'),
  failed: false,
  diff: null,
  subagent: null,
  ...part,
});

describe('rows', () => {
  it('have a tool together with what it gave', () => {
    const list = rows([
      entry({ kind: 'prompt', ...text('do it') }),
      entry(call('a'), { at: at(1) }),
      entry(call('b'), { at: at(2) }),
      entry(result('b', { failed: true }), { at: at(4) }),
      entry(result('a'), { at: at(9) }),
      entry(result('unknown')),
    ]);
    expect(list.map((row) => row.is)).toEqual(['said', 'tool', 'tool', 'tool']);
    const [, first, second, lone] = list as [unknown, ...Extract<(typeof list)[0], { is: 'tool' }>[]];
    expect(first).toMatchObject({ call: { call: 'a' }, result: { call: 'a' } });
    expect(second).toMatchObject({ result: { failed: true } });
    expect(lone).toMatchObject({ call: null, result: { call: 'unknown' } });
    expect(took(first!)).toBe(8000);
    expect(took(lone!)).toBeNull();
  });

  it('put what a subagent said among the rest aside, and not in its own transcript', () => {
    const inside = [
      entry({ kind: 'prompt', ...text('look') }, { subagent: 's' }),
      entry({ kind: 'answer', ...text('seen') }, { subagent: 's' }),
    ];
    const list = rows([
      entry({ kind: 'prompt', ...text('a') }),
      ...inside,
      entry({ kind: 'answer', ...text('b') }),
    ]);
    expect(list.map((row) => row.is)).toEqual(['said', 'aside', 'said']);
    expect(list[1]).toMatchObject({ subagent: 's', rows: [{ is: 'said' }, { is: 'said' }] });
    expect(rowOf(list, inside[1]!.seq)).toBe(1);
    expect(rows(inside, 's').map((row) => row.is)).toEqual(['said', 'said']);
  });

  it('are found by place and by time', () => {
    const list = rows([
      entry({ kind: 'prompt', ...text('a') }, { at: at(10) }),
      entry(call('c'), { at: at(20) }),
      entry(result('c'), { at: at(30), seq: 9_999 }),
    ]);
    expect(rowOf(list, 9_999)).toBe(1);
    expect(rowOf(list, list[0]!.seq + 1)).toBe(0);
    expect(rowAt(list, Date.parse(at(25)))).toBe(1);
    expect(rowAt(list, Date.parse(at(1)))).toBe(0);
    expect(rowAt([], 0)).toBe(-1);
  });
});

it('takes as many rows into the page as it lets go', () => {
  expect(ending(10)).toEqual({ from: 0, to: 10 });
  const end = ending(1000);
  const up = upwards(end);
  expect(up).toEqual({ from: end.from - STEP, to: end.to - STEP });
  expect(downwards(up, 1000)).toEqual(end);
  expect(around(500, 1000)).toEqual({ from: 500 - MOST_ROWS / 2, to: 500 + MOST_ROWS / 2 });
  expect(around(3, 1000)).toEqual({ from: 0, to: MOST_ROWS });
  expect(around(999, 1000)).toEqual(end);
  expect(around(2, 5)).toEqual({ from: 0, to: 5 });
});

it('tells arguments by their names', () => {
  expect(given('{"command":"ls -l","timeout":5,"env":{"A":"b"}}')).toEqual([
    { name: 'command', value: 'ls -l' },
    { name: 'timeout', value: '5' },
    { name: 'env', value: '{\n  "A": "b"\n}' },
  ]);
  expect(given('*** Begin Patch')).toEqual([{ name: null, value: '*** Begin Patch' }]);
  expect(given('{"cut": "of')).toEqual([{ name: null, value: '{"cut": "of' }]);
  expect(given('  ')).toEqual([]);
});

it('shows what turns letters around, and leaves what joins them', () => {
  expect(plain('a\u202eb\r\nc')).toBe('a⟨U+202E⟩b\nc');
  expect(plain('👩\u200d👧 می\u200cخواهم')).toBe('👩\u200d👧 می\u200cخواهم');
});
