import type { Session } from '../client/generated/protocol';
import type { Belfry } from './belfry.svelte';
import { Setting } from './setting';

/** What a session's pane shows. Its terminal lives on beneath the others. */
export type Face = 'terminal' | 'transcript' | 'changes' | 'replay';

export const FACES: readonly Face[] = ['terminal', 'transcript', 'changes', 'replay'];

/** A place in a conversation, or a moment of a session. */
export interface Place {
  /** An entry of the transcript. */
  seq?: number;
  /** The subagent that said it; none is the conversation itself. */
  subagent?: string | null;
  /** Milliseconds since the epoch: what was said or printed about then. */
  time?: number;
}

/** Which face each session shows in this window, and where in it. */
export class Faces {
  /** Faces that can be shown at all in this window. */
  readonly offered: readonly Face[] = FACES;
  private shown = $state.raw<ReadonlyMap<string, Face>>(new Map());
  private asked = $state.raw<ReadonlyMap<string, Place>>(new Map());
  private readonly setting: Setting;

  constructor(private readonly belfry: Pick<Belfry, 'client' | 'sessions' | 'show' | 'arrangement'>) {
    this.setting = new Setting(belfry.client, 'window.main.faces');
  }

  /** Those that a session has: a transcript where its agent keeps a conversation, changes in a repository. */
  for(session: Session): Face[] {
    const has: Record<Face, boolean> = {
      terminal: true,
      transcript: session.conversation_id !== null,
      changes: session.changes !== null,
      replay: session.kind === 'managed',
    };
    return this.offered.filter((face) => has[face]);
  }

  /** What the session's pane shows. */
  of(id: string): Face {
    const face = this.shown.get(id);
    const session = this.belfry.sessions.get(id);
    return face && session && this.for(session).includes(face) ? face : 'terminal';
  }

  /** Where in its transcript or replay somebody wants to be; another object each time, so that it can be gone to again. */
  at(id: string): Place | undefined {
    return this.asked.get(id);
  }

  /** Shows that face of a session, at a place where one is given; the session comes in front, with the keyboard. */
  show(id: string, face: Face, at?: Place): void {
    this.shown = changed(this.shown, id, face === 'terminal' ? undefined : face);
    this.asked = changed(this.asked, id, at && { ...at });
    this.keep();
    this.belfry.show(id);
  }

  /** Shows that face, and the terminal where it is shown already. */
  toggle(id: string, face: Face): void {
    this.show(id, this.of(id) === face ? 'terminal' : face);
  }

  /** Forgets a session that is gone. */
  forget(id: string): void {
    if (!this.shown.has(id) && !this.asked.has(id)) return;
    this.shown = changed(this.shown, id, undefined);
    this.asked = changed(this.asked, id, undefined);
    this.keep();
  }

  async load(): Promise<void> {
    const stored = await this.setting.load().catch(() => null);
    if (typeof stored !== 'object' || stored === null) return;
    const kept = Object.entries(stored).flatMap(([id, face]): [string, Face][] => {
      const known = FACES.find((one) => one === face);
      return known && this.belfry.sessions.has(id) ? [[id, known]] : [];
    });
    // What was chosen since the window opened counts.
    this.shown = new Map([...kept, ...this.shown]);
  }

  private keep(): void {
    const { sessions } = this.belfry;
    // What is kept is on a disk, where nothing names a private session.
    const kept = [...this.shown].filter(([id]) => sessions.get(id)?.private === false);
    this.setting.save(Object.fromEntries(kept));
  }
}

function changed<T>(map: ReadonlyMap<string, T>, id: string, value: T | undefined): ReadonlyMap<string, T> {
  const next = new Map(map);
  if (value === undefined) next.delete(id);
  else next.set(id, value);
  return next;
}
