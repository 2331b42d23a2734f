/** The daemon's half of the frames, for a daemon that only pretends. See `crates/protocol/src/frame.rs`. */
export type ClientFrame =
  | { kind: 'control'; message: any }
  | { kind: 'input'; view: number; bytes: Buffer }
  | { kind: 'credit'; view: number; bytes: number };

function frame(kind: number, ...parts: Buffer[]): Buffer {
  const payload = Buffer.concat(parts);
  const head = Buffer.alloc(5);
  head.writeUInt32LE(payload.length + 1);
  head[4] = kind;
  return Buffer.concat([head, payload]);
}

export function control(message: unknown): Buffer {
  return frame(0, Buffer.from(JSON.stringify(message)));
}

export function output(view: number, offset: number, flags: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32LE(view);
  head.writeBigUInt64LE(BigInt(offset), 4);
  head[12] = flags;
  return frame(1, head, bytes);
}

/** A whole stream: its pieces, and the empty one that ends it. */
export function blob(stream: number, bytes: Buffer): Buffer[] {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(stream);
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 65_536)
    frames.push(frame(4, head, bytes.subarray(at, at + 65_536)));
  return [...frames, frame(4, head)];
}

/** Frames of a client, out of a stream chunked in any way. */
export class ClientFrames {
  private held = Buffer.alloc(0);

  push(bytes: Buffer): ClientFrame[] {
    this.held = Buffer.concat([this.held, bytes]);
    const frames: ClientFrame[] = [];
    while (this.held.length >= 4) {
      const length = this.held.readUInt32LE();
      if (this.held.length < 4 + length) break;
      const body = this.held.subarray(4, 4 + length);
      this.held = this.held.subarray(4 + length);
      if (body[0] === 0) frames.push({ kind: 'control', message: JSON.parse(body.subarray(1).toString()) });
      else if (body[0] === 2)
        frames.push({ kind: 'input', view: body.readUInt32LE(1), bytes: body.subarray(5) });
      else if (body[0] === 3)
        frames.push({ kind: 'credit', view: body.readUInt32LE(1), bytes: body.readUInt32LE(5) });
    }
    return frames;
  }
}
