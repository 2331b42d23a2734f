/** A line of a change as it is shown. */
export interface Line {
  sign: 'add' | 'del' | 'file' | 'hunk' | null;
  /** In the file as it is afterwards; as it was before for what is gone. */
  number: number | null;
  text: string;
}

const HUNK = /^@@ -(\d{1,9})(?:,\d+)? \+(\d{1,9})(?:,\d+)? @@(.*)$/;

/** The lines of a unified diff, with their numbers where it tells them. */
export function lines(diff: string): Line[] {
  const found: Line[] = [];
  let before: number | null = null;
  let after: number | null = null;
  let old: string | null = null;
  for (const text of diff.replace(/\n$/, '').split('\n')) {
    const hunk = HUNK.exec(text);
    if (hunk) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      found.push({ sign: 'hunk', number: null, text: hunk[3]?.trim() ?? '' });
    } else if (text.startsWith('--- ') && old === null) old = text.slice(4);
    else if (text.startsWith('+++ ') && old !== null) {
      const now = text.slice(4);
      found.push({ sign: 'file', number: null, text: now === '/dev/null' ? old : now });
      [before, after, old] = [null, null, null];
    } else if (text.startsWith('+')) found.push({ sign: 'add', number: after, text: text.slice(1) });
    else if (text.startsWith('-')) found.push({ sign: 'del', number: before, text: text.slice(1) });
    else if (/^(diff |index |\\ )/.test(text)) continue;
    else found.push({ sign: null, number: after, text: text.replace(/^ /, '') });
    const last = found.at(-1);
    if (before !== null && (last?.sign === 'del' || last?.sign === null)) before += 1;
    if (after !== null && (last?.sign === 'add' || last?.sign === null)) after += 1;
  }
  return found;
}

/** Lines that a diff adds and takes away. */
export function counts(diff: string): { added: number; removed: number } {
  let [added, removed] = [0, 0];
  for (const { sign } of lines(diff)) {
    if (sign === 'add') added += 1;
    if (sign === 'del') removed += 1;
  }
  return { added, removed };
}
