/** Where the rows of a long list lie, in pixels. */
export interface Layout {
  count: number;
  height: number;
  top(row: number): number;
  /** The row at that height; the last one below all of them. */
  at(y: number): number;
}

/** All rows alike. */
export function even(count: number, row: number): Layout {
  return {
    count,
    height: count * row,
    top: (index) => index * row,
    at: (y) => Math.max(0, Math.min(count - 1, Math.floor(y / row))),
  };
}

/** Rows of any height. */
export function stacked(heights: readonly number[]): Layout {
  const tops: number[] = [];
  let height = 0;
  for (const one of heights) {
    tops.push(height);
    height += one;
  }
  return {
    count: heights.length,
    height,
    top: (index) => tops[index] ?? height,
    at: (y) => {
      let [low, high] = [0, heights.length - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((tops[middle] ?? 0) <= y) low = middle;
        else high = middle - 1;
      }
      return Math.max(0, low);
    },
  };
}

/** Rows that show between two heights, from the first to behind the last. */
export function between(layout: Layout, top: number, bottom: number): { from: number; to: number } {
  if (layout.count === 0) return { from: 0, to: 0 };
  return { from: layout.at(Math.max(0, top)), to: layout.at(Math.max(0, bottom)) + 1 };
}
