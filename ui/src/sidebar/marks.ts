import type { Session } from '$lib/client/generated/protocol';
import { clockTime, snoozed } from '$lib/state/snooze';
import type { GlyphName } from '../parts/Glyph.svelte';
import { say } from '$lib/words';

export interface Mark {
  glyph: GlyphName;
  words: string;
  count?: number;
}

/** What is worth a mark beside a session besides its status. */
export function marksOf(session: Session, now: number): Mark[] {
  const marks: Mark[] = [];
  const { queued } = session;
  if (queued > 0)
    marks.push({
      glyph: 'queued',
      count: queued,
      words: say.list.messagesWait(queued),
    });
  if (session.pinned) marks.push({ glyph: 'pin', words: say.list.pinned });
  if (session.muted) marks.push({ glyph: 'muted', words: say.list.mutedItCallsNobody });
  else if (session.snoozed_until && snoozed(session, now))
    marks.push({
      glyph: 'snoozed',
      words: say.list.snoozedUntil(clockTime(new Date(session.snoozed_until))),
    });
  if (session.private) marks.push({ glyph: 'lock', words: say.list.privateNothingOfItIsOn });
  return marks;
}

export function spokenMarks(session: Session, now: number): string[] {
  const words = marksOf(session, now).map((mark) => mark.words.toLowerCase());
  return session.unseen ? [say.list.notLookedAt, ...words] : words;
}
