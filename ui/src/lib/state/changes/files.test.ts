import { expect, it } from 'vitest';
import type { ChangedFile } from '../../client/generated/protocol';
import { fileRows } from './files';

const files = ['Cargo.toml', 'crates/a/src/lib.rs', 'crates/a/src/main.rs', 'docs/x.md'].map(
  (path) => ({ path }) as ChangedFile,
);
const shown = (tree: boolean, ...folded: string[]) =>
  fileRows(files, tree, new Set(folded)).map(
    ({ is, name, depth }) => `${' '.repeat(depth)}${name}${is === 'folder' ? '/' : ''}`,
  );

it('lists files in their folders, of which those that hold one thing only are one', () => {
  expect(shown(true)).toEqual(['crates/a/src/', ' lib.rs', ' main.rs', 'docs/', ' x.md', 'Cargo.toml']);
  expect(shown(true, 'crates/a/src')).toEqual(['crates/a/src/', 'docs/', ' x.md', 'Cargo.toml']);
});

it('or one under the other', () => {
  expect(shown(false)).toEqual(files.map(({ path }) => path));
});
