import type { Conversation, Hit, Piece } from '$lib/client/generated/protocol';
import { say } from '$lib/words';
import { shownName } from '$lib/words/names';
import { keyOf, rowsOf } from '../library/hit-rows';
import { fuzzy, parts, type Part } from './fuzzy';
import type { Item, Section } from './items';

const partsOf = (pieces: readonly Piece[]): Part[] =>
  pieces.map(({ text, marked }) => ({ text: text.replaceAll(/\s+/g, ' '), hit: marked }));

/** Conversations by what they are called, but for those of sessions that are listed already. */
export function conversationSection(
  found: readonly Conversation[],
  typed: string,
  listed: ReadonlySet<string>,
): Section | null {
  const items = found
    .filter(({ session }) => session === null || !listed.has(session))
    .map((conversation): Item => {
      const title = shownName(conversation.title, say.library.untitled);
      const hits = fuzzy(title, conversation.cwd ?? '', typed)?.hits ?? [];
      const goal = { kind: 'conversation', conversation } as const;
      return { key: `conversation ${keyOf(conversation)}`, goal, parts: parts(title, hits) };
    });
  return items.length > 0 ? { title: say.library.conversations, items } : null;
}

const said = ({ goal }: Item) => goal.kind !== 'conversation';

/** Places where something was said or shown, by conversation and session; without the sessions whose text was read already. */
export function foundSections(hits: readonly Hit[], text: string, read: ReadonlySet<string>): Section[] {
  const sections: Section[] = [];
  for (const row of rowsOf(hits)) {
    if (row.kind === 'head') {
      const title = shownName(row.conversation.title, say.library.untitled);
      const { conversation } = row;
      const goal = { kind: 'conversation', conversation } as const;
      const item: Item = { key: row.key, goal, parts: row.title ? partsOf(row.title) : [] };
      sections.push({ title, items: row.title ? [item] : [] });
    } else if (row.kind === 'session') {
      const { line } = row.hit;
      sections.push({ title: shownName(line.name, say.library.untitled), items: [] });
    } else {
      const goal =
        row.kind === 'hit'
          ? ({ kind: 'entry', hit: row.hit, text } as const)
          : ({ kind: 'line', hit: row.hit, text } as const);
      if (row.kind === 'line' && read.has(row.hit.line.session)) continue;
      sections.at(-1)?.items.push({ key: row.key, goal, parts: partsOf(row.hit.text) });
    }
  }
  // Where something was said in it, what it is called stands above that.
  for (const section of sections) if (section.items.length > 1) section.items = section.items.filter(said);
  return sections.filter(({ items }) => items.length > 0);
}
