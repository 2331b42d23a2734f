/** Pixels that a letter of code takes where nothing can be measured. */
const USUAL = 7.2;

/** Pixels that a letter of a diff takes across. */
export function charWidth(): number {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return USUAL;
  context.font = '12px "JetBrains Mono"';
  return context.measureText('0'.repeat(100)).width / 100 || USUAL;
}
