/** Finds what was meant by a few letters. Pure, and its work is counted: the palette asks it for everything at every key. */

export interface Part {
  text: string;
  hit: boolean;
}

export interface Found {
  /** Higher is better. */
  score: number;
  /** Places of the letters in the text that were meant, ascending. */
  hits: readonly number[];
}

/** Characters that were compared; for tests. */
export const work = { steps: 0 };

const LETTER = /[\p{L}\p{N}]/u;

/** Whether a word begins there: after a sign, or where a capital follows a small letter. */
function begins(text: string, lower: string, at: number): boolean {
  const before = text[at - 1];
  if (before === undefined || !LETTER.test(before)) return true;
  return text[at] !== lower[at] && before === lower[at - 1];
}

/**
 * One word in a text: as it stands there, best at the start of all or of a word; else its letters in their order, where
 * each begins a word or follows on the one before often enough to be meant.
 */
function find(text: string, lower: string, word: string): Found | undefined {
  let best: Found | undefined;
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
    work.steps += word.length;
    const score = at === 0 ? 100 : begins(text, lower, at) ? 80 : 50;
    if (!best || score > best.score) best = { score, hits: Array.from(word, (_, index) => at + index) };
    if (score >= 80) break;
  }
  work.steps += lower.length;
  if (best) return best;
  return word.length > 1 ? scattered(text, lower, word) : undefined;
}

function scattered(text: string, lower: string, word: string): Found | undefined {
  const hits: number[] = [];
  let from = 0;
  let good = 0;
  for (const letter of word) {
    // The next place where it begins a word, else the next place at all.
    let at = lower.indexOf(letter, from);
    const next = at;
    while (at >= 0 && at !== from && !begins(text, lower, at)) {
      work.steps += 1;
      at = lower.indexOf(letter, at + 1);
    }
    if (at < 0 || at - from > 40) at = next;
    if (at < 0) return undefined;
    if ((at === from && hits.length > 0) || begins(text, lower, at)) good += 1;
    hits.push(at);
    from = at + 1;
  }
  work.steps += word.length;
  // Letters from anywhere mean nothing.
  if (good < word.length - Math.floor(word.length / 5)) return undefined;
  const span = (hits.at(-1) ?? 0) - (hits[0] ?? 0);
  return { score: 30 + (10 * good) / word.length - Math.min(20, span / 4), hits };
}

/**
 * All words that were typed, in a name or in what else is known of a thing. Each must be somewhere; those that are in the
 * name count more, and are marked there.
 */
export function fuzzy(name: string, more: string, typed: string): Found | undefined {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const lower = name.toLowerCase();
  // A text whose letters change their number in lower case cannot be marked by places.
  const sound = lower.length === name.length;
  const rest = more.toLowerCase();
  let score = 0;
  const hits = new Set<number>();
  for (const word of words) {
    const found = find(sound ? name : lower, lower, word);
    if (found) {
      score += found.score;
      if (sound) found.hits.forEach((at) => hits.add(at));
      continue;
    }
    work.steps += rest.length;
    if (!within(rest, word)) return undefined;
    score += 15;
  }
  // Of two that fit alike the shorter one was meant.
  return { score: score - Math.min(10, name.length / 20), hits: [...hits].sort((a, b) => a - b) };
}

/** Whether a word is in what else is known: a short one only where a word begins, or everything would be found. */
function within(rest: string, word: string): boolean {
  if (word.length > 3) return rest.includes(word);
  for (let at = rest.indexOf(word); at >= 0; at = rest.indexOf(word, at + 1))
    if (begins(rest, rest, at)) return true;
  return false;
}

/** A text in pieces, those that were meant marked. */
export function parts(text: string, hits: readonly number[]): Part[] {
  const marked = new Set(hits);
  const found: Part[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const hit = marked.has(at);
    const last = found.at(-1);
    if (last && last.hit === hit) last.text += text[at];
    else found.push({ text: text[at] ?? '', hit });
  }
  return found;
}
