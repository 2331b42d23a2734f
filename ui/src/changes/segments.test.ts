import { expect, it } from 'vitest';
import { parser as rust } from '@lezer/rust';
import { diffKey } from './diff-keys';
import { segments } from './segments';
import { languageOf } from './syntax/languages';
import { paint } from './syntax/paint';
import { plainSpans } from './syntax/plain';

it('cuts a line where its colour or its difference changes', () => {
  expect(
    segments(
      'let x = 10;',
      [
        [0, 3, 'keyword'],
        [8, 10, 'number'],
      ],
      [[4, 9]],
    ),
  ).toEqual([
    { text: 'let', kind: 'keyword', word: false },
    { text: ' ', kind: '', word: false },
    { text: 'x = ', kind: '', word: true },
    { text: '1', kind: 'number', word: true },
    { text: '0', kind: 'number', word: false },
    { text: ';', kind: '', word: false },
  ]);
  expect(segments('', [], [])).toEqual([]);
});

it('shows what hides itself', () => {
  expect(segments('a\u202eb', [], [])[0]?.text).toBe('a⟨U+202E⟩b');
});

it('paints lines, also where one thing goes over several', () => {
  const [first, second, third] = paint(rust, ['fn main() { /* a', 'b */ let x = "s"; }', '']);
  expect(first?.map(([from, to, kind]) => `${kind} ${from}-${to}`)).toEqual([
    'keyword 0-2',
    'name 3-7',
    'comment 12-16',
  ]);
  expect(second?.[0]).toEqual([0, 4, 'comment']);
  expect(second?.map(([, , kind]) => kind)).toEqual(['comment', 'keyword', 'string']);
  expect(third).toEqual([]);
});

it('tells comments, texts and numbers apart where it knows no more', () => {
  expect(plainSpans('port = 80 # "not" a text').map(([, , kind]) => kind)).toEqual(['number', 'comment']);
  expect(plainSpans('echo "a # b" c#d').map(([, , kind]) => kind)).toEqual(['string']);
});

it('knows languages by the ends of names', () => {
  expect(languageOf('src/Makefile')).toBe('plain');
  expect(languageOf('a/.gitignore')).toBe('plain');
  expect(languageOf('a/b.constructor')).toBeNull();
  expect(languageOf('a/b.TS')).not.toBeNull();
});

it('takes plain letters, wherever they are on the keyboard', () => {
  const press = (key: string, part = {}) =>
    diffKey({ key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...part });
  expect(press('n')).toEqual({ do: 'hunk', way: 1 });
  expect(press('т', { code: 'KeyN' })).toEqual({ do: 'hunk', way: 1 });
  expect(press('n', { ctrlKey: true })).toBeUndefined();
  expect(press('ArrowUp', { shiftKey: true })).toEqual({ do: 'move', by: 'line', way: -1, extend: true });
});
