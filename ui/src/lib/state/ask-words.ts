import type { Approves, Ask, AskKind, Choice } from '../client/generated/protocol';
import { say } from '../words';

/** The shapes that tell kinds of asks apart beside their words. */
export type AskShape =
  | 'command'
  | 'edit'
  | 'fetch'
  | 'tool'
  | 'plan'
  | 'question'
  | 'trust'
  | 'login'
  | 'choice'
  | 'enter'
  | 'input';

export interface Kind {
  word: string;
  /** Where there is little room. */
  short: string;
  shape: AskShape;
}

const kind = (shape: AskShape, word: string, short = word): Kind => ({ word, short, shape });

const APPROVALS: Record<Approves, Kind> = {
  command: kind('command', say.asks.runACommand, say.asks.command),
  edit: kind('edit', say.asks.changeAFile, say.asks.change),
  fetch: kind('fetch', say.asks.fetchFromTheNetwork, say.asks.fetch),
  mcp: kind('tool', say.asks.useATool, say.asks.tool),
  other: kind('question', say.asks.approval),
};

const KINDS: Record<Exclude<AskKind, 'approval'>, Kind> = {
  plan: kind('plan', say.asks.carryOutAPlan, say.asks.plan),
  question: kind('question', say.asks.question),
  trust: kind('trust', say.asks.trust),
  login: kind('login', say.asks.signIn),
  choice: kind('choice', say.asks.choice),
  enter: kind('enter', say.asks.pressEnter, say.asks.enter),
  input: kind('input', say.asks.input),
};

/** What kind of question it is, in words and as a shape. A newer daemon may know more kinds than this window. */
export function askKind(ask: Ask): Kind {
  const known = ask.kind === 'approval' ? APPROVALS[ask.approves ?? 'other'] : KINDS[ask.kind];
  return known ?? KINDS.question;
}

/** What it is about, in one line: the command, the file, the address or the tool. */
export function askSubject(ask: Ask): string | null {
  const { command, path, url, tool } = ask.detail;
  return command ?? url ?? path ?? tool ?? null;
}

/** What is worth saying of it where there is room for one thing only: what is approved or trusted, else the question. */
export function askAbout(ask: Ask): string {
  const approves = ask.kind === 'approval' || ask.kind === 'trust';
  return (approves && askSubject(ask)) || ask.text || askSubject(ask) || '';
}

/** The question in a few words behind `Waiting:`; code stands in backticks. */
export function askPhrase(ask: Ask): string {
  const subject = askSubject(ask);
  const code = subject && `\`${oneLine(subject).replaceAll('`', "'")}\``;
  switch (ask.kind) {
    case 'approval':
      if (ask.approves === 'edit')
        return code ? say.asks.approveAChangeOfCode(code) : say.asks.approveAChange;
      if (ask.approves === 'fetch') return code ? say.asks.approveAFetchOfCode(code) : say.asks.approveAFetch;
      return code ? say.asks.approveCode(code) : oneLine(ask.text) || say.asks.anApproval;
    case 'plan':
      return say.asks.approveItsPlan;
    case 'trust':
      return code ? say.asks.trustCode(code) : oneLine(ask.text) || say.asks.toTrust;
    case 'login':
      return say.asks.toSignIn;
    case 'enter':
      return say.asks.toPressEnter;
    default:
      return oneLine(ask.text) || say.asks.anAnswer;
  }
}

export const RISK = { low: say.asks.lowRisk, medium: say.asks.mediumRisk, high: say.asks.highRisk } as const;

/** Whether how risky it looks is worth a word: always where something is approved or trusted. */
export function tellsRisk(ask: Ask): boolean {
  return ask.risk !== 'low' || ask.kind === 'approval' || ask.kind === 'trust';
}

/** A choice that there is much to lose by is confirmed before it goes out. */
export function needsConfirming(ask: Ask, choice: Choice): boolean {
  if (choice.refuses) return false;
  return choice.risk === 'high' || (ask.risk === 'high' && !choice.takes_text);
}

/**
 * A choice in the dialog's words, without the key that some name behind them: the card has its own. Where several can be
 * chosen, with its box.
 */
export function choiceLabel(choice: Choice): string {
  const box = choice.ticked == null ? '' : choice.ticked ? '☑ ' : '☐ ';
  const label = unhidden(choice.label);
  return box + (label.replace(/\s+\((?:\S|esc|enter|tab|shift\+tab)\)$/i, '') || label);
}

/** The text is not for the eyes of whoever looks over the shoulder. */
export function wantsSecret(ask: Ask): boolean {
  return (
    (ask.kind === 'input' || ask.kind === 'login') &&
    /pass(word|phrase|code)|\bpin\b|secret|api key|token/i.test(ask.text)
  );
}

/** What a key on a card means. */
export type Keyed =
  | { kind: 'none' }
  /** That choice, at once. */
  | { kind: 'choice'; choice: Choice }
  /** It could be the beginning of another choice's key: Enter takes it. */
  | { kind: 'mark'; choice: Choice };

/** The choice for what was typed; `before` is what was typed just before, for keys of two digits. */
export function keyed(ask: Ask, key: string, before = ''): Keyed {
  if (key.length !== 1) return { kind: 'none' };
  const find = (wanted: string) => ask.choices.find((choice) => choice.key === wanted);
  const long = ask.choices.some((one) => one.key.length > 1 && /^\d+$/.test(one.key));
  if (!long || !/^\d$/.test(key)) {
    const choice = find(key);
    return choice ? { kind: 'choice', choice } : { kind: 'none' };
  }
  const choice = (before && find(before + key)) || find(key);
  return choice ? { kind: 'mark', choice } : { kind: 'none' };
}

/** Characters that turn the order of what stands around them, or cannot be seen: a command could hide behind them. */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A program's text as it is, with what cannot be seen made visible. */
export function unhidden(text: string): string {
  return text.replace(
    HIDDEN,
    (one) => `⟨U+${one.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}

/** Lines of a change, told apart by their sign, behind a line number or not. */
export function changeLines(body: string): { text: string; sign: 'add' | 'del' | null }[] {
  return body.split('\n').map((text) => {
    const sign = /^\s*\d*\s*([+-])(?![+-]{2})/.exec(text)?.[1];
    return { text, sign: sign === '+' ? 'add' : sign === '-' ? 'del' : null };
  });
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
