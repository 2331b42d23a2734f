import type { Entry, Happened } from '$lib/client/generated/protocol';
import { counts } from './diff';

export const PARTS = ['prompts', 'files', 'asks', 'tools'] as const;
export type Part = (typeof PARTS)[number];

/** One line of an outline, and where it leads: to an entry, or to a moment. */
export interface Line {
  part: Part;
  key: string;
  seq: number | null;
  at: string | null;
  /** What was asked, the file, the tool. */
  text: string;
  /** Of a tool what it was about; of an ask what became of it. */
  more: string | null;
  changed: { added: number; removed: number } | null;
  failed: boolean;
}

type Asked = Extract<Happened, { happened: 'ask' }>;

/**
 * What a conversation was about, in its order: what was asked of it, the files that it changed, what it asked, its tools.
 * Changes of one file that follow each other without a prompt in between are one.
 */
export function outline(entries: readonly Entry[], asks: readonly Asked[], whole: boolean): Line[] {
  const found: Line[] = [];
  const calls = new Map<string, Line[]>();
  const files = new Map<string, Line>();
  const line = (part: Part, { seq, at }: Entry, text: string): Line => ({
    part,
    key: `${part} ${seq} ${text}`,
    seq,
    at,
    text,
    more: null,
    changed: null,
    failed: false,
  });
  for (const entry of entries) {
    const { said } = entry;
    if (entry.subagent !== null) continue;
    if (said.kind === 'prompt') {
      files.clear();
      found.push(line('prompts', entry, said.text));
    } else if (said.kind === 'tool') {
      const tool = { ...line('tools', entry, said.name), more: said.about };
      const own = [tool];
      found.push(tool);
      const changed = said.diff ? counts(said.diff.text) : null;
      for (const path of new Set(said.files)) {
        const known = files.get(path);
        const one = known ?? line('files', entry, path);
        // A change of several files is not divided among them.
        if (said.files.length === 1) one.changed = sum(one.changed, changed);
        own.push(one);
        if (known) continue;
        files.set(path, one);
        found.push(one);
      }
      calls.set(said.call, own);
    } else if (said.kind === 'result') {
      const [tool, file, ...others] = calls.get(said.call) ?? [];
      if (tool) tool.failed = said.failed;
      if (file && others.length === 0 && !file.changed && said.diff) file.changed = counts(said.diff.text);
    }
  }
  return among(found, asks, whole);
}

function sum(a: Line['changed'], b: Line['changed']): Line['changed'] {
  return a && b ? { added: a.added + b.added, removed: a.removed + b.removed } : (a ?? b);
}

/** The asks at their time among the others; older ones only where what is there is all. */
function among(list: readonly Line[], asks: readonly Asked[], whole: boolean): Line[] {
  const first = list.find(({ at }) => at !== null)?.at;
  const since = whole || !first ? 0 : Date.parse(first);
  const lines = asks
    .filter(({ at }) => Date.parse(at) >= since)
    .map((one): Line => ({
      part: 'asks',
      key: `ask ${one.ask}`,
      seq: null,
      at: one.at,
      text: one.about ?? one.text,
      more: one.answer,
      changed: null,
      failed: false,
    }))
    .sort((a, b) => Date.parse(a.at ?? '') - Date.parse(b.at ?? ''));
  const found: Line[] = [];
  let next = 0;
  for (const one of list) {
    const at = one.at === null ? Number.NEGATIVE_INFINITY : Date.parse(one.at);
    for (let ask = lines[next]; ask && Date.parse(ask.at ?? '') < at; ask = lines[++next]) found.push(ask);
    found.push(one);
  }
  return [...found, ...lines.slice(next)];
}
