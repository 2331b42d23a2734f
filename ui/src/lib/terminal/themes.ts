import { BUILT_IN, type NamedTheme } from './themes/built-in';

export { BUILT_IN, type NamedTheme } from './themes/built-in';
export { readTheme, ThemeError } from './themes/read';

/** A theme that comes with Belfry. */
export function themeNamed(id: string): NamedTheme | undefined {
  return BUILT_IN.find((theme) => theme.id === id);
}

const COLOR = /^#[0-9a-f]{6}$/;

/** A theme as it was kept, where it is whole. */
export function ownTheme(value: unknown): NamedTheme | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, name, palette } = value as Partial<NamedTheme>;
  if (typeof id !== 'string' || typeof name !== 'string' || typeof palette !== 'object') return undefined;
  const { foreground, background, cursor, cursorText, selection, ansi, dark } = palette;
  const colors = [foreground, background, cursor, cursorText, ...(Array.isArray(ansi) ? ansi : [])];
  const whole = colors.length === 20 && colors.every((color) => COLOR.test(color));
  if (!whole || !/^#[0-9a-f]{8}$/.test(selection) || typeof dark !== 'boolean') return undefined;
  return { id: id.slice(0, 80), name: name.slice(0, 80), palette };
}
