import { describe, expect, it } from 'vitest';
import { contrast, DARK, LIGHT } from './theme';

describe.each([
  ['dark', DARK],
  ['light', LIGHT],
])('%s palette', (_, palette) => {
  it('has sixteen colours', () => expect(palette.ansi).toHaveLength(16));

  it('can be read on its background', () => {
    // Colour 0 is the dark theme's background shade, never text on it.
    const text = [palette.foreground, ...palette.ansi.slice(palette.dark ? 1 : 0)];
    for (const color of text) expect(contrast(color, palette.background), color).toBeGreaterThanOrEqual(4.5);
  });

  it('has a cursor that can be seen and read through', () => {
    expect(contrast(palette.cursor, palette.background)).toBeGreaterThanOrEqual(3);
    expect(contrast(palette.cursor, palette.cursorText)).toBeGreaterThanOrEqual(4.5);
  });
});

it('reckons contrast as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});
