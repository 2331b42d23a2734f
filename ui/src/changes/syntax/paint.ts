// Fetched with the first language.
import type { Parser } from '@lezer/common';
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';
import type { Span } from '../segments';

const KINDS = tagHighlighter([
  { tag: [tags.comment, tags.docComment, tags.meta], class: 'comment' },
  {
    tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.self, tags.definitionKeyword],
    class: 'keyword',
  },
  {
    tag: [tags.string, tags.special(tags.string), tags.regexp, tags.character, tags.attributeValue],
    class: 'string',
  },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.unit, tags.color], class: 'number' },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.standard(tags.typeName)], class: 'type' },
  {
    tag: [
      tags.function(tags.variableName),
      tags.function(tags.propertyName),
      tags.definition(tags.function(tags.variableName)),
      tags.macroName,
      tags.labelName,
    ],
    class: 'name',
  },
  { tag: [tags.tagName, tags.heading], class: 'tag' },
  { tag: [tags.attributeName, tags.definition(tags.propertyName)], class: 'property' },
]);

/** The spans of each line of a text. */
export function paint(parser: Parser, lines: readonly string[]): Span[][] {
  const painted: Span[][] = lines.map(() => []);
  const starts: number[] = [];
  let length = 0;
  for (const line of lines) {
    starts.push(length);
    length += line.length + 1;
  }
  let at = 0;
  highlightTree(parser.parse(lines.join('\n')), KINDS, (from, to, kind) => {
    while (at + 1 < starts.length && (starts[at + 1] ?? 0) <= from) at += 1;
    // A comment, say, may go over several lines.
    for (let row = at; row < starts.length; row += 1) {
      const start = starts[row] ?? 0;
      if (start >= to) break;
      const span: Span = [Math.max(0, from - start), Math.min(lines[row]?.length ?? 0, to - start), kind];
      if (span[1] > span[0]) painted[row]?.push(span);
    }
  });
  return painted;
}
