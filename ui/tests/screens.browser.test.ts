// Screens go from one session to the next: nothing of the one before may be left in them.
import { expect, it } from 'vitest';
import { FakeWindow } from './support/fake-window';
import { until } from './support/window';

const my = new FakeWindow();

const LEFTOVERS: [string, string | Buffer][] = [
  ['the alternate screen', '\x1b[?1049h\x1b[5;5Hold'],
  ['keyboard and mouse modes', '\x1b[?1h\x1b=\x1b[?1000h\x1b[?1002h\x1b[?1006h\x1b[?1004h\x1b[?2004h'],
  ['writing modes', '\x1b[4h\x1b[?6h\x1b[?7l\x1b[?45h'],
  ['a scroll region', '\x1b[5;10r'],
  ['a character set', '\x1b(0\x1b)0\x0e'],
  ['tab stops', '\x1b[3g'],
  ['colours', '\x1b]4;1;#0000ff\x07\x1b]10;#00ff00\x07\x1b]11;#ff0000\x07\x1b]12;#00ffff\x07'],
  ['attributes', '\x1b[1;3;4;7;31;42m'],
  ['a hidden cursor', '\x1b[?25l'],
  ['a cursor of another shape', '\x1b[5 q'],
  ['a saved cursor', '\x1b[10;20H\x1b7'],
  ['painting that is held', '\x1b[?2026h'],
  ['a link without an end', '\x1b]8;id=a;https://example.org/\x07old'],
  ['half a title', '\x1b]0;old'],
  ['half a sequence', '\x1b[38;5'],
  ['half a string', '\x1bP1$r0m'],
  ['half a character', Buffer.from([0xe2, 0x94])],
  ['a scrollback', Array.from({ length: 200 }, (_, at) => `old ${at}`).join('\r\n')],
];

/** Uses all that a terminal can keep. */
const OWN = 'own\ttab lqk \x1b[31mred\x1b[m https://example.com/ \x1b7\x1b[3;3Hx\x1b8!';

async function look(id: string) {
  await my.win.shows(id, 'own');
  // The scroll region shows only when there is more than fits.
  my.daemon.print(id, `\r\n${'line\r\n'.repeat(60)}end`);
  await my.win.shows(id, 'end');
  const painted = my.win.terminal(id).locator('.xterm-rows').getByText('end');
  await painted.waitFor();
  return my.page.evaluate((session) => window.__belfry?.look(session), id);
}

const screen = (id: string) => my.page.evaluate((session) => window.__belfry?.screen(session), id);

it.each(LEFTOVERS)('a screen keeps nothing of the session before: %s', async (_, left) => {
  const old = my.add({ name: 'before' }, '');
  const next = my.add({ name: 'after' }, OWN);
  for (let at = 0; at < 5; at += 1) my.add({ name: `other ${at}` }, `other ${at}`);
  await my.open();
  await my.win.show('after');
  const clean = await look(next.session.id);
  await my.page.reload();
  await my.page.waitForSelector('html[data-ready=true]');

  await my.win.show('before');
  my.daemon.print(old.session.id, 'https://example.org/ and text');
  await my.win.shows(old.session.id, 'and text');
  await my.page.evaluate((session) => window.__belfry?.find(session, 'text'), old.session.id);
  await my.page.evaluate((session) => window.__belfry?.selectAll(session), old.session.id);
  my.daemon.print(old.session.id, left);
  const used = await screen(old.session.id);
  for (let at = 0; at < 5; at += 1) await my.win.show(`other ${at}`);
  await until(
    () => my.page.evaluate(() => window.__belfry?.liveViews()),
    (count) => count === 5,
  );
  await my.win.show('after');
  expect(await screen(next.session.id)).toBe(used);
  expect(await look(next.session.id)).toEqual(clean);
  await my.win.type('x');
  await until(
    () => my.typed(next),
    (typed) => typed === 'x',
  );
  expect(my.typed(old)).toBe('');
});
