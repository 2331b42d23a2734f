import type { Hunk } from '$lib/client/generated/protocol';
import type { Span } from '../segments';
import { languageOf } from './languages';
import { plainSpans } from './plain';

/** Characters of a hunk from which its lines have no colours: reading them would hold the window up. */
const LONGEST = 400_000;

/** The colours of hunks that are in sight; what is asked for and not there comes a moment later. */
export class Colours {
  private version = $state(0);
  private readonly painted = new WeakMap<Hunk, readonly (readonly Span[])[]>();
  private readonly asked = new WeakSet<Hunk>();

  /** The spans of a hunk's line. */
  of(path: string, hunk: Hunk | undefined, at: number): readonly Span[] {
    void this.version;
    if (!hunk) return [];
    const found = this.painted.get(hunk);
    if (!found && !this.asked.has(hunk)) {
      this.asked.add(hunk);
      setTimeout(() => void this.paint(path, hunk));
    }
    return found?.[at] ?? [];
  }

  private async paint(path: string, hunk: Hunk): Promise<void> {
    const language = languageOf(path);
    if (!language || hunk.lines.reduce((sum, { text }) => sum + text.length, 0) > LONGEST) return;
    try {
      this.painted.set(hunk, language === 'plain' ? plain(hunk) : await whole(language, hunk));
      this.version += 1;
    } catch {
      // Without colours it can be read as well.
    }
  }
}

const plain = ({ lines }: Hunk) => lines.map(({ text }) => plainSpans(text));

/** What was there and what is there now are two texts, each of which is read by itself. */
async function whole(
  { load }: { load: Parameters<typeof readBy>[0] },
  hunk: Hunk,
): Promise<readonly (readonly Span[])[]> {
  const { paint, parser } = await readBy(load);
  const side = (gone: 'added' | 'removed') => {
    const places = hunk.lines.flatMap(({ kind }, at) => (kind === gone ? [] : [at]));
    const spans = paint(
      parser,
      places.map((at) => hunk.lines[at]?.text ?? ''),
    );
    return new Map(places.map((at, row) => [at, spans[row] ?? []]));
  };
  const [before, now] = [side('added'), side('removed')];
  return hunk.lines.map((_, at) => now.get(at) ?? before.get(at) ?? []);
}

async function readBy(load: () => Promise<import('@lezer/common').Parser>) {
  const [{ paint }, parser] = await Promise.all([import('./paint'), load()]);
  return { paint, parser };
}
