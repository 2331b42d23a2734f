import { describe, expect, it } from 'vitest';
import { bracket, needsConfirmation, sanitisePaste } from './paste';

describe('paste', () => {
  it('keeps text, tabs and ends of lines', () => {
    expect(sanitisePaste('a\tb\r\nc\nd\re é 日本 😀')).toBe('a\tb\rc\rd\re é 日本 😀');
  });

  it('cannot end its own bracket', () => {
    const pasted = bracket(sanitisePaste('x\x1b[201~rm -rf /\n\x9b201~'), true);
    expect(pasted).toBe('\x1b[200~x[201~rm -rf /\r201~\x1b[201~');
    expect(pasted.indexOf('\x1b[201~')).toBe(pasted.length - 6);
  });

  it('drops every control character', () => {
    let controls = '';
    for (let code = 0; code < 0xa0; code += 1)
      if (code < 0x20 || code > 0x7e) controls += String.fromCharCode(code);
    expect(sanitisePaste(controls)).toBe('\t\r\r');
  });

  it('mends torn surrogates', () => {
    expect(sanitisePaste('\ud83da\ude00')).toBe('\ufffda\ufffd');
  });

  it('asks before Enter is pressed by a paste', () => {
    expect(needsConfirmation('ls\r', false)).toBe(true);
    expect(needsConfirmation('ls\r', true)).toBe(false);
    expect(needsConfirmation('ls', false)).toBe(false);
  });

  it('takes a megabyte', () => {
    const text = 'x'.repeat(1 << 20);
    expect(bracket(sanitisePaste(text), true).length).toBe((1 << 20) + 12);
  });
});
