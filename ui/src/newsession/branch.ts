/** Words and letters of a branch that is named after a prompt. */
const MOST_WORDS = 6;
const LONGEST = 40;
/** Where a first thought ends. */
const TURNS = /[.,;:!?()\n]|\b(?:and|but|so|because|then|which|while)\b/iu;
const FILLERS = new Set(['a', 'an', 'the', 'please', 'can', 'could', 'you', 'i', 'we', 'want', 'to', 'let']);

/** The name that a branch gets by what is asked for; empty where nothing of it can be in one. */
export function branchFor(prompt: string): string {
  const text = prompt
    .trim()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
  const [thought = ''] = text.split(TURNS).filter((part) => wordsOf(part).length > 0);
  // A first thought of one word, as in `Fix: …`, says too little.
  const first = wordsOf(thought);
  const words = first.length > 1 ? first : wordsOf(text);
  const begun = words.findIndex((word) => !FILLERS.has(word));
  const kept = words.slice(Math.max(0, begun)).filter((word) => !['a', 'an', 'the'].includes(word));
  let name = '';
  for (const word of kept.slice(0, MOST_WORDS)) {
    const longer = name ? `${name}-${word}` : word;
    if (longer.length > LONGEST) break;
    name = longer;
  }
  const made = name || (kept[0] ?? '').slice(0, LONGEST);
  // It could be taken for a commit.
  return /^[0-9a-f]{4,}$/.test(made) ? `work-${made}` : made;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
}

/** The same name, or with the first number behind it that no branch has yet, here or at a remote. */
export function unused(name: string, names: readonly string[]): string {
  // On some file systems branches whose names differ by case alone are one.
  const known = new Set(names.flatMap((one) => [one, localName(one, names)]).map((one) => one.toLowerCase()));
  if (!name || !known.has(name.toLowerCase())) return name;
  for (let at = 2; ; at += 1) if (!known.has(`${name}-${at}`.toLowerCase())) return `${name}-${at}`;
}

/** What a branch of a remote is called here: `origin/fix` is `fix`. A local one with a slash keeps it. */
export function localName(name: string, names: readonly string[]): string {
  return remoteOf(name, names) === null ? name : name.slice(name.indexOf('/') + 1);
}

/** The remote that a name begins with. Local ones come first in the list, so that the first with a known remote begins the others. */
export function remoteOf(name: string, names: readonly string[]): string | null {
  const [head] = name.split('/');
  if (!head || head === name) return null;
  if (head === 'origin') return head;
  // Whatever its name, a remote has the branches that are here as well.
  const rest = name.slice(head.length + 1);
  return names.includes(rest) ? head : null;
}

/** Whether git takes it as a branch's name. */
export function isBranchName(name: string): boolean {
  const parts = name.split('/');
  return (
    name !== '' &&
    name !== '@' &&
    name !== 'HEAD' &&
    !name.startsWith('-') &&
    !name.endsWith('.') &&
    !/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{/.test(name) &&
    parts.every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))
  );
}

/** The branch that was probably meant: the nearest one that is near enough. */
export function meant(typed: string, names: readonly string[]): string | undefined {
  const wanted = typed.toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / 4));
  let best: { name: string; far: number } | undefined;
  for (const name of names) {
    const far = Math.min(
      distance(wanted, name.toLowerCase()),
      distance(wanted, localName(name, names).toLowerCase()),
    );
    if (far <= limit && (!best || far < best.far)) best = { name, far };
  }
  return best?.name;
}

/** Letters to be added, dropped, changed or swapped with their neighbour. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 8) return Infinity;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      next.push(least);
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? Infinity;
}

/** Branches that a typed text may stand for: those that begin so first, then those that have it somewhere. */
export function completions(typed: string, names: readonly string[], most = 8): string[] {
  const wanted = typed.trim().toLowerCase();
  const rank = (name: string) => {
    const lower = name.toLowerCase();
    if (lower.startsWith(wanted)) return 0;
    if (lower.slice(lower.indexOf('/') + 1).startsWith(wanted)) return 1;
    return lower.includes(wanted) ? 2 : 3;
  };
  return names
    .map((name, at) => ({ name, at, rank: rank(name) }))
    .filter((one) => one.rank < 3)
    .sort((a, b) => a.rank - b.rank || a.at - b.at)
    .slice(0, most)
    .map(({ name }) => name);
}
