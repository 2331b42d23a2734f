/** Which of many rows are in the page: as many as can be laid out in a frame, however many there are. */
export interface Slice {
  from: number;
  to: number;
}

/** Most rows in the page, and how many come at once where somebody scrolls to an end of them. */
export const MOST_ROWS = 120;
export const STEP = 20;

export function ending(count: number): Slice {
  return { from: Math.max(0, count - MOST_ROWS), to: count };
}

export function around(index: number, count: number): Slice {
  const from = Math.max(0, Math.min(index - MOST_ROWS / 2, count - MOST_ROWS));
  return { from, to: Math.min(count, from + MOST_ROWS) };
}

/** More above: as many below go. */
export function upwards({ from, to }: Slice): Slice {
  const next = Math.max(0, from - STEP);
  return { from: next, to: Math.min(to, next + MOST_ROWS) };
}

/** More below: as many above go. */
export function downwards({ from, to }: Slice, count: number): Slice {
  const next = Math.min(count, to + STEP);
  return { from: Math.max(from, next - MOST_ROWS), to: next };
}
