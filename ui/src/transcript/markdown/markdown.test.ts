import { describe, expect, it } from 'vitest';
import { blocks } from './blocks';
import { inlines, type Inline } from './inline';

/** As it would be read, with what is marked in brackets. */
function told(pieces: readonly Inline[]): string {
  return pieces
    .map((piece) => {
      if (piece.is === 'text') return piece.text;
      if (piece.is === 'code') return `{${piece.text}}`;
      return `${piece.is}(${told(piece.of)})`;
    })
    .join('');
}

describe('the marks of a line', () => {
  it.each([
    ['plain', 'plain'],
    ['**bold** and *leaning*', 'strong(bold) and em(leaning)'],
    ['__bold__ _leaning_ ~~gone~~', 'strong(bold) em(leaning) struck(gone)'],
    ['**a *b* c**', 'strong(a em(b) c)'],
    ['`**code**` stays', '{**code**} stays'],
    ['``a ` b``', '{a ` b}'],
    ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
    ['**never closed', '**never closed'],
    ['*a **b', '*a **b'],
    ['\\*not marked\\*', '*not marked*'],
    ['a ` b', 'a ` b'],
    ['***', '***'],
  ])('%s', (text, wanted) => expect(told(inlines(text))).toBe(wanted));

  it('lead to addresses that may be opened, and to no others', () => {
    const link = (text: string) => inlines(text).find((piece) => piece.is === 'link');
    expect(link('[the docs](https://example.org/a_b_(c))')).toMatchObject({
      to: 'https://example.org/a_b_(c)',
    });
    expect(link('see https://example.org/x.')).toMatchObject({ address: 'https://example.org/x' });
    expect(link('<https://example.org/y>')).toMatchObject({ to: 'https://example.org/y' });
    expect(link('[run](javascript:alert)')).toMatchObject({ to: undefined });
    expect(link('[file](file:///etc/passwd)')).toMatchObject({ to: undefined });
    expect(link('[x](https://bank.example@evil.example/)')).toMatchObject({ to: undefined });
  });

  it('do not let a link lie about where it leads', () => {
    const [link] = inlines('[https://bank.example](https://evil.example/)');
    expect(link).toMatchObject({ of: [{ is: 'text', text: 'https://evil.example/' }] });
  });

  it('keep what looks like markup of a page as text', () => {
    const text = '<img src=x onerror=alert(1)><script>alert(1)</script>';
    expect(inlines(text)).toEqual([{ is: 'text', text }]);
  });

  it('are read in time in proportion to the length of hostile texts', () => {
    for (const sign of ['[', '*', '_', '`', '**a ', '[a](', '~~', '<h', '`a``b```', '![', '\\', '[a](b(c'])
      expect(told(inlines(sign.repeat(Math.ceil(60_000 / sign.length)))).length).toBeGreaterThan(1000);
  });
});

describe('the parts of a text', () => {
  const kinds = (text: string) => blocks(text).map(({ is }) => is);

  it('are told apart', () => {
    const text =
      '# Title\n\nwords\nmore words\n\n---\n\n> said\n> before\n\n```rust\nfn main() {}\n```\nafter';
    expect(kinds(text)).toEqual(['heading', 'paragraph', 'rule', 'quote', 'code', 'paragraph']);
    expect(blocks('```rust\nfn main() {}\n```')[0]).toEqual({
      is: 'code',
      language: 'rust',
      text: 'fn main() {}',
    });
  });

  it('go on to the end where a block of code is not closed', () => {
    expect(blocks('```\na\n\n# b')).toEqual([{ is: 'code', language: '', text: 'a\n\n# b' }]);
  });

  it('nest lists, with numbers, boxes and code in them', () => {
    const [list, after] = blocks('- a\n  - b\n  - c\n- [x] d\n\n  ```\n  e\n  ```\n\n3. f\n4. g');
    expect(list).toMatchObject({
      first: null,
      items: [
        { ticked: null, of: [{ is: 'paragraph' }, { is: 'list', items: [{}, {}] }] },
        { ticked: true, of: [{ is: 'paragraph' }, { is: 'code', text: 'e' }] },
      ],
    });
    expect(after).toMatchObject({ is: 'list', first: 3, items: [{}, {}] });
  });

  it('have tables', () => {
    expect(blocks('| a | b |\n|---|:-:|\n| `x\\|y` | 2 |\n| 3 |')[0]).toMatchObject({
      is: 'table',
      head: [[{ text: 'a' }], [{ text: 'b' }]],
      rows: [[[{ is: 'code', text: 'x|y' }], [{ text: '2' }]], [[{ text: '3' }]]],
    });
    expect(kinds('a | b\nno table')).toEqual(['paragraph']);
  });

  it('end somewhere, however deep and long they are', () => {
    for (const sign of ['> ', '- ', '  - ', '1. ', '|', '```\n', '#', '- a\n  ', '|-'])
      expect(blocks(sign.repeat(Math.ceil(60_000 / sign.length))).length).toBeGreaterThan(0);
    expect(blocks('x'.repeat(50_000))).toHaveLength(1);
  });
});
