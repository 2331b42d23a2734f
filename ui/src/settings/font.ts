/** Letters of very different widths: no two fonts draw all of them alike. */
const SAMPLE = 'mmmmmWWiill0O@#漢字';

/** Whether this machine has a font, told by drawing: one that is not there gives way to the next. */
export function fontIsHere(family: string): boolean {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return true;
  const width = (fonts: string) => {
    context.font = `72px ${fonts}`;
    return context.measureText(SAMPLE).width;
  };
  const name = `"${family.replace(/["\\\n\r\f;{}]/g, '')}"`;
  // One of them may be the font itself.
  return ['monospace', 'serif', 'sans-serif'].some((other) => width(`${name}, ${other}`) !== width(other));
}
