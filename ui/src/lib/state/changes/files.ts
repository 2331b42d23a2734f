import type { ChangedFile } from '../../client/generated/protocol';

/** A line of the list of files. */
export type FileRow =
  | { is: 'folder'; key: string; name: string; depth: number; open: boolean; files: number }
  | { is: 'file'; key: string; name: string; depth: number; file: ChangedFile };

interface Folder {
  path: string;
  name: string;
  folders: Map<string, Folder>;
  files: ChangedFile[];
  count: number;
}

const folder = (path: string, name: string): Folder => ({
  path,
  name,
  folders: new Map(),
  files: [],
  count: 0,
});
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** One under the other with their whole paths, or in their folders, of which some are folded. */
export function fileRows(
  files: readonly ChangedFile[],
  tree: boolean,
  folded: ReadonlySet<string>,
): FileRow[] {
  if (!tree) return files.map((file) => ({ is: 'file', key: file.path, name: file.path, depth: 0, file }));
  const root = folder('', '');
  for (const file of files) {
    let at = root;
    for (const part of file.path.split('/').slice(0, -1)) {
      const path = at.path ? `${at.path}/${part}` : part;
      const next = at.folders.get(part) ?? folder(path, part);
      at.folders.set(part, next);
      at = next;
      at.count += 1;
    }
    at.files.push(file);
  }
  return rowsOf(root, 0, folded);
}

function rowsOf(of: Folder, depth: number, folded: ReadonlySet<string>): FileRow[] {
  const folders = [...of.folders.values()].flatMap((one): FileRow[] => {
    // Folders that hold nothing but another stand in one line with it.
    let [last, name] = [one, one.name];
    for (let only = single(last); only; only = single(last)) [last, name] = [only, `${name}/${only.name}`];
    const open = !folded.has(last.path);
    const row: FileRow = { is: 'folder', key: `${last.path}/`, name, depth, open, files: last.count };
    return [row, ...(open ? rowsOf(last, depth + 1, folded) : [])];
  });
  const files = of.files.map((file): FileRow => ({
    is: 'file',
    key: file.path,
    name: nameOf(file.path),
    depth,
    file,
  }));
  return [...folders, ...files];
}

function single({ files, folders }: Folder): Folder | undefined {
  return files.length === 0 && folders.size === 1 ? [...folders.values()][0] : undefined;
}
