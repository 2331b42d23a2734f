import type { Client } from '$lib/client/client';
import type { QueuedMessage, Recording, RecordingLine } from '$lib/client/generated/protocol';
import type { Line } from './player';

/** A piece of a recording. */
export interface Piece {
  lines: Line[];
  /** Where to read on; none at the end. */
  next: number | null;
}

/** What runs for a client already: it has one place in recordings, and the daemon reads few for each. */
const turns = new WeakMap<Client, Promise<unknown>>();

/** Does one thing with recordings after the other. */
export function inTurn<T>(client: Client, task: () => Promise<T>): Promise<T> {
  const before = turns.get(client) ?? Promise.resolve();
  const now = before.then(task, task);
  turns.set(
    client,
    now.catch(() => {}),
  );
  return now;
}

/** One session's recording at the daemon. */
export class Source {
  constructor(
    private readonly client: Client,
    private readonly session: string,
  ) {}

  async show(): Promise<Recording> {
    const params = { session: this.session };
    const recording = await inTurn(this.client, () =>
      this.client.request('recording', { method: 'show_recording', params }),
    );
    // An older daemon does not tell them.
    return { ...{ holes: [], sizes: [], clocks: [] }, ...recording };
  }

  /** What was sent to it by the message box, as far as that is remembered. */
  async messages(): Promise<readonly QueuedMessage[]> {
    const params = { session: this.session };
    return this.client.request('messages', { method: 'list_messages', params }).catch(() => []);
  }

  /** Reads about so many bytes from there; with a picture of what is there first, where that is wanted or nobody knows it. */
  async read(from: number, picture: boolean, bytes: number): Promise<Piece> {
    const pieces = await inTurn(this.client, () =>
      this.client.stream((stream) => ({
        method: 'read_recording',
        params: { session: this.session, from, picture, bytes, stream },
      })),
    );
    return parse(pieces);
  }
}

/** The lines in what was read. One that a newer daemon writes and nobody here understands is passed over. */
export function parse(pieces: readonly Uint8Array[]): Piece {
  const decoder = new TextDecoder();
  const piece: Piece = { lines: [], next: null };
  let rest = '';
  const take = (text: string) => {
    if (!text) return;
    const line = known(text);
    if (line?.is === 'end') piece.next = line.next;
    else if (line) piece.lines.push(line);
  };
  for (const bytes of pieces) {
    const texts = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = texts.pop() ?? '';
    texts.forEach(take);
  }
  take(rest);
  return piece;
}

function known(text: string): RecordingLine | undefined {
  try {
    const line = JSON.parse(text) as RecordingLine;
    return ['picture', 'output', 'resize', 'end'].includes(line.is) ? line : undefined;
  } catch {
    return undefined;
  }
}
