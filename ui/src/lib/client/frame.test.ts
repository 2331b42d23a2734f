import { describe, expect, it } from 'vitest';
import {
  encodeControl,
  encodeCredit,
  encodeInput,
  FrameDecoder,
  FrameError,
  MAX_FRAME,
  type Frame,
} from './frame';

/** Builds what the daemon sends, from the table in `frame.rs`. */
function raw(kind: number, payload: number[]): Uint8Array {
  const length = payload.length + 1;
  return Uint8Array.from([
    length & 255,
    (length >> 8) & 255,
    (length >> 16) & 255,
    length >>> 24,
    kind,
    ...payload,
  ]);
}

function join(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function decodeAll(stream: Uint8Array, size: number): Frame[] {
  const decoder = new FrameDecoder();
  const frames: Frame[] = [];
  for (let at = 0; at < stream.length; at += size) {
    decoder.push(stream.slice(at, at + size), (frame) =>
      frames.push('bytes' in frame ? { ...frame, bytes: Uint8Array.from(frame.bytes) } : frame),
    );
  }
  expect(decoder.pending).toBe(0);
  return frames;
}

const json = [...new TextEncoder().encode('{"é":1}')];
const samples = join(
  raw(0, json),
  raw(1, [7, 0, 0, 0, 255, 255, 255, 255, 1, 0, 0, 0, 3, 27, 91]),
  raw(4, [9, 0, 0, 0]),
  raw(1, [7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
);

describe('frame decoder', () => {
  it('finds the same frames however the stream is chunked', () => {
    const whole = decodeAll(samples, samples.length);
    expect(whole).toEqual([
      { kind: 'control', json: '{"é":1}' },
      { kind: 'output', view: 7, offset: 2 ** 33 - 1, flags: 3, bytes: Uint8Array.from([27, 91]) },
      { kind: 'blob', stream: 9, bytes: new Uint8Array() },
      { kind: 'output', view: 7, offset: 0, flags: 0, bytes: new Uint8Array() },
    ]);
    for (let size = 1; size < samples.length; size += 1) expect(decodeAll(samples, size)).toEqual(whole);
  });

  it('refuses a frame over the limit before it is held', () => {
    const length = MAX_FRAME + 1;
    const head = Uint8Array.from([length & 255, (length >> 8) & 255, (length >> 16) & 255, length >>> 24]);
    expect(() => new FrameDecoder().push(head, () => {})).toThrow(FrameError);
  });

  it.each([
    ['no kind', Uint8Array.from([0, 0, 0, 0])],
    ['unknown kind', raw(9, [])],
    ['a client frame', raw(2, [1, 0, 0, 0])],
    ['short output', raw(1, [1, 0, 0, 0])],
    ['short blob', raw(4, [1])],
  ])('refuses %s', (_, bytes) => {
    expect(() => new FrameDecoder().push(bytes, () => {})).toThrow(FrameError);
  });
});

describe('frame encoder', () => {
  it('writes what frame.rs reads', () => {
    expect(encodeControl({ a: 1 })).toEqual(raw(0, [...new TextEncoder().encode('{"a":1}')]));
    expect(encodeInput(0x01020304, Uint8Array.from([0, 255]))).toEqual(raw(2, [4, 3, 2, 1, 0, 255]));
    expect(encodeCredit(2, 65_536)).toEqual(raw(3, [2, 0, 0, 0, 0, 0, 1, 0]));
  });

  it('does not build a frame that the daemon would refuse', () => {
    expect(() => encodeInput(1, new Uint8Array(MAX_FRAME))).toThrow(FrameError);
  });
});
