import { describe, expect, it } from 'vitest';
import { joinWords, readEnvironment, splitWords } from './words';

describe('words', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['  a  b\tc ', ['a', 'b', 'c']],
    [`--name 'two words' "and $more"`, ['--name', 'two words', 'and $more']],
    [`a\\ b \\"x\\"`, ['a b', '"x"']],
    [`"a\\n\\"b\\\\"`, ['a\\n"b\\']],
    [`'' ""`, ['', '']],
    [`pre'fix'"ed"`, ['prefixed']],
    [`'it'\\''s'`, ["it's"]],
  ])('%s', (line, words) => {
    expect(splitWords(line)).toEqual({ words });
  });

  it.each(["'open", '"open', 'end\\'])('%s has a problem', (line) => {
    expect(splitWords(line)).toHaveProperty('problem');
  });

  it('come back from how they are shown', () => {
    const words = ['--flag', 'two words', "it's", '', '$HOME', '\\', '"'];
    expect(splitWords(joinWords(words))).toEqual({ words });
  });
});

describe('environment', () => {
  it('is one variable a line', () => {
    expect(readEnvironment('A=1\n\n  B_2=x y=z \n')).toEqual({
      variables: [
        { name: 'A', value: '1' },
        { name: 'B_2', value: 'x y=z ' },
      ],
    });
  });
  it.each(['A', '1A=x', '=x', 'A B=1'])('does not take %s', (line) => {
    expect(readEnvironment(line)).toHaveProperty('problem');
  });
});
