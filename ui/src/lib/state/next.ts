/** The one after the one in front, round and round; the first where that is none of them. None where only it is there. */
export function nextOf(ids: readonly string[], front: string | null): string | undefined {
  const at = front === null ? -1 : ids.indexOf(front);
  const next = ids[(at + 1) % ids.length];
  return next === front ? undefined : next;
}
