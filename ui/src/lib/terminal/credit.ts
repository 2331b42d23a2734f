/** Bytes that the daemon may send before anything is parsed. Twice what it takes for it to skip ahead (256 KB). */
export const WINDOW = 512 * 1024;
/** Parsed bytes after which they are granted again. */
export const ACK_EVERY = 64 * 1024;

/**
 * What the daemon may still send to a view. Bytes are granted again once the terminal has parsed them; the pieces of a
 * snapshot at once, since they are collected whole before the terminal sees them.
 */
export class Credit {
  private owed = 0;

  constructor(private readonly grant: (bytes: number) => void) {}

  /** Bytes that are dealt with. */
  done(bytes: number): void {
    this.owed += bytes;
    if (this.owed < ACK_EVERY) return;
    const owed = this.owed;
    this.owed = 0;
    this.grant(owed);
  }
}
