import type { Request, Screen } from '$lib/client/generated/protocol';

/** Asks the daemon. */
type Ask = (request: Extract<Request, { method: 'read_screen' }>) => Promise<Pick<Screen, 'text'>>;

export interface TextHit {
  session: string;
  /** The line, its blanks at both ends cut. */
  line: string;
  /** Where in it the text is. */
  at: number;
  /** Lines from the end of the session's output; 0 is the last. */
  fromEnd: number;
}

/** Lines of scrollback that are read of each session; as many as a terminal keeps. */
const LINES = 10_000;
/** Sessions that are read at a time, and characters of their text that are kept for the next letter that is typed. */
const AT_ONCE = 4;
const KEPT = 32 << 20;
/** Hits that are told of one session, and of all. */
const EACH = 3;
const ALL = 60;

/**
 * Looks for text in sessions' scrollback. A search ends when the next one begins; what was read is kept as long as the
 * palette is open, so that the next letter costs nothing.
 */
export class TextSearch {
  private readonly texts = new Map<string, string[]>();
  private kept = 0;
  private round = 0;

  constructor(private readonly ask: Ask) {}

  /** Reads sessions in the order given. `onhits` gets all that was found so far; resolves to false where it was cut off. */
  async search(
    sessions: readonly string[],
    text: string,
    onhits: (hits: readonly TextHit[], done: boolean) => void,
  ): Promise<boolean> {
    const round = ++this.round;
    const found = new Map<string, TextHit[]>();
    let count = 0;
    const wanted = text.toLowerCase();
    const queue = [...sessions];
    const told = (done: boolean) => onhits(sessions.flatMap((id) => found.get(id) ?? []).slice(0, ALL), done);
    const worker = async (): Promise<void> => {
      for (let id = queue.shift(); id !== undefined && count < ALL; id = queue.shift()) {
        const lines = this.texts.get(id) ?? (await this.read(id));
        if (round !== this.round) return;
        const hits = findIn(id, lines, wanted);
        if (hits.length === 0) continue;
        found.set(id, hits);
        count += hits.length;
        told(false);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    if (round !== this.round) return false;
    told(true);
    return true;
  }

  /** Ends a search that goes on. */
  cancel(): void {
    this.round += 1;
  }

  private async read(id: string): Promise<string[]> {
    // One that cannot be read, because it is gone or of a machine that was restarted, has nothing to be found.
    const screen = await this.ask({
      method: 'read_screen',
      params: { session: id, ansi: false, scrollback: LINES },
    }).catch(() => ({ text: '' }));
    const lines = screen.text.split('\n');
    if (this.kept + screen.text.length <= KEPT && !this.texts.has(id)) {
      this.kept += screen.text.length;
      this.texts.set(id, lines);
    }
    return lines;
  }
}

/** The newest lines that have a text, given in lower case. */
export function findIn(session: string, lines: readonly string[], wanted: string): TextHit[] {
  const hits: TextHit[] = [];
  if (!wanted) return hits;
  for (let at = lines.length - 1; at >= 0 && hits.length < EACH; at -= 1) {
    const line = lines[at] ?? '';
    if (line.length < wanted.length || !line.toLowerCase().includes(wanted)) continue;
    const trimmed = line.trim();
    const where = trimmed.toLowerCase().indexOf(wanted);
    if (where < 0 || hits.some((hit) => hit.line === trimmed)) continue;
    hits.push({ session, line: trimmed, at: where, fromEnd: lines.length - 1 - at });
  }
  return hits;
}

/** A line in pieces around what was found, cut before it where that is far inside. */
export function around({ line, at }: Pick<TextHit, 'line' | 'at'>, length: number) {
  const from = at > 40 ? at - 24 : 0;
  return [
    { text: (from > 0 ? '…' : '') + line.slice(from, at), hit: false },
    { text: line.slice(at, at + length), hit: true },
    { text: line.slice(at + length, at + length + 160), hit: false },
  ].filter(({ text }) => text);
}
