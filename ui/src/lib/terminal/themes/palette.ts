import { contrast, type Palette } from '../theme';

/** The colours that a theme must say. */
export interface Given {
  foreground: string;
  background: string;
  /** The sixteen, in their order. */
  ansi: readonly string[];
  cursor?: string | undefined;
  cursorText?: string | undefined;
  selection?: string | undefined;
}

/** A whole palette; what the theme does not say is made from what it says. */
export function paletteOf({ foreground, background, ansi, cursor, cursorText, selection }: Given): Palette {
  const dark = contrast(background, '#ffffff') > contrast(background, '#000000');
  const marked = cursor ?? foreground;
  const over = [background, foreground, '#000000', '#ffffff'].sort(
    (a, b) => contrast(b, marked) - contrast(a, marked),
  );
  return {
    dark,
    foreground,
    background,
    cursor: marked,
    cursorText: cursorText ?? over[0] ?? background,
    // Half seen through, so that whatever is selected stays as readable as it was.
    selection: `${selection ?? ansi[4] ?? foreground}${dark ? '66' : '4d'}`,
    ansi,
  };
}
