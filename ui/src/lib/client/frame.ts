/**
 * Frames: how messages and bytes share one stream with the daemon. The layout is declared in `crates/protocol`
 * (`frame.rs`); this is its other half.
 */

/** Longest frame (kind and payload) in bytes; a longer one means that the stream is lost. */
export const MAX_FRAME = 1 << 20;
/** Longest piece of input that is put in one frame, in bytes. */
export const MAX_PIECE = 64 * 1024;

/** This output piece starts a snapshot: the terminal is reset first. */
export const SNAPSHOT_BEGIN = 1;
/** This output piece ends a snapshot. */
export const SNAPSHOT_END = 2;
/** The snapshot holds the whole scrollback. */
export const SNAPSHOT_FULL = 4;

export type Frame =
  | { kind: 'control'; json: string }
  | { kind: 'output'; view: number; offset: number; flags: number; bytes: Uint8Array }
  | { kind: 'blob'; stream: number; bytes: Uint8Array };

/** The stream cannot be read on: there is no way to find the next frame. */
export class FrameError extends Error {}

const HEADER = 4;

function frame(kind: number, head: number, tail: number): { bytes: Uint8Array; view: DataView } {
  const length = 1 + head + tail;
  if (length > MAX_FRAME) throw new FrameError(`A frame of ${length} bytes is more than the limit.`);
  const bytes = new Uint8Array(HEADER + length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, length, true);
  bytes[HEADER] = kind;
  return { bytes, view };
}

export function encodeControl(message: unknown): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(message));
  const { bytes } = frame(0, 0, json.length);
  bytes.set(json, HEADER + 1);
  return bytes;
}

export function encodeInput(view: number, input: Uint8Array): Uint8Array {
  const built = frame(2, 4, input.length);
  built.view.setUint32(HEADER + 1, view, true);
  built.bytes.set(input, HEADER + 5);
  return built.bytes;
}

export function encodeCredit(view: number, credit: number): Uint8Array {
  const built = frame(3, 8, 0);
  built.view.setUint32(HEADER + 1, view, true);
  built.view.setUint32(HEADER + 5, credit, true);
  return built.bytes;
}

function decode(body: Uint8Array): Frame | null {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const need = (length: number) => {
    if (body.length < length) throw new FrameError('A frame is shorter than its kind needs.');
  };
  need(1);
  switch (body[0]) {
    case 0:
      return { kind: 'control', json: new TextDecoder().decode(body.subarray(1)) };
    case 1:
      need(14);
      return {
        kind: 'output',
        view: view.getUint32(1, true),
        // Offsets stay far below 2^53: that would be 9 PB printed by one run.
        offset: Number(view.getBigUint64(5, true)),
        flags: view.getUint8(13),
        bytes: body.subarray(14),
      };
    case 4:
      need(5);
      return { kind: 'blob', stream: view.getUint32(1, true), bytes: body.subarray(5) };
    case 2:
    case 3:
      throw new FrameError('The daemon sent a frame that only a client sends.');
    default:
      throw new FrameError(`Unknown frame kind ${body[0]}.`);
  }
}

/** Cuts frames out of a byte stream, however it is chunked. Holds at most one incomplete frame. */
export class FrameDecoder {
  private chunks: Uint8Array[] = [];
  private held = 0;

  /** Adds bytes and calls `take` with each frame that is now whole. Throws {@link FrameError} when the stream is lost. */
  push(bytes: Uint8Array, take: (frame: Frame) => void): void {
    if (bytes.length > 0) {
      this.chunks.push(bytes);
      this.held += bytes.length;
    }
    while (this.held >= HEADER) {
      const head = this.peek(HEADER);
      const length = new DataView(head.buffer, head.byteOffset).getUint32(0, true);
      if (length > MAX_FRAME) throw new FrameError(`A frame of ${length} bytes is more than the limit.`);
      if (this.held < HEADER + length) return;
      const whole = this.peek(HEADER + length);
      this.drop(HEADER + length);
      const decoded = decode(whole.subarray(HEADER));
      if (decoded) take(decoded);
    }
  }

  /** Bytes held of a frame that is not complete yet. */
  get pending(): number {
    return this.held;
  }

  /** The first `length` bytes in one piece; copied only where they lie in several chunks. */
  private peek(length: number): Uint8Array {
    const first = this.chunks[0];
    if (first && first.length >= length) return first.subarray(0, length);
    const joined = new Uint8Array(this.held);
    let at = 0;
    for (const chunk of this.chunks) {
      joined.set(chunk, at);
      at += chunk.length;
    }
    // A frame's header in a chunk of its own must not make the whole rest be copied again for the body.
    this.chunks = [joined];
    return joined.subarray(0, length);
  }

  private drop(length: number): void {
    const first = this.chunks[0];
    if (!first) return;
    if (first.length === length) this.chunks.shift();
    else this.chunks[0] = first.subarray(length);
    this.held -= length;
  }
}
