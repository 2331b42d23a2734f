import { describe, expect, it } from 'vitest';
import { fromText, toText, wrongCommands } from './rules-form';

describe('rules as fields', () => {
  it('are none where nothing is said', () => {
    expect(fromText(toText(null))).toBeNull();
    expect(fromText({ ...toText(null), copy: ' \n ', run: [{ name: ' ', command: '' }] })).toBeNull();
  });

  it('come back as they were', () => {
    const rules = {
      setup: 'npm ci',
      teardown: 'down',
      base: 'origin/main',
      warm: 'agent' as const,
      run: [{ name: 'dev', command: 'npm run dev' }],
      copy: ['.env*', '!.env.prod'],
      link: ['node_modules'],
    };
    expect(fromText(toText(rules))).toEqual(rules);
  });

  it('have commands with a name each, and none twice', () => {
    expect(wrongCommands([{ name: '', command: '' }])).toBeUndefined();
    expect(wrongCommands([{ name: 'dev', command: '' }])).toContain('name');
    expect(
      wrongCommands([
        { name: 'dev', command: 'a' },
        { name: ' dev', command: 'b' },
      ]),
    ).toContain('dev');
  });
});
