// What the window says stands in `words/`, and nowhere else: this finds texts that were left in a component.
import { parse, type AST } from 'svelte/compiler';
import { expect, it } from 'vitest';

const FILES = import.meta.glob<string>('../../**/*.svelte', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Attributes that are read by people. */
const READ = new Set([
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'title',
  'placeholder',
  'label',
  'alt',
]);

/** What is the same in every language. */
const SAME = new Set([
  'Belfry',
  'Aa',
  'git',
  'NAME=value',
  'JetBrains Mono',
  'belfry focus --next',
  'agents/',
  '.toml',
  'log',
]);

const visible = (text: string) => /\p{L}{2}/u.test(text) && !SAME.has(text.trim());

/** Texts of a component, and texts in attributes that people read. */
function literals(source: string): string[] {
  const found: string[] = [];
  const look = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(look);
    if (typeof node !== 'object' || node === null) return;
    const { type } = node as { type?: string };
    if (type === 'Text') {
      const { data } = node as AST.Text;
      if (visible(data)) found.push(data.trim().replaceAll(/\s+/g, ' '));
      return;
    }
    if (type === 'Attribute') {
      const { name, value } = node as AST.Attribute;
      if (value === true) return;
      const parts = Array.isArray(value) ? value : [value];
      for (const part of parts) {
        if (part.type === 'Text' && READ.has(name) && visible(part.data))
          found.push(`${name}="${part.data}"`);
        if (part.type === 'ExpressionTag') sentences(part.expression);
      }
      return;
    }
    if (type === 'ExpressionTag') return sentences((node as AST.ExpressionTag).expression);
    if (type === 'Comment' || type === 'StyleDirective' || type === 'StyleSheet' || type === 'Script') return;
    for (const [key, child] of Object.entries(node)) if (key !== 'css') look(child);
  };
  /** In code a text is a literal of several words. */
  const sentences = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(sentences);
    if (typeof node !== 'object' || node === null) return;
    const one = node as { type?: string; value?: unknown; quasis?: { value: { cooked: string } }[] };
    const text =
      one.type === 'Literal' && typeof one.value === 'string'
        ? one.value
        : one.type === 'TemplateLiteral'
          ? (one.quasis ?? []).map((quasi) => quasi.value.cooked).join(' ')
          : '';
    if (/\p{L}{2,} \p{L}{2,}/u.test(text)) found.push(text);
    for (const child of Object.values(node)) sentences(child);
  };
  const ast = parse(source, { modern: true });
  look(ast.fragment);
  for (const script of [ast.instance, ast.module])
    sentences(script?.content.body.filter(({ type }) => type !== 'ImportDeclaration'));
  return found;
}

it('no component has a text of its own', () => {
  const files = Object.entries(FILES);
  const left = files.flatMap(([path, source]) =>
    literals(source).map((text) => `${path.replace('../../', '')}: ${text}`),
  );
  expect(Object.keys(FILES).length).toBeGreaterThan(50);
  expect(left).toEqual([]);
});
