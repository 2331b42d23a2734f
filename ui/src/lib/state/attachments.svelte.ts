import { SvelteMap } from 'svelte/reactivity';
import { base64, bringsFiles, givenBy, nameOf, PIECE, type Given } from '../files';
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
    const paths = [...given.paths];
    this.count(session, given.files.length);
    const kept: File[] = [];
    for (const file of given.files) {
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

  /** Whether a drag brings what can be taken. To WebKitGTK files are addresses, like any link. */
  brought(transfer: DataTransfer | null): boolean {
    const { droppedPaths } = this.belfry.surroundings;
    return bringsFiles(transfer) || (!!droppedPaths && transfer?.types.includes('text/uri-list') === true);
  }

  /** What was dropped. The shell knows the paths where its web view keeps them from the page. */
  async dropped(transfer: DataTransfer): Promise<Given> {
    const given = givenBy(transfer);
    const paths = (await this.belfry.surroundings.droppedPaths?.().catch(() => null)) ?? [];
    return paths.length > 0 ? { paths, files: [] } : given;
  }

  /** What is on the clipboard and no text. Without a transfer, that is from no event of the browser's. */
  async pasted(transfer: DataTransfer | null): Promise<Given> {
    const given = transfer ? givenBy(transfer) : { paths: [], files: [] };
    if (given.paths.length + given.files.length > 0) return given;
    return (await this.belfry.surroundings.readClipboardFiles?.()) ?? given;
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
