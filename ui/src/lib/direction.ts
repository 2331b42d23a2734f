/** Which way the window runs. Panes lie as they are called, left and right, in every language; all else is mirrored. */

/** Whether the window runs from right to left just now. */
export function mirrored(): boolean {
  return typeof document !== 'undefined' && document.documentElement.dir === 'rtl';
}

/** A key as it would be in a window from left to right: the arrow that leads onwards is the right one. */
export function along(key: string): string {
  if (!mirrored()) return key;
  return { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }[key] ?? key;
}
