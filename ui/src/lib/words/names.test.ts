import { expect, it } from 'vitest';
import { shownName } from './names';

const shown = (name: string) => shownName(name, 'Nameless');

it('is one line, and turns nothing around', () => {
  expect(shown('two\nlines\tand a tab')).toBe('two lines and a tab');
  expect(shown('evil\u202egnp.exe')).toBe('evil gnp.exe');
});

it('is never nothing', () => {
  for (const name of ['', '   ', '\u00a0\u3000', '\u200b\u200d', '\ufeff', '\u3164'])
    expect(shown(name)).toBe('Nameless');
});

it('leaves letters, marks and emoji as they are, whatever they are made of', () => {
  for (const name of [
    'مشروع جديد',
    'می\u200cخواهم',
    '👩\u200d👩\u200d👧 family',
    'e\u0301te\u0301',
    'שלום',
    '❤\ufe0f',
  ])
    expect(shown(name)).toBe(name);
});
