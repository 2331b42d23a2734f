import { describe, expect, it } from 'vitest';
import { ask, choice } from '../../../tests/support/asks';
import type { Ask } from '../client/generated/protocol';
import {
  askKind,
  askPhrase,
  changeLines,
  choiceLabel,
  keyed,
  needsConfirming,
  unhidden,
  wantsSecret,
} from './ask-words';

const detail = (part: Partial<Ask['detail']>) => ({ ...ask({}).detail, ...part });

describe('words of asks', () => {
  it.each<[Partial<Ask>, string, string]>([
    [
      { detail: detail({ command: 'cargo test\n  -p auth' }) },
      'Run a command',
      'approve `cargo test -p auth`',
    ],
    [
      { approves: 'edit', detail: detail({ path: 'src/a.rs' }) },
      'Change a file',
      'approve a change of `src/a.rs`',
    ],
    [
      { approves: 'fetch', detail: detail({ url: 'https://example.com' }) },
      'Fetch from the network',
      'approve a fetch of `https://example.com`',
    ],
    [{ approves: 'mcp', detail: detail({ tool: 'probe: echo' }) }, 'Use a tool', 'approve `probe: echo`'],
    [{ approves: null }, 'Approval', 'Do you want to proceed?'],
    [{ kind: 'plan' }, 'Carry out a plan', 'approve its plan'],
    [{ kind: 'question', text: 'Which colour?' }, 'Question', 'Which colour?'],
    [{ kind: 'trust', detail: detail({ path: '/src' }) }, 'Trust', 'trust `/src`'],
    [{ kind: 'login' }, 'Sign in', 'sign in'],
    [{ kind: 'enter' }, 'Press Enter', 'press Enter'],
    [{ kind: 'input', text: 'Password:' }, 'Input', 'Password:'],
  ])('%o', (part, word, phrase) => {
    expect(askKind(ask(part)).word).toBe(word);
    expect(askPhrase(ask(part))).toBe(phrase);
  });

  it('make visible what a command could hide behind', () => {
    expect(unhidden('rm \u202e-rf\u200b \u001b[31m~\n\tend')).toBe(
      'rm ⟨U+202E⟩-rf⟨U+200B⟩ ⟨U+001B⟩[31m~\n\tend',
    );
    expect(unhidden('日本語 é 👍🏽')).toBe('日本語 é 👍🏽');
  });

  it('tell the lines of a change apart', () => {
    const signs = changeLines(' 61   fn a\n 62 - old\n 62 + new\n+b\n--- a/x\n+++ b/x\nc - d').map(
      ({ sign }) => sign,
    );
    expect(signs).toEqual([null, 'del', 'add', 'add', null, null, null]);
  });
});

describe('a choice', () => {
  it('is confirmed where there is much to lose, and never where it refuses', () => {
    const risky = ask({ risk: 'high' });
    expect(needsConfirming(risky, choice('1'))).toBe(true);
    expect(needsConfirming(risky, choice('3', { refuses: true }))).toBe(false);
    expect(needsConfirming(ask({}), choice('1'))).toBe(false);
    expect(needsConfirming(ask({}), choice('2', { risk: 'high' }))).toBe(true);
  });

  it('has its key, and is only marked where the key could go on', () => {
    const three = ask({ choices: ['1', '2', 'y'].map((key) => choice(key)) });
    expect(keyed(three, '2')).toMatchObject({ kind: 'choice', choice: { key: '2' } });
    expect(keyed(three, 'y')).toMatchObject({ kind: 'choice' });
    expect(keyed(three, '4')).toEqual({ kind: 'none' });
    expect(keyed(three, 'Enter')).toEqual({ kind: 'none' });
    const twelve = ask({ choices: Array.from({ length: 12 }, (_, at) => choice(String(at + 1))) });
    expect(keyed(twelve, '1')).toMatchObject({ kind: 'mark', choice: { key: '1' } });
    expect(keyed(twelve, '2', '1')).toMatchObject({ kind: 'mark', choice: { key: '12' } });
    expect(keyed(twelve, '9', '4')).toMatchObject({ kind: 'mark', choice: { key: '9' } });
  });

  it('is told without the key that the dialog names behind it', () => {
    expect(choiceLabel(choice('1', { label: 'Yes, proceed (y)' }))).toBe('Yes, proceed');
    expect(choiceLabel(choice('3', { label: 'No, and tell it what to do (esc)' }))).toBe(
      'No, and tell it what to do',
    );
    expect(choiceLabel(choice('2', { label: 'Yes (for this session)' }))).toBe('Yes (for this session)');
    expect(choiceLabel(choice('2', { label: '(y)' }))).toBe('(y)');
    expect(choiceLabel(choice('1', { label: 'Red', ticked: true }))).toBe('☑ Red');
    expect(choiceLabel(choice('2', { label: 'Blue', ticked: false }))).toBe('☐ Blue');
  });

  it('takes a secret unseen', () => {
    expect(wantsSecret(ask({ kind: 'input', text: '[sudo] password for dev:' }))).toBe(true);
    expect(wantsSecret(ask({ kind: 'input', text: 'Your name' }))).toBe(false);
    expect(wantsSecret(ask({ kind: 'question', text: 'Which password manager?' }))).toBe(false);
  });
});
