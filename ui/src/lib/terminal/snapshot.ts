import type { Output } from '../client/connection';
import { SNAPSHOT_BEGIN, SNAPSHOT_END, SNAPSHOT_FULL } from '../client/frame';

/** Bytes of one snapshot that are collected at most: 10,000 lines of heavily coloured text are about 10 MB. */
const MAX_SNAPSHOT = 64 * 1024 * 1024;

export interface Snapshot {
  pieces: Uint8Array[];
  /** Holds the whole scrollback. */
  full: boolean;
}

/** Tells snapshots from the program's own output, and hands each snapshot on whole, so that it can be shown at once. */
export class SnapshotCollector {
  private pieces: Uint8Array[] | undefined;
  private size = 0;
  private full = false;

  constructor(
    private readonly onSnapshot: (snapshot: Snapshot) => void,
    private readonly onBytes: (bytes: Uint8Array) => void,
  ) {}

  /** True where the bytes were kept for a snapshot. */
  take(output: Output): boolean {
    if (output.flags & SNAPSHOT_BEGIN) {
      this.pieces = [];
      this.size = 0;
      this.full = false;
    }
    if (!this.pieces) {
      this.onBytes(output.bytes);
      return false;
    }
    this.full ||= (output.flags & SNAPSHOT_FULL) !== 0;
    this.size += output.bytes.length;
    if (this.size > MAX_SNAPSHOT) throw new Error('A snapshot is larger than any terminal.');
    this.pieces.push(output.bytes);
    if (output.flags & SNAPSHOT_END) {
      const pieces = this.pieces;
      this.pieces = undefined;
      this.onSnapshot({ pieces, full: this.full });
    }
    return true;
  }
}
