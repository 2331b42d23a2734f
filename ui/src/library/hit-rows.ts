import type { Conversation, Hit, Piece, ShownLine } from '$lib/client/generated/protocol';

/** A hit in a conversation. */
export type EntryHit = Extract<Hit, { conversation: Conversation }>;
/** A hit in what a session's terminal showed. */
export type LineHit = Extract<Hit, { line: ShownLine }>;

/** A row among the hits: a conversation or a session with what it is called, or a place in it. */
export type HitRow =
  | { kind: 'head'; key: string; conversation: Conversation; title: readonly Piece[] | null; more: number }
  | { kind: 'hit'; key: string; hit: EntryHit }
  | { kind: 'session'; key: string; hit: LineHit; more: number }
  | { kind: 'line'; key: string; hit: LineHit };

export const isEntry = (hit: Hit): hit is EntryHit => 'conversation' in hit;
export const isLine = (hit: Hit): hit is LineHit => 'line' in hit;

/** What tells a conversation from all others. */
export function keyOf({ agent, id }: Pick<Conversation, 'agent' | 'id'>): string {
  return `${agent}\n${id}`;
}

/** The same for a place in it. */
export function placeKey(conversation: string, at: { subagent: string | null; seq: number | null }): string {
  return `${conversation}\n${at.subagent ?? ''}\n${at.seq ?? ''}`;
}

function groupOf(hit: Hit): string {
  if (isEntry(hit)) return keyOf(hit.conversation);
  return isLine(hit) ? `session\n${hit.line.session}` : '';
}

/** Hits by conversation and session, in the order of the best one of each. A hit in a title is shown in the title. */
export function rowsOf(hits: readonly Hit[]): HitRow[] {
  const groups = new Map<string, Hit[]>();
  for (const hit of hits) {
    const key = groupOf(hit);
    const group = groups.get(key);
    if (group) group.push(hit);
    else groups.set(key, [hit]);
  }
  return [...groups].flatMap(([key, group]) => {
    const more = Math.max(...group.map((hit) => hit.more));
    const seen = new Set<string>();
    // What was added to an index between two pages can be told twice.
    const once = (place: string) => !seen.has(place) && seen.add(place);
    const lines = group.filter(isLine).flatMap((hit): HitRow[] => {
      const place = `${key}\n${hit.line.run}\n${hit.line.offset}`;
      return once(place) ? [{ kind: 'line', key: place, hit }] : [];
    });
    const [line] = group.filter(isLine);
    if (line) return [{ kind: 'session', key, hit: line, more }, ...lines];
    const entries = group.filter(isEntry);
    const [first] = entries;
    if (!first) return [];
    const title = entries.find(({ role }) => role === 'title')?.text ?? null;
    const places = entries.flatMap((hit): HitRow[] => {
      const place = placeKey(key, hit);
      return hit.role !== 'title' && once(place) ? [{ kind: 'hit', key: place, hit }] : [];
    });
    return [{ kind: 'head', key, conversation: first.conversation, title, more }, ...places];
  });
}
