import { afterEach, expect, it } from 'vitest';
import { day, moment, number, setLocales, timeOfDay, timeToSecond } from './locale';
import { direction, say } from './index';

const time = new Date(2026, 2, 9, 14, 5, 7);
afterEach(() => setLocales());

it('writes as the person’s own country does', () => {
  setLocales(['de-DE']);
  expect(number(12_345)).toBe('12.345');
  expect(number(1.5, 1)).toBe('1,5');
  expect(timeOfDay(time)).toBe('14:05');
  expect(timeToSecond(time)).toBe('14:05:07');
  expect(moment(time)).toBe('09.03.2026, 14:05:07');
  expect(day(time, false)).toMatch(/^Mo\., 9\. März$/);
  expect(say.time.tenths(1.5)).toBe('1,5 s');
});

it('writes in its numerals', () => {
  setLocales(['ar-EG']);
  expect(number(12_345)).toBe('١٢٬٣٤٥');
  expect(timeOfDay(time)).toMatch(/٠٢:٠٥/);
  expect(day(time, true)).toContain('٢٠٢٦');
  expect(say.selection.sessions(3)).toBe('٣ sessions');
});

it('is not put out by a locale that there is not', () => {
  setLocales(['C.UTF-8']);
  expect(number(12)).toBe('12');
});

it('chooses nouns by number', () => {
  setLocales(['en-US']);
  expect([0, 1, 2, 1_000].map((count) => say.selection.sessions(count))).toEqual([
    '0 sessions',
    '1 session',
    '2 sessions',
    '1,000 sessions',
  ]);
});

it('knows which languages run from right to left', () => {
  expect(['ar', 'he-IL', 'fa', 'ur-PK', 'yi'].map(direction)).toEqual(Array(5).fill('rtl'));
  expect(['en', 'de', 'arn', 'hu', 'el'].map(direction)).toEqual(Array(5).fill('ltr'));
});
