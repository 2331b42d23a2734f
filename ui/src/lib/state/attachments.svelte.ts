import { SvelteMap } from 'svelte/reactivity';
import { base64, nameOf, PIECE, type Given } from '../files';
import type { Belfry } from './belfry.svelte';
import { shellQuote } from './describe';
import { explain } from './explain-error';
import { say } from '../words';

/** Most bytes of one file; the daemon takes no more. */
const MOST = 20 << 20;

const isImage = ({ type }: File) => type.startsWith('image/');

/** Files that the person gives to sessions by dropping or pasting them. */
export class Attachments {
  /** How many files are on their way, by session. */
  private readonly counts = new SvelteMap<string, number>();

  constructor(private readonly belfry: Pick<Belfry, 'client' | 'toasts' | 'surroundings'>) {}

  busy(session: string): number {
    return this.counts.get(session) ?? 0;
  }

  /**
   * Paths for a session's program, quoted for a shell and with a blank between them; empty where none was taken. What has
   * no path on this machine is kept in the session's own folder first.
   */
  async take(session: string, given: Given): Promise<string> {
    const { givenPaths } = this.belfry.surroundings;
    const names = given.files.map(({ name }) => name);
    const known = names.length > 0 ? await givenPaths?.(names).catch(() => []) : [];
    const paths = [...given.paths, ...(known ?? [])];
    const files = known?.length ? [] : given.files;
    this.count(session, files.length);
    const kept: File[] = [];
    for (const file of files) {
      const path = await this.save(session, file);
      if (path !== undefined) {
        paths.push(path);
        kept.push(file);
      }
      this.count(session, -1);
    }
    // What is typed is the path of a copy: who pasted a picture is told where it has gone.
    if (kept.length > 0) this.belfry.toasts.show(say.messages.kept(kept.length, kept.every(isImage)));
    return paths.map(shellQuote).join(' ');
  }

  private async save(session: string, file: File): Promise<string | undefined> {
    const name = nameOf(file);
    const { client, toasts } = this.belfry;
    if (file.size > MOST) {
      toasts.fail(say.messages.tooLarge(name, MOST >> 20));
      return undefined;
    }
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      let begun: { path: string; file: string } | undefined;
      for (let offset = 0; offset === 0 || offset < bytes.length; offset += PIECE) {
        const data = base64(bytes.subarray(offset, offset + PIECE));
        const params = { session, name, file: begun?.file ?? null, offset, data };
        begun = await client.request('attachment', { method: 'save_attachment', params });
      }
      return begun?.path;
    } catch (error) {
      // A directory that is dropped in a browser cannot be read.
      const why = error instanceof DOMException ? say.messages.itCannotBeRead : explain(error);
      toasts.fail(say.messages.nameWasNotTaken(name, why));
      return undefined;
    }
  }

  private count(session: string, by: number): void {
    const count = this.busy(session) + by;
    if (count > 0) this.counts.set(session, count);
    else this.counts.delete(session);
  }
}
