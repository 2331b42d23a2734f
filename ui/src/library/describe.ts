import type { Conversation, Indexing, Usage } from '$lib/client/generated/protocol';
import { unhidden } from '$lib/state/ask-words';
import { shortPath } from '$lib/state/describe';
import { number } from '$lib/words/locale';
import { say } from '$lib/words';

/** A path as it is shown: what turns the order of letters in it is seen. */
export function shownPath(path: string, home: string): string {
  return unhidden(shortPath(path, home));
}

/** A size in as few digits as tell something. */
export function size(bytes: number): string {
  const words = say.library;
  if (bytes < 1_000) return words.bytes(bytes);
  if (bytes < 1_000_000) return words.kilobytes(digits(bytes / 1_000));
  if (bytes < 1_000_000_000) return words.megabytes(digits(bytes / 1_000_000));
  return words.gigabytes(digits(bytes / 1_000_000_000));
}

/** A count in as few digits as tell something: `92k`. */
export function short(count: number): string {
  const words = say.library;
  if (count < 1_000) return number(count);
  if (count < 999_500) return words.thousands(digits(count / 1_000));
  return words.millions(digits(count / 1_000_000));
}

function digits(value: number): string {
  const tenths = Math.round(value * 10);
  return number(value, tenths < 100 && tenths % 10 !== 0 ? 1 : 0);
}

/** All tokens that a conversation took. */
export function tokens(usage: Usage): number {
  return usage.input + usage.output + usage.cache_read + usage.cache_write;
}

/** What the row of a conversation says of it below its title: what was asked last, unless that is the title. */
export function lastWords({ title, first_prompt, last_prompt }: Conversation): string {
  const plain = (text: string | null) => (text ?? '').replaceAll(/\s+/g, ' ').trim();
  const same = (text: string) => text === '' || text === plain(title) || text.startsWith(plain(title));
  return [plain(last_prompt), plain(first_prompt)].find((text) => !same(text)) ?? '';
}

/** A few new ones are read before anybody has read that they are. */
const WORTH_TELLING = 10;

/** How far reading is, where that is worth telling; `known` conversations are there already. */
export function progress({ busy, done, total }: Indexing, known: number): string | null {
  if (!busy) return null;
  if (total === 0) return known === 0 ? say.library.lookingForThem : null;
  if (total < WORTH_TELLING && known > 0) return null;
  return say.library.reading(Math.min(done, total), total);
}

/** Two letters for an agent, which has no picture of its own. */
export function letters(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const two = words.length > 1 ? words.slice(0, 2).map((word) => [...word][0]) : [...name].slice(0, 2);
  const text = two.join('');
  return words.length > 1 ? text.toUpperCase() : text.charAt(0).toUpperCase() + text.slice(1);
}

const TONES = ['orange', 'teal', 'blue', 'purple', 'green', 'pink', 'yellow', 'red'] as const;
const OWN: Record<string, (typeof TONES)[number]> = {
  claude: 'orange',
  codex: 'teal',
  opencode: 'blue',
  gemini: 'purple',
  aider: 'green',
};

/** Its colour. */
export function tone(agent: string): string {
  let sum = 0;
  for (const letter of agent) sum += letter.codePointAt(0) ?? 0;
  return `var(--tone-${OWN[agent] ?? TONES[sum % TONES.length]})`;
}
