import { describe, expect, it } from 'vitest';
import { corner, lettered, roleOf } from './menu';

const window = { width: 1000, height: 800 };
const menu = { width: 260, height: 300 };

describe('a menu', () => {
  it('opens where it was asked for, and stays in the window', () => {
    expect(corner({ x: 100, y: 100 }, menu, window)).toEqual({ x: 100, y: 100 });
    expect(corner({ x: 990, y: 790 }, menu, window)).toEqual({ x: 736, y: 496 });
  });

  it('lies at the other side where there is no room', () => {
    expect(corner({ x: 900, y: 100, left: 640 }, menu, window)).toEqual({ x: 380, y: 100 });
  });

  it('never lies over what opened it: with no room on either side it is under it, else over it', () => {
    const narrow = { width: 400, height: 800 };
    const at = { x: 300, y: 94, left: 40 };
    expect(corner({ ...at, over: { top: 100, bottom: 127 } }, menu, narrow)).toEqual({ x: 56, y: 127 });
    expect(corner({ ...at, over: { top: 600, bottom: 627 } }, menu, narrow)).toEqual({ x: 56, y: 300 });
  });

  it('goes by letters to the next that begins so, round the end', () => {
    const labels = ['Open', 'Rename', 'Restart', 'Mute'];
    expect(lettered(labels, 0, 'r')).toBe(1);
    expect(lettered(labels, 1, 'R')).toBe(2);
    expect(lettered(labels, 2, 'r')).toBe(1);
    expect(lettered(labels, -1, 'o')).toBe(0);
    expect(lettered(labels, 0, 'x')).toBe(-1);
  });

  it('says of its items what they are', () => {
    const run = () => {};
    expect(roleOf({ label: 'a', run })).toBe('menuitem');
    expect(roleOf({ label: 'a', run, checked: false })).toBe('menuitemcheckbox');
    expect(roleOf({ label: 'a', run, checked: true, radio: true })).toBe('menuitemradio');
    expect(roleOf({ label: 'a', items: [] })).toBe('menuitem');
  });
});
