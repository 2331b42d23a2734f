/** A copy with one value in it replaced. */
export function replaced(of: unknown, path: readonly string[], value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const object = typeof of === 'object' && of !== null ? (of as Record<string, unknown>) : {};
  return { ...object, [first]: replaced(object[first], rest, value) };
}
