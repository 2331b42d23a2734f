/** Files that are dropped or pasted: where they are, and their bytes for the daemon. */

/** What came with a drop or a paste. */
export interface Given {
  /** Absolute paths of files of this machine, where the web view tells them. */
  paths: string[];
  /** Files whose path is not known: images from the clipboard, and files in a browser. */
  files: File[];
}

export type Transfer = Pick<DataTransfer, 'getData' | 'files' | 'types'>;

/** The paths in a list of addresses, as file managers give it; other addresses are none. */
export function pathsOf(list: string): string[] {
  return list.split(/\r?\n/).flatMap((line) => {
    if (!/^file:\/\//i.test(line)) return [];
    try {
      const { host, pathname } = new URL(line);
      const path = decodeURIComponent(pathname);
      // No control characters: the path is going to be typed.
      return (host === '' || host === 'localhost') && !/[\u0000-\u001f\u007f]/.test(path) ? [path] : [];
    } catch {
      return [];
    }
  });
}

/** What there is to take: paths where they are known, else the files. */
export function givenBy(transfer: Transfer): Given {
  const files = [...transfer.files];
  const paths = pathsOf(transfer.getData('text/uri-list'));
  return paths.length > 0 && paths.length >= files.length ? { paths, files: [] } : { paths: [], files };
}

/** Whether a drag brings files. */
export function bringsFiles(transfer: Pick<DataTransfer, 'types'> | null): boolean {
  return transfer?.types.includes('Files') ?? false;
}

/** Bytes of a piece: with base64 it fits into a frame, with room for its name. */
export const PIECE = 600_000;

/** Bytes as base64. In slices: a call takes so many arguments only. */
export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

/** A name for what has none: an image from the clipboard. */
export function nameOf(file: Pick<File, 'name' | 'type'>): string {
  if (file.name) return file.name;
  const kind = /^image\/([a-z0-9]+)/.exec(file.type)?.[1];
  return kind ? `image.${kind === 'jpeg' ? 'jpg' : kind}` : 'file';
}
