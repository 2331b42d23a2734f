/** Things that the person orders: each has a number, and goes between its neighbours' numbers. */
export interface Ordered {
  id: string;
  position: number;
}

/** Gap under which no number is put between two others any more: all are numbered anew. */
const SMALLEST_GAP = 1e-6;

/**
 * The numbers to be changed so that `moved` stand, in their order, before `before` among `siblings`, which are in the
 * order that is shown; before none is the end. What is moved may be among the siblings or come from elsewhere.
 */
export function positioned(
  siblings: readonly Ordered[],
  moved: readonly string[],
  before: string | null,
): Ordered[] {
  const rest = siblings.filter(({ id }) => !moved.includes(id));
  const found = before === null ? -1 : rest.findIndex(({ id }) => id === before);
  const at = found < 0 ? rest.length : found;
  const [previous, next] = [rest[at - 1]?.position, rest[at]?.position];
  const step = room(previous, next, moved.length);
  if (step) return moved.map((id, index) => ({ id, position: step.from + step.by * (index + 1) }));
  const order = [...rest.slice(0, at).map(({ id }) => id), ...moved, ...rest.slice(at).map(({ id }) => id)];
  const known = new Map(siblings.map(({ id, position }) => [id, position]));
  return order
    .map((id, index) => ({ id, position: index + 1 }))
    .filter(({ id, position }) => moved.includes(id) || known.get(id) !== position);
}

function room(
  previous: number | undefined,
  next: number | undefined,
  count: number,
): { from: number; by: number } | null {
  if (previous === undefined && next === undefined) return { from: 0, by: 1 };
  if (next === undefined) return { from: previous ?? 0, by: 1 };
  if (previous === undefined) return { from: next - count - 1, by: 1 };
  const by = (next - previous) / (count + 1);
  return by > SMALLEST_GAP ? { from: previous, by } : null;
}
