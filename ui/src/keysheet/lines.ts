import { COMMANDS, TOPICS, type CommandId } from '$lib/commands';
import { keysOf, shownKeys } from '$lib/keymap';
import { fuzzy } from '../palette/fuzzy';
import { say } from '$lib/words';

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
    title: say.keys.inTheList,
    lines: [
      { title: say.keys.openBesideWhatIsThere, keys: [say.keys.enter, say.keys.ctrlEnter] },
      { title: say.keys.rename, keys: ['F2'] },
      { title: say.keys.whyThisStatus, keys: ['?'] },
      { title: say.keys.menu, keys: [say.keys.shiftF10] },
      { title: say.keys.remove, keys: [say.keys.del] },
    ],
  },
  {
    title: say.keys.onAQuestion,
    lines: [
      { title: say.keys.giveAnAnswer, keys: [say.keys.itsNumberOrLetter] },
      { title: say.keys.toTheTerminal, keys: [say.keys.esc] },
    ],
  },
  {
    title: say.keys.inTheMessageBox,
    lines: [
      { title: say.keys.sendWhenItIsFree, keys: [say.keys.enter] },
      { title: say.keys.sendNow, keys: [say.keys.ctrlEnter] },
      { title: say.keys.aNewLine, keys: [say.keys.shiftEnter] },
      { title: say.keys.whatWasSentBefore, keys: [say.keys.up, say.keys.down] },
    ],
  },
  {
    title: say.changes.keySheet.title,
    lines: [
      { title: say.changes.keySheet.change, keys: ['N', 'P'] },
      { title: say.changes.keySheet.file, keys: ['J', 'K'] },
      { title: say.changes.keySheet.lines, keys: [say.keys.arrows] },
      { title: say.changes.keySheet.comment, keys: ['C'] },
      { title: say.changes.keySheet.stage, keys: ['S'] },
      { title: say.changes.keySheet.split, keys: ['U'] },
      { title: say.changes.keySheet.around, keys: ['E'] },
    ],
  },
  {
    title: say.keys.onADivider,
    lines: [
      { title: say.keys.moveIt, keys: [say.keys.arrows] },
      { title: say.keys.evenOut, keys: [say.keys.enter] },
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
    return { title: say.commands.topics[title], lines };
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
