import { expect, it } from 'vitest';
import { cleanName, readNamed } from './named-layouts.svelte';

it('names are one line', () => {
  expect(cleanName('  two \n  lines ')).toBe('two lines');
  expect(cleanName('x'.repeat(90)).length).toBe(60);
});

it('what was kept is read with care', () => {
  const layout = { root: {} };
  expect(readNamed([{ name: ' a ', layout }, { name: '', layout }, { name: 'b' }, 7, null])).toEqual([
    { name: 'a', layout },
  ]);
  expect(readNamed('nonsense')).toEqual([]);
});
