import type { Mark, Recording, RecordingLine, Request } from '../../src/lib/client/generated/protocol';

export type Printed =
  | { at: number; text: string }
  | { at: number; cols: number; rows: number }
  /** What the screen is after a hole. */
  | { at: number; cols: number; rows: number; anew: string };

/** One session's pretended recording: what was printed when, in order. */
export interface Story {
  printed: readonly Printed[];
  length: number;
  marks?: readonly Mark[];
  part?: Partial<Recording>;
}

const PARTS = 200;

/**
 * Recordings of the pretended daemon. Its pictures are all that was printed until then, which is what a terminal of the same
 * size makes of it.
 */
export class FakeRecordings {
  readonly stories = new Map<string, Story>();
  /** What was asked for, newest last: where, and whether a picture was wanted. */
  readonly reads: { from: number; picture: boolean; bytes: number }[] = [];

  /** The reply, and the bytes of the stream that follow it; nothing where the request is none of these. */
  reply(
    request: Request,
  ): { reply: [kind: string, value?: unknown]; stream?: { id: number; bytes: Buffer } } | undefined {
    switch (request.method) {
      case 'show_recording':
        return { reply: ['recording', survey(this.stories.get(request.params.session))] };
      case 'read_recording': {
        const { session, from, picture, bytes, stream } = request.params;
        this.reads.push({ from, picture, bytes });
        const lines = read(this.stories.get(session), from, picture, bytes);
        const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
        return { reply: ['done'], stream: { id: stream, bytes: Buffer.from(text) } };
      }
      case 'export_asciicast':
        return {
          reply: ['done'],
          stream: { id: request.params.stream, bytes: Buffer.from('{"version":2,"width":80,"height":24}\n') },
        };
      default:
        return undefined;
    }
  }
}

/** When they begin. */
export const START = Date.parse('2026-03-04T14:03:00Z');

function survey(story: Story | undefined): Recording {
  const { printed, length, marks = [], part } = story ?? { printed: [], length: 0 };
  const sizes = printed.flatMap((one) =>
    'cols' in one ? [{ at: one.at, cols: one.cols, rows: one.rows }] : [],
  );
  const activity = Array.from({ length: PARTS }, () => 0);
  let bytes = 0;
  for (const one of printed)
    if ('text' in one) {
      const place = Math.min(PARTS - 1, Math.floor((one.at / (length + 1)) * PARTS));
      activity[place] = (activity[place] ?? 0) + one.text.length;
      bytes += one.text.length;
    }
  return {
    length,
    bytes,
    cols: Math.max(80, ...sizes.map(({ cols }) => cols)),
    rows: Math.max(24, ...sizes.map(({ rows }) => rows)),
    runs: bytes > 0 ? [{ run: 'run', from: 0, to: length, began: new Date(START).toISOString() }] : [],
    activity: bytes > 0 ? activity : [],
    marks: [...marks],
    gaps: false,
    holes: [],
    sizes: [{ at: 0, cols: 80, rows: 24 }, ...sizes],
    clocks: bytes > 0 ? [{ at: 0, wall: START }] : [],
    ...part,
  };
}

function read(story: Story | undefined, from: number, picture: boolean, bytes: number): RecordingLine[] {
  const printed = story?.printed ?? [];
  const lines: RecordingLine[] = [];
  if (picture) {
    let size = { cols: 80, rows: 24 };
    let text = '';
    for (const one of printed.filter(({ at }) => at <= from)) {
      if ('text' in one) text += one.text;
      else size = { cols: one.cols, rows: one.rows };
      if ('anew' in one) text = one.anew;
    }
    lines.push({ is: 'picture', at: from, ...size, text });
  }
  let sent = 0;
  for (const one of printed) {
    if (one.at <= from) continue;
    const last = lines.at(-1);
    // All of one moment comes together: it is read on from behind it.
    if (sent >= bytes && last && last.is !== 'end' && last.at < one.at)
      return [...lines, { is: 'end', next: last.at }];
    if ('text' in one) {
      lines.push({ is: 'output', at: one.at, text: one.text });
      sent += one.text.length;
    } else if ('anew' in one)
      lines.push({ is: 'picture', at: one.at, cols: one.cols, rows: one.rows, text: one.anew });
    else lines.push({ is: 'resize', at: one.at, cols: one.cols, rows: one.rows });
  }
  return [...lines, { is: 'end', next: null }];
}
