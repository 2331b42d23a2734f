import { COMMANDS, TOPICS, type CommandId } from '$lib/commands';
import { keysOf, shownKeys } from '$lib/keymap';
import { fuzzy } from '../palette/fuzzy';

export interface Line {
  title: string;
  keys: readonly string[];
}

export interface Topic {
  title: string;
  lines: Line[];
}

/** Keys of single parts of the window, which are theirs only while they have the keyboard. */
const PARTS: readonly Topic[] = [
  {
    title: 'In the list',
    lines: [
      { title: 'Open, beside what is there', keys: ['Enter', 'Ctrl Enter'] },
      { title: 'Rename', keys: ['F2'] },
      { title: 'Why this status?', keys: ['?'] },
      { title: 'Menu', keys: ['Shift F10'] },
      { title: 'Delete', keys: ['Del'] },
    ],
  },
  {
    title: 'On a question',
    lines: [
      { title: 'Give an answer', keys: ['its number or letter'] },
      { title: 'To the terminal', keys: ['Esc'] },
    ],
  },
  {
    title: 'In the message box',
    lines: [
      { title: 'Send when it is free', keys: ['Enter'] },
      { title: 'Send now, whatever it does', keys: ['Ctrl Enter'] },
      { title: 'A new line', keys: ['Shift Enter'] },
      { title: 'What was sent before', keys: ['Up', 'Down'] },
    ],
  },
  {
    title: 'On a divider',
    lines: [
      { title: 'Move it', keys: ['Arrows'] },
      { title: 'Even out', keys: ['Enter'] },
    ],
  },
];

/** All keys, by topic; those of a family in one line. Commands without a key are left out, unless they are looked for. */
export function keyTopics(mac: boolean, typed: string): Topic[] {
  const fits = (title: string, words: string) => !typed.trim() || fuzzy(title, words, typed) !== undefined;
  const own = TOPICS.map((title) => {
    const lines: Line[] = [];
    const families = new Set<string>();
    for (const command of COMMANDS.filter(({ topic }) => topic === title)) {
      const { id, family, words } = command;
      const keys = keysOf(id, mac).slice(0, 2).map(shownKeys);
      if (!fits(family ?? command.title, `${words ?? ''} ${command.title}`)) continue;
      if (family) {
        if (families.has(family)) continue;
        families.add(family);
        lines.push({ title: family, keys: familyKeys(family, mac) });
      } else if (keys.length > 0 || typed.trim()) lines.push({ title: command.title, keys: first(id, keys) });
    }
    return { title, lines };
  });
  const parts = PARTS.map(({ title, lines }) => ({
    title,
    lines: lines.filter((line) => fits(line.title, title)),
  }));
  return [...own, ...parts].filter(({ lines }) => lines.length > 0);
}

/** The font's keys have several spellings, of which one is enough. */
function first(id: CommandId, keys: readonly string[]): readonly string[] {
  return id.startsWith('font') || id === 'settings' || id === 'keys' ? keys.slice(0, 1) : keys;
}

/** The first and the last of a family. */
function familyKeys(family: string, mac: boolean): readonly string[] {
  const all = COMMANDS.filter((command) => command.family === family).flatMap(
    ({ id }) => keysOf(id, mac)[0] ?? [],
  );
  const [one, last] = [all[0], all.at(-1)];
  if (one === undefined || last === undefined) return [];
  return one === last ? [shownKeys(one)] : [shownKeys(one), `… ${shownKeys(last)}`];
}
