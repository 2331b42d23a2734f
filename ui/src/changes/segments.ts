import { unhidden } from '$lib/state/ask-words';

/** A part of a line in one colour. */
export type Span = readonly [from: number, to: number, kind: string];

export interface Segment {
  text: string;
  /** What it is in its language. */
  kind: string;
  /** It differs from its counterpart. */
  word: boolean;
}

/** A line cut where its colour changes and where a differing word begins or ends; what cannot be seen is made visible. */
export function segments(
  text: string,
  spans: readonly Span[],
  words: readonly (readonly [number, number])[],
): Segment[] {
  const cuts = new Set([0, text.length]);
  for (const [from, to] of [...spans, ...words])
    for (const at of [from, to]) if (at < text.length) cuts.add(at);
  const sorted = [...cuts].sort((one, other) => one - other);
  return sorted.slice(0, -1).map((from, at) => {
    const kind = spans.find(([start, end]) => start <= from && from < end)?.[2] ?? '';
    const word = words.some(([start, end]) => start <= from && from < end);
    return { text: unhidden(text.slice(from, sorted[at + 1])), kind, word };
  });
}
