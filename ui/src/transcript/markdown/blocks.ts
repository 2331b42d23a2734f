import { inlines, type Inline } from './inline';

/** A part of a text in Markdown, as far as agents write it; everything else is a paragraph. */
export type Block =
  | { is: 'paragraph'; of: Inline[] }
  | { is: 'heading'; level: number; of: Inline[] }
  | { is: 'code'; language: string; text: string }
  | { is: 'quote'; of: Block[] }
  | { is: 'list'; first: number | null; items: Item[] }
  | { is: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { is: 'rule' };

export interface Item {
  /** With a box before it: whether it is ticked. */
  ticked: boolean | null;
  of: Block[];
}

/** Lists and quotes within each other. */
const DEEPEST = 6;
/** More columns than anybody reads. */
const MOST_COLUMNS = 20;

const FENCE = /^ {0,3}(`{3,}|~{3,}) *([^`\s]{0,40})[^`]*$/;
const HEADING = /^ {0,3}(#{1,6}) +(.*?)(?: +#+)? *$/;
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/;
const ITEM = /^( *)([-*+]|\d{1,9}[.)])( +)(?=\S)/;
const QUOTE = /^ {0,3}> ?/;
const BOX = /^\[([ xX])\] +/;
const COLUMNS = /^ *\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/;

export function blocks(text: string): Block[] {
  return read(text.replaceAll('\r\n', '\n').split('\n'), 0);
}

function read(lines: readonly string[], depth: number): Block[] {
  const found: Block[] = [];
  let paragraph: string[] = [];
  const flush = () => {
    if (paragraph.length > 0) found.push({ is: 'paragraph', of: inlines(paragraph.join('\n')) });
    paragraph = [];
  };
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const fence = FENCE.exec(line);
    if (fence) {
      flush();
      const end = fenceEnd(lines, at + 1, fence[1] ?? '```');
      found.push({ is: 'code', language: fence[2] ?? '', text: lines.slice(at + 1, end).join('\n') });
      at = end + 1;
      continue;
    }
    if (!line.trim()) {
      flush();
      at += 1;
      continue;
    }
    const heading = HEADING.exec(line);
    if (heading) {
      flush();
      found.push({ is: 'heading', level: heading[1]?.length ?? 1, of: inlines(heading[2] ?? '') });
      at += 1;
      continue;
    }
    if (RULE.test(line)) {
      flush();
      found.push({ is: 'rule' });
      at += 1;
      continue;
    }
    if (QUOTE.test(line) && depth < DEEPEST) {
      flush();
      let end = at;
      while (end < lines.length && QUOTE.test(lines[end] ?? '')) end += 1;
      const inside = lines.slice(at, end).map((one) => one.replace(QUOTE, ''));
      found.push({ is: 'quote', of: read(inside, depth + 1) });
      at = end;
      continue;
    }
    if (ITEM.test(line) && depth < DEEPEST) {
      flush();
      const [list, end] = readList(lines, at, depth);
      found.push(list);
      at = end;
      continue;
    }
    if (line.includes('|') && COLUMNS.test(lines[at + 1] ?? '')) {
      flush();
      let end = at + 2;
      while (end < lines.length && (lines[end] ?? '').includes('|')) end += 1;
      const head = cells(line);
      const rows = lines.slice(at + 2, end).map((row) => cells(row).slice(0, head.length));
      found.push({ is: 'table', head, rows });
      at = end;
      continue;
    }
    paragraph.push(line);
    at += 1;
  }
  flush();
  return found;
}

function fenceEnd(lines: readonly string[], from: number, fence: string): number {
  const sign = fence.charAt(0);
  for (let at = from; at < lines.length; at += 1) {
    const line = (lines[at] ?? '').trim();
    if (line.length >= fence.length && line === sign.repeat(line.length)) return at;
  }
  // It goes on to the end: the answer is still being written, or was cut.
  return lines.length;
}

/** A list, and where it ends. What is indented further belongs to the item before. */
function readList(lines: readonly string[], from: number, depth: number): [Block, number] {
  const first = ITEM.exec(lines[from] ?? '');
  const indent = first?.[1]?.length ?? 0;
  const numbered = /\d/.test(first?.[2] ?? '');
  const items: Item[] = [];
  let at = from;
  while (at < lines.length) {
    const mark = ITEM.exec(lines[at] ?? '');
    const own = mark && (mark[1]?.length ?? 0) === indent && /\d/.test(mark[2] ?? '') === numbered;
    if (!mark || !own) break;
    const body = [(lines[at] ?? '').slice(mark[0].length)];
    const width = indent + 2;
    let end = at + 1;
    for (; end < lines.length; end += 1) {
      const line = lines[end] ?? '';
      if (!line.trim()) {
        // A blank line belongs to it only where more of it follows.
        if (indentOf(lines[end + 1] ?? '') >= width && (lines[end + 1] ?? '').trim()) body.push('');
        else break;
      } else if (indentOf(line) >= width) body.push(line.slice(Math.min(indentOf(line), mark[0].length)));
      else if (
        ITEM.test(line) ||
        FENCE.test(line) ||
        HEADING.test(line) ||
        QUOTE.test(line) ||
        RULE.test(line)
      )
        break;
      else body.push(line.trimStart());
    }
    const box = BOX.exec(body[0] ?? '');
    if (box) body[0] = (body[0] ?? '').slice(box[0].length);
    items.push({ ticked: box ? box[1] !== ' ' : null, of: read(body, depth + 1) });
    at = end;
    // Items may stand apart.
    const next = ITEM.exec(lines[at + 1] ?? '');
    if (!(lines[at] ?? '').trim() && next && (next[1]?.length ?? 0) === indent) at += 1;
  }
  const number = Number.parseInt(first?.[2] ?? '', 10);
  return [{ is: 'list', first: numbered ? number : null, items }, Math.max(at, from + 1)];
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function cells(line: string): Inline[][] {
  const inside = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inside
    .split(/(?<!\\)\|/)
    .slice(0, MOST_COLUMNS)
    .map((cell) => inlines(cell.trim().replaceAll('\\|', '|')));
}
