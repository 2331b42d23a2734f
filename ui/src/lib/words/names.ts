/** Characters that end a line or turn the order of what stands around them; joiners and marks of direction belong to names. */
const TURNING = /\s*[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+\s*/g;
/** What cannot be seen by itself. */
const UNSEEN =
  /[\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2060-\u2064\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0]/g;

/** A name as it is shown: in one line, harmless to what stands beside it, and never nothing. */
export function shownName(name: string, nameless: string): string {
  const line = name.replace(TURNING, ' ');
  return line.replace(UNSEEN, '') === '' ? nameless : line.trim();
}

/**
 * For an element with a name or a path that may have no room: all of it where the pointer rests, and cut at its own end,
 * whichever way it runs.
 */
export function whole(text: string | null | undefined): { dir: 'auto'; title: string | undefined } {
  return { dir: 'auto', title: text || undefined };
}
