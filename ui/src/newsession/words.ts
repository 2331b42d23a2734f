import { say } from '$lib/words';

/** What a line of arguments says, as a POSIX shell would split it: quotes and backslashes, no expansion of anything. */
export type Words = { words: string[] } | { problem: string };

export function splitWords(line: string): Words {
  const words: string[] = [];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    if (quote === "'") {
      if (char === "'") quote = null;
      else word = (word ?? '') + char;
    } else if (char === '\\') {
      const next = line.charAt(at + 1);
      if (!next) return { problem: say.newSession.aBackslashAtTheEndStandsFor };
      // In double quotes a backslash only takes the meaning from what has one there.
      word = (word ?? '') + (quote === '"' && !'"\\$`'.includes(next) ? `\\${next}` : next);
      at += 1;
    } else if (quote === '"') {
      if (char === '"') quote = null;
      else word = (word ?? '') + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + char;
  }
  if (quote) return { problem: say.newSession.quoteNotClosed(quote) };
  if (word !== null) words.push(word);
  return { words };
}

/** The same the other way round. */
export function joinWords(words: readonly string[]): string {
  return words
    .map((word) => (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
}

export type Environment = { variables: { name: string; value: string }[] } | { problem: string };

/** `NAME=value`, one a line. Values are taken as they are: no quotes, no expansion. */
export function readEnvironment(text: string): Environment {
  const variables: { name: string; value: string }[] = [];
  for (const line of text.split('\n')) {
    if (!line.trim()) continue;
    const [, name, value] = /^\s*([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      return { problem: say.newSession.notNameValue(line.trim().slice(0, 40)) };
    }
    variables.push({ name, value });
  }
  return { variables };
}
