import { describe, expect, it } from 'vitest';
import { Player, type Line } from './player';

const output = (at: number, text: string): Line => ({ is: 'output', at, text });
const picture = (at: number, text: string): Line => ({ is: 'picture', at, cols: 80, rows: 24, text });
const texts = (lines: readonly Line[]) => lines.map((line) => (line.is === 'resize' ? 'resize' : line.text));

function story(longest?: number): Player {
  const player = new Player();
  player.grow(60_000);
  player.longest = longest;
  player.go(0);
  player.take([picture(0, 'first'), output(1_000, 'second'), output(50_000, 'third')], null);
  player.playing = true;
  return player;
}

describe('playing', () => {
  it('shows lines when they are due, at any speed', () => {
    const player = story();
    expect(texts(player.pass(0))).toEqual(['first']);
    expect(player.rest).toBe(1_000);
    expect(texts(player.pass(1_500))).toEqual(['second']);
    expect(player.at).toBe(1_500);
    player.speed = 16;
    expect(player.rest).toBe(48_500 / 16);
    expect(texts(player.pass(1_000))).toEqual([]);
    expect(player.at).toBe(17_500);
    player.speed = 0.5;
    expect(texts(player.pass(65_000))).toEqual(['third']);
    expect([player.at, player.playing, player.over]).toEqual([60_000, false, true]);
  });

  it('cuts long pauses, and tells by how much', () => {
    const player = story(2_000);
    player.pass(1_000);
    expect(player.cut).toBeUndefined();
    expect(texts(player.pass(1_999))).toEqual([]);
    expect(texts(player.pass(1))).toEqual(['third']);
    expect(player.cut).toEqual({ to: 50_000, by: 47_000 });
  });

  it('stands still while it is paused', () => {
    const player = story(2_000);
    player.pass(1_100);
    player.playing = false;
    expect(texts(player.pass(100_000))).toEqual([]);
    expect(player.at).toBe(1_100);
  });

  it('waits for what has not been read', () => {
    const player = new Player();
    player.grow(100_000);
    player.longest = undefined;
    player.go(0);
    player.playing = true;
    expect([player.pass(5_000), player.at, player.starving]).toEqual([[], 0, true]);
    player.take([picture(0, 'a'), output(100, 'b')], 100);
    expect(texts(player.pass(9_000))).toEqual(['a', 'b']);
    expect([player.at, player.over, player.wants]).toEqual([100, false, 100]);
    player.take([output(200, 'c')], null);
    expect(texts(player.pass(100))).toEqual(['c']);
    expect(player.over).toBe(true);
  });

  it('never shows more at once than a screen takes, and its clock waits for the rest', () => {
    const player = new Player();
    player.grow(10_000);
    player.go(0);
    player.playing = true;
    const large = 'x'.repeat(100_000);
    player.take([picture(0, ''), ...[10, 20, 30, 40, 50].map((at) => output(at, large))], null);
    expect(player.pass(1_000)).toHaveLength(4);
    expect(player.at).toBe(30);
    expect(player.pass(1_000)).toHaveLength(2);
  });

  it('reads on while little is left, and holds no more than that', () => {
    const player = new Player();
    player.go(0);
    player.grow(1e9);
    const piece = (from: number) => Array.from({ length: 8 }, (_, n) => output(from + n, 'x'.repeat(65_536)));
    player.take(piece(0), 8);
    expect(player.wants).toBeUndefined();
    player.playing = true;
    player.pass(4);
    player.pass(1);
    expect(player.wants).toBe(8);
  });
});

describe('going elsewhere', () => {
  it('goes on within what was read, and jumps where that is not enough', () => {
    const player = story();
    player.pass(0);
    expect([player.reaches(30_000), player.reaches(0)]).toEqual([true, true]);
    expect(texts(player.forward(30_000))).toEqual(['second']);
    expect([player.at, player.reaches(29_999)]).toEqual([30_000, false]);
    player.go(70_000);
    expect([player.at, player.starving, player.reaches(60_000)]).toEqual([60_000, true, false]);
  });

  it('does not know what follows the last line of a piece', () => {
    const player = new Player();
    player.grow(10_000);
    player.go(0);
    player.take([picture(0, ''), output(500, 'a')], 500);
    expect([player.reaches(499), player.reaches(500)]).toEqual([true, false]);
  });

  it('steps from one moment with output to the next, and back', () => {
    const player = story();
    player.playing = false;
    player.pass(0);
    expect(texts(player.step())).toEqual(['second']);
    expect(texts(player.step())).toEqual(['third']);
    expect([player.at, player.before]).toEqual([50_000, 1_000]);
    player.forward(55_000);
    expect(player.before).toBe(1_000);
    expect(player.step()).toEqual([]);
  });

  it('goes on with what was printed since, of a session that runs', () => {
    const player = story();
    player.pass(100_000);
    player.grow(60_000);
    expect(player.wants).toBeUndefined();
    player.grow(90_000);
    expect([player.wants, player.over]).toEqual([60_000, false]);
  });

  it('is longer where more is read than there was', () => {
    const player = story();
    player.go(60_000);
    player.take([picture(60_000, ''), output(61_000, 'later')], null);
    expect(player.length).toBe(61_000);
  });
});
