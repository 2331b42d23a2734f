import { describe, expect, it } from 'vitest';
import { drawnFontSize, fitCells, fitInto } from './measure';

describe('font size', () => {
  it('makes a line a whole number of device pixels, near what was asked for', () => {
    for (const ratio of [1, 1.25, 1.5, 2, 3]) {
      for (let wanted = 8; wanted <= 32; wanted += 1) {
        const drawn = drawnFontSize(wanted, ratio);
        const pixels = 1.32 * drawn * ratio;
        expect(Math.ceil(pixels) - pixels).toBeLessThan(0.02);
        expect(wanted - drawn).toBeGreaterThanOrEqual(0);
        expect(wanted - drawn).toBeLessThan(0.8 / ratio);
      }
    }
  });
});

describe('fit', () => {
  it('counts whole cells, between the limits of a terminal', () => {
    expect(fitCells(804, 407, 8, 17)).toEqual({ cols: 100, rows: 23 });
    expect(fitCells(3, 3, 8, 17)).toEqual({ cols: 2, rows: 1 });
    expect(fitCells(1e6, 1e6, 8, 17)).toEqual({ cols: 1000, rows: 1000 });
  });
});

describe('fitInto', () => {
  it('makes a terminal smaller only while it can be read', () => {
    const room = { cols: 80, rows: 24 };
    expect(fitInto(room, { cols: 60, rows: 20 })).toEqual({ scale: 1, clipped: false });
    expect(fitInto(room, { cols: 100, rows: 24 })).toEqual({ scale: 0.8, clipped: false });
    expect(fitInto(room, { cols: 200, rows: 24 })).toEqual({ scale: 0.7, clipped: true });
    expect(fitInto(room, { cols: 80, rows: 50 })).toEqual({ scale: 0.7, clipped: true });
  });
});
