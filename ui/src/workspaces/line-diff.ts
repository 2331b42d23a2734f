/** A line of a text, and whether it came or went. */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Lines beyond which two texts are shown one after the other: the table of a comparison grows with their product. */
const MOST = 1_000;

/** The lines of two texts, the longest common ones kept. */
export function lineDiff(before: string, now: string): DiffLine[] {
  const [old, fresh] = [lines(before), lines(now)];
  const removed = (text: string): DiffLine => ({ kind: 'removed', text });
  const added = (text: string): DiffLine => ({ kind: 'added', text });
  if (old.length > MOST || fresh.length > MOST) return [...old.map(removed), ...fresh.map(added)];
  // longest[i][j]: common lines of old from i and fresh from j.
  const width = fresh.length + 1;
  const longest = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => longest[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = fresh.length - 1; j >= 0; j -= 1)
      longest[i * width + j] =
        old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const found: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    const [a, b] = [old[i], fresh[j]];
    if (a !== undefined && a === b) {
      found.push({ kind: 'same', text: a });
      i += 1;
      j += 1;
    } else if (b === undefined || (a !== undefined && at(i + 1, j) >= at(i, j + 1))) {
      found.push(removed(a ?? ''));
      i += 1;
    } else {
      found.push(added(b));
      j += 1;
    }
  }
  return found;
}

function lines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
