import { openable } from '$lib/terminal/links';

/** A piece of a line. All of it is text: what looks like markup of a page stays what was written. */
export type Inline =
  | { is: 'text'; text: string }
  | { is: 'code'; text: string }
  | { is: 'strong' | 'em' | 'struck'; of: Inline[] }
  /** `to` is where it leads; nothing where that may not be opened. */
  | { is: 'link'; of: Inline[]; address: string; to: string | undefined };

/** Marks within marks, and the longest parts of a link: hostile texts are long and deep. */
const DEEPEST = 8;
const LINK =
  /!?\[([^[\]\n]{1,500})\]\(<?([^()\s<>]{1,2048}(?:\([^()\s]{0,200}\)[^()\s<>]{0,200})?)>?(?: +"[^"\n]{0,300}")?\)/y;
const ADDRESS = /<?(https?:\/\/[^\s<>"'`|]{1,2048})>?/y;
const MARKS = [
  ['**', 'strong'],
  ['__', 'strong'],
  ['~~', 'struck'],
  ['*', 'em'],
  ['_', 'em'],
] as const;
const ESCAPED = /[\\`*_{}[\]()#+\-.!~|<>"]/;

interface Open {
  mark: string;
  is: 'strong' | 'em' | 'struck';
  of: Inline[];
}

/** Reads the marks of a line or paragraph. Takes time in proportion to its length. */
export function inlines(text: string, inLink = false): Inline[] {
  const runs = backticks(text);
  const opened: Open[] = [];
  let of: Inline[] = [];
  const root = of;
  let plain = '';
  const flush = () => {
    if (plain) of.push({ is: 'text', text: plain });
    plain = '';
  };
  const put = (piece: Inline) => {
    flush();
    of.push(piece);
  };
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '\\' && ESCAPED.test(text.charAt(at + 1))) {
      plain += text.charAt(at + 1);
      at += 2;
      continue;
    }
    if (char === '`') {
      const run = runs.get(at);
      if (run?.end !== undefined) {
        put({ is: 'code', text: code(text.slice(at + run.length, run.end)) });
        at = run.end + run.length;
      } else {
        plain += '`'.repeat(run?.length ?? 1);
        at += run?.length ?? 1;
      }
      continue;
    }
    if (!inLink && (char === '[' || (char === '!' && text.charAt(at + 1) === '['))) {
      LINK.lastIndex = at;
      const found = LINK.exec(text);
      if (found) {
        put(link(found[1] ?? '', found[2] ?? ''));
        at += found[0].length;
        continue;
      }
    }
    if (!inLink && (char === 'h' || char === '<') && !/[\p{L}\d]/u.test(text.charAt(at - 1))) {
      ADDRESS.lastIndex = at;
      const found = ADDRESS.exec(text);
      if (found?.[1] && found[0].startsWith('<') === found[0].endsWith('>')) {
        const address = found[0].startsWith('<') ? found[1] : trimmed(found[1]);
        put({ is: 'link', of: [{ is: 'text', text: address }], address, to: openable(address) });
        at += found[0].startsWith('<') ? found[0].length : address.length;
        continue;
      }
    }
    const mark = MARKS.find(([sign]) => text.startsWith(sign, at));
    if (mark) {
      const [sign, is] = mark;
      const before = text.charAt(at - 1);
      const after = text.charAt(at + sign.length);
      const inWord = sign.startsWith('_') && /[\p{L}\d]/u.test(before) && /[\p{L}\d]/u.test(after);
      const open = opened.findLastIndex((one) => one.mark === sign);
      if (open >= 0 && !inWord && before && !/\s/.test(before)) {
        flush();
        // What was opened in between and never closed are signs.
        while (opened.length > open + 1) of = unopened(opened, root);
        const closed = opened.pop();
        of = opened.at(-1)?.of ?? root;
        if (closed) of.push({ is, of: closed.of });
        at += sign.length;
        continue;
      }
      if (open < 0 && !inWord && after && !/\s/.test(after) && opened.length < DEEPEST) {
        flush();
        opened.push({ mark: sign, is, of: [] });
        of = opened.at(-1)?.of ?? root;
        at += sign.length;
        continue;
      }
      plain += sign;
      at += sign.length;
      continue;
    }
    plain += char;
    at += 1;
  }
  flush();
  while (opened.length > 0) of = unopened(opened, root);
  return joined(root);
}

/** Gives what an opening mark without an end holds back to where it stands, behind the mark as it was written. */
function unopened(opened: Open[], root: Inline[]): Inline[] {
  const last = opened.pop();
  const of = opened.at(-1)?.of ?? root;
  if (last) {
    of.push({ is: 'text', text: last.mark });
    for (const piece of last.of) of.push(piece);
  }
  return of;
}

function joined(pieces: readonly Inline[]): Inline[] {
  const all: Inline[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (piece.is === 'text' && last?.is === 'text')
      all[all.length - 1] = { is: 'text', text: last.text + piece.text };
    else all.push(piece.is === 'text' || piece.is === 'code' ? piece : { ...piece, of: joined(piece.of) });
  }
  return all;
}

/** A link whose words name another place than it leads to shows where it leads. */
function link(words: string, address: string): Inline {
  const to = openable(address);
  const named = /^(?:[a-z]+:\/\/|www\.)/i.test(words.trim());
  const honest = !named || words.trim().replace(/\/$/, '') === address.replace(/\/$/, '');
  const of: Inline[] = honest ? inlines(words, true) : [{ is: 'text', text: address }];
  return { is: 'link', of, address, to };
}

/** Signs behind an address that end the sentence. */
function trimmed(address: string): string {
  let end = address.length;
  while (end > 0 && /[.,;:!?*_~)\]]/.test(address.charAt(end - 1))) {
    if (address.charAt(end - 1) === ')' && address.lastIndexOf('(', end) > 0) break;
    end -= 1;
  }
  return address.slice(0, end);
}

function code(text: string): string {
  const line = text.replaceAll('\n', ' ');
  return /^ .*[^ ].* $/.test(line) ? line.slice(1, -1) : line;
}

/** Every run of backticks with its length, and where the next one of the same length begins. */
function backticks(text: string): Map<number, { length: number; end: number | undefined }> {
  const runs = new Map<number, { length: number; end: number | undefined }>();
  const next = new Map<number, number>();
  const found = [...text.matchAll(/`+/g)];
  for (const { 0: run, index } of found.toReversed()) {
    runs.set(index, { length: run.length, end: next.get(run.length) });
    next.set(run.length, index);
  }
  return runs;
}
