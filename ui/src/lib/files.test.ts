import { describe, expect, it } from 'vitest';
import { base64, givenBy, nameOf, pathsOf, PIECE } from './files';

describe('paths', () => {
  it('are read off addresses', () => {
    expect(pathsOf('file:///home/dev/a%20b.txt\r\nfile://localhost/tmp/x\r\n')).toEqual([
      '/home/dev/a b.txt',
      '/tmp/x',
    ]);
  });

  it('are none of other machines, of other kinds, or with keys in them', () => {
    const list = ['file://other/x', 'https://example.com/x', 'file:///a%0db', 'file:///%E0%A4%A', '/plain'];
    expect(pathsOf(list.join('\n'))).toEqual([]);
  });

  it('are taken before bytes, where there are any', () => {
    const file = { name: 'a' } as File;
    const transfer = (list: string) =>
      ({ getData: () => list, files: [file] as unknown as FileList, types: ['Files'] }) as const;
    expect(givenBy(transfer('file:///tmp/a'))).toEqual({ paths: ['/tmp/a'], files: [] });
    expect(givenBy(transfer(''))).toEqual({ paths: [], files: [file] });
  });
});

it('bytes become base64 that fits into a frame', () => {
  expect(base64(new Uint8Array([0, 255, 16]))).toBe('AP8Q');
  expect(base64(new Uint8Array(PIECE)).length).toBeLessThan((1 << 20) - 1_000);
});

it('what has no name is called by its kind', () => {
  expect(nameOf({ name: '', type: 'image/jpeg' })).toBe('image.jpg');
  expect(nameOf({ name: '', type: '' })).toBe('file');
  expect(nameOf({ name: 'a.png', type: 'image/png' })).toBe('a.png');
});
