import { RequestError, type ReplyValue } from '$lib/client/connection';
import type { Client } from '$lib/client/client';
import type { Entry } from '$lib/client/generated/protocol';
import { explain } from '$lib/state/explain-error';

/** Entries of one answer: what a person may see soon, and what is looked through for a place far away. */
const PAGE = 120;
const FAR = 500;
/** Answers that are asked for to find a place, before it is given up. */
const MOST_PAGES = 60;
/** The last entries may grow: they are asked for again with what is new. */
const AGAIN = 12;

type Page = ReplyValue<'transcript'>;

/** Whose entries they are. */
export interface Source {
  agent: string;
  id: string;
  /** A subagent's own. */
  subagent: string | null;
}

/** A part of a conversation without gaps, which grows at both ends as somebody wants to see more. */
export class Log {
  entries = $state.raw<readonly Entry[]>([]);
  /** There are earlier ones, or later ones, than have been read. */
  earlier = $state(false);
  later = $state(false);
  /** It has been read once. */
  loaded = $state(false);
  problem = $state.raw<{ code: string; text: string } | null>(null);
  /** One after the other: what is read goes to an end of what is there. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly client: Client,
    readonly source: Source,
  ) {}

  /** The end of it, in place of what is there. */
  toEnd(): Promise<boolean> {
    return this.alone(async () => this.take(await this.read({ limit: PAGE })));
  }

  /** Its beginning, in place of what is there. */
  toStart(): Promise<boolean> {
    return this.alone(async () => this.take(await this.read({ from: 0, limit: PAGE })));
  }

  /** The entries around one, in place of what is there unless it is among them. */
  toEntry(seq: number): Promise<boolean> {
    return this.alone(async () => {
      if (this.holds(seq)) return;
      const before = await this.read({ before: seq, limit: PAGE / 2 });
      const after = await this.read({ from: seq, limit: PAGE });
      this.take({ ...after, entries: [...before.entries, ...after.entries], earlier: before.earlier });
    });
  }

  /** Reads back until what is there begins before a moment, in milliseconds since the epoch. */
  toTime(time: number): Promise<boolean> {
    return this.alone(async () => {
      const last = this.entries.findLast(({ at }) => at !== null)?.at;
      const short = this.later && (!last || Date.parse(last) < time);
      if (!this.loaded || short) this.take(await this.read({ limit: PAGE }));
      for (let pages = 0; this.earlier && pages < MOST_PAGES; pages += 1) {
        const first = this.entries.find(({ at }) => at !== null);
        if (first?.at && Date.parse(first.at) <= time) return;
        await this.back(FAR);
      }
    });
  }

  /** More of what was before. */
  more(many = false): Promise<boolean> {
    return this.alone(async () => {
      if (this.earlier) await this.back(many ? FAR : PAGE);
    });
  }

  /** More of what came after, where what is there is not the end. */
  on(): Promise<boolean> {
    return this.alone(async () => {
      if (this.later) await this.forth(PAGE);
    });
  }

  /** What is new, to the end; nothing where what is there is far from it. */
  refresh(): Promise<boolean> {
    return this.alone(async () => {
      if (!this.loaded || this.entries.length === 0) return this.take(await this.read({ limit: PAGE }));
      if (this.later) return;
      do await this.forth(FAR);
      while (this.later);
    });
  }

  private async back(limit: number): Promise<void> {
    const before = this.entries[0]?.seq;
    if (before === undefined) return;
    const page = await this.read({ before, limit });
    this.entries = merged(page.entries, this.entries);
    this.earlier = page.earlier && page.entries.length > 0;
  }

  private async forth(limit: number): Promise<void> {
    const from = this.entries.at(-AGAIN)?.seq ?? this.entries[0]?.seq ?? 0;
    const last = this.entries.at(-1)?.seq;
    const page = await this.read({ from, limit });
    const entries = merged(this.entries, page.entries);
    if (entries !== this.entries) this.entries = entries;
    this.later = page.later && entries.at(-1)?.seq !== last;
  }

  private holds(seq: number): boolean {
    const [first, last] = [this.entries[0], this.entries.at(-1)];
    return first !== undefined && last !== undefined && first.seq <= seq && seq <= last.seq;
  }

  private take({ entries, earlier, later }: Page): void {
    this.entries = merged([], entries);
    this.earlier = earlier;
    this.later = later;
    this.loaded = true;
  }

  private read(which: { from?: number; before?: number; limit: number }): Promise<Page> {
    const { agent, id, subagent } = this.source;
    const params = { agent, id, subagent, from: which.from ?? null, before: which.before ?? null };
    return this.client.request('transcript', {
      method: 'read_transcript',
      params: { ...params, limit: which.limit },
    });
  }

  /** Whether it went well. */
  private alone(run: () => Promise<unknown>): Promise<boolean> {
    const done = this.turn.then(run).then(
      () => {
        this.problem = null;
        return true;
      },
      (error: unknown) => {
        const code = error instanceof RequestError ? error.code : 'internal';
        this.problem = { code, text: explain(error) };
        return false;
      },
    );
    this.turn = done;
    return done;
  }
}

/** Both in their order; of what is in both the later reading counts. The same list where nothing is new. */
export function merged(known: readonly Entry[], read: readonly Entry[]): readonly Entry[] {
  const first = read[0];
  if (!first) return known;
  const lastKnown = known.at(-1);
  if (!lastKnown) return read;
  if (lastKnown.seq < first.seq) return [...known, ...read];
  if ((read.at(-1)?.seq ?? 0) < (known[0]?.seq ?? 0)) return [...read, ...known];
  const bySeq = new Map(known.map((entry) => [entry.seq, entry]));
  let changed = false;
  for (const entry of read) {
    const before = bySeq.get(entry.seq);
    if (before && JSON.stringify(before) === JSON.stringify(entry)) continue;
    bySeq.set(entry.seq, entry);
    changed = true;
  }
  return changed ? [...bySeq.values()].sort((a, b) => a.seq - b.seq) : known;
}
