import { describe, expect, it } from 'vitest';
import type { Entry, Happened, Said } from '$lib/client/generated/protocol';
import { Follow } from './follow';
import { merged } from './log.svelte';
import { dollars, filled, short, used } from './numbers';
import { outline } from './outline';

const text = (of: string) => ({ text: of, cut: 0 });
const at = (minute: number) => `2026-03-02T12:${String(minute).padStart(2, '0')}:00Z`;
const entry = (seq: number, said: Said, minute = seq, subagent: string | null = null): Entry => ({
  seq,
  at: at(minute),
  id: null,
  subagent,
  said,
});
const edit = (call: string, files: string[], diff: string | null): Said => ({
  kind: 'tool',
  call,
  name: 'Edit',
  about: files[0] ?? null,
  arguments: text(''),
  files,
  diff: diff === null ? null : text(diff),
});
const ask = (id: string, minute: number): Extract<Happened, { happened: 'ask' }> => ({
  happened: 'ask',
  at: at(minute),
  ask: id,
  kind: 'approval',
  text: 'Proceed?',
  about: 'cargo test',
  ended_at: null,
  outcome: 'answered',
  answer: 'Yes',
  answered_by: 'person',
});

describe('an outline', () => {
  const entries = [
    entry(10, { kind: 'prompt', ...text('first') }),
    entry(11, edit('a', ['x.rs'], '+1\n+2\n-3')),
    entry(12, edit('b', ['x.rs'], '+4')),
    entry(13, { kind: 'result', call: 'b', output: text(''), failed: true, diff: null, subagent: null }),
    entry(14, { kind: 'prompt', ...text('of a subagent') }, 14, 's'),
    entry(20, { kind: 'prompt', ...text('second') }),
    entry(21, edit('c', ['x.rs', 'y.rs'], '+1')),
  ];

  it('has prompts, files and tools in their order, and each file once for each prompt', () => {
    const lines = outline(entries, [], true).map(({ part, text: of }) => `${part} ${of}`);
    expect(lines).toEqual([
      'prompts first',
      'tools Edit',
      'files x.rs',
      'tools Edit',
      'prompts second',
      'tools Edit',
      'files x.rs',
      'files y.rs',
    ]);
    const [, first, file, second, , , several] = outline(entries, [], true);
    expect(file?.changed).toEqual({ added: 3, removed: 1 });
    expect([first?.failed, second?.failed]).toEqual([false, true]);
    expect(several?.changed).toBeNull();
  });

  it('has what was asked at its time, and of what was before it only where it is whole', () => {
    const asks = [ask('late', 30), ask('between', 15), ask('before', 1)];
    const keys = (whole: boolean) =>
      outline(entries, asks, whole)
        .filter(({ part }) => part !== 'tools' && part !== 'files')
        .map(({ key }) => key);
    expect(keys(true)).toEqual([
      'ask before',
      'prompts 10 first',
      'ask between',
      'prompts 20 second',
      'ask late',
    ]);
    expect(keys(false)).not.toContain('ask before');
  });
});

describe('entries', () => {
  const said = (of: string): Said => ({ kind: 'answer', ...text(of) });
  it('that are read again take the place of those before, and nothing changes where nothing is new', () => {
    const known = [entry(1, said('a')), entry(2, said('b'))];
    expect(merged(known, [])).toBe(known);
    expect(merged(known, [entry(2, said('b'))])).toBe(known);
    expect(merged(known, [entry(2, said('bc')), entry(3, said('d'))]).map((one) => one.said)).toEqual([
      said('a'),
      said('bc'),
      said('d'),
    ]);
    expect(merged([], known)).toBe(known);
    expect(merged(known, [entry(0, said('z'))]).map(({ seq }) => seq)).toEqual([0, 1, 2]);
  });
});

describe('numbers', () => {
  const none = { input: 0, output: 0, cache_read: 0, cache_write: 0 };
  const unknown = { context: null, context_size: null, cost: null, estimated: false };

  it('are short, and left out where they are not known', () => {
    expect([999, 18_400, 812_345, 999_999, 1_240_000].map(short)).toEqual([
      '999',
      '18.4k',
      '812k',
      '1.0M',
      '1.2M',
    ]);
    expect([1.184, 0.001, 0].map(dollars)).toEqual(['$1.18', 'under 1 ¢', '$0.00']);
    expect(used({ ...none, ...unknown })).toEqual([]);
    const all = { ...none, ...unknown, input: 5, output: 2, context: 92_000, context_size: 200_000, cost: 1 };
    expect(used(all).map(({ key, value }) => `${key} ${value}`)).toEqual([
      'context 46 %',
      'cost $1.00',
      'input 5',
      'output 2',
    ]);
    expect(filled({ ...all, context: 300_000 })).toBe(1);
    expect(filled({ ...all, context_size: 0 })).toBeNull();
  });
});

it('is asked for what is new once for many signs, and once more after the last', async () => {
  const hidden = { hidden: false, addEventListener: () => {}, removeEventListener: () => {} };
  Object.assign(globalThis, { document: hidden });
  let asked = 0;
  const twice = new Promise<void>((resolve) => {
    const follow = new Follow(async () => {
      asked += 1;
      if (asked === 2) {
        follow.stop();
        resolve();
      }
    }, 0);
    for (let at = 0; at < 50; at += 1) follow.ring();
  });
  await twice;
  expect(asked).toBe(2);
});
