import { expect, it } from 'vitest';
import { around, findIn, TextSearch, type TextHit } from './search-text';

it('finds the newest lines first, each once', () => {
  const lines = ['revoke a', 'x', 'revoke b', 'revoke b', ' Revoke c ', 'end'];
  expect(findIn('s', lines, 'revoke').map(({ line, fromEnd }) => [line, fromEnd])).toEqual([
    ['Revoke c', 1],
    ['revoke b', 2],
    ['revoke a', 5],
  ]);
  expect(findIn('s', lines, '')).toEqual([]);
});

it('shows what is around it', () => {
  const line = `${'a'.repeat(60)}needle tail`;
  const found = around({ line, at: 60 }, 6);
  expect(found[0]?.text).toBe(`…${'a'.repeat(24)}`);
  expect(found[1]).toEqual({ text: 'needle', hit: true });
});

it('reads each session once, a few at a time, and tells what it finds in their order', async () => {
  let [now, most] = [0, 0];
  const asked: string[] = [];
  const search = new TextSearch(async ({ params }) => {
    asked.push(params.session);
    most = Math.max(most, ++now);
    await Promise.resolve();
    now -= 1;
    if (params.session === 's3') throw new Error('gone');
    return { text: `first\nneedle ${params.session}` };
  });
  const ids = Array.from({ length: 12 }, (_, at) => `s${at}`);
  let hits: readonly TextHit[] = [];
  expect(await search.search(ids, 'needle', (found) => (hits = found))).toBe(true);
  expect(most).toBeLessThanOrEqual(4);
  expect(hits.map(({ session }) => session)).toEqual(ids.filter((id) => id !== 's3'));
  await search.search(ids, 'NEEDLE S1', (found) => (hits = found));
  expect(asked.length).toBe(12);
  expect(hits.map(({ line }) => line)).toEqual(['needle s1', 'needle s10', 'needle s11']);
});

it('is cut off by the next search, and by the end of the palette', async () => {
  const waiting: (() => void)[] = [];
  const search = new TextSearch(
    () => new Promise((resolve) => waiting.push(() => resolve({ text: 'needle' }))),
  );
  const told: number[] = [];
  const first = search.search(['a', 'b'], 'needle', (hits) => told.push(hits.length));
  search.cancel();
  waiting.splice(0).forEach((answer) => answer());
  expect(await first).toBe(false);
  expect(told).toEqual([]);
});
