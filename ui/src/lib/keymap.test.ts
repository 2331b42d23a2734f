import { afterEach, describe, expect, it } from 'vitest';
import { COMMANDS, TOPICS } from './commands';
import { commandFor, conflicts, isCommand, keysOf, label, LISTED, normalised, written } from './keymap';
import { changedKeys } from './state/changed-keys.svelte';

function pressed(keys: string, code?: string) {
  const parts = keys.endsWith('++') ? [...keys.slice(0, -2).split('+'), '+'] : keys.split('+');
  const key = parts.at(-1) ?? '';
  return {
    key,
    code: code ?? (/^[A-Z]$/i.test(key) ? `Key${key.toUpperCase()}` : /^\d$/.test(key) ? `Digit${key}` : key),
    ctrlKey: parts.includes('Ctrl'),
    shiftKey: parts.includes('Shift'),
    altKey: parts.includes('Alt'),
    metaKey: parts.includes('Cmd'),
  };
}

afterEach(() => changedKeys.set({}));

describe('commands', () => {
  it('have one id and one title each, and a topic that is listed', () => {
    expect(new Set(COMMANDS.map(({ id }) => id)).size).toBe(COMMANDS.length);
    expect(new Set(COMMANDS.map(({ title }) => title)).size).toBe(COMMANDS.length);
    for (const { topic } of COMMANDS) expect(TOPICS).toContain(topic);
    expect(LISTED.length).toBe(COMMANDS.length);
  });

  it('have keys that are written as they are pressed', () => {
    for (const { keys } of COMMANDS)
      for (const one of [...(keys?.other ?? []), ...(keys?.mac ?? []), ...(keys?.outside ?? [])])
        expect(normalised(one)).toBe(one);
  });

  it('have keys of their own', () => {
    for (const mac of [false, true]) expect([...conflicts(mac)]).toEqual([]);
  });
});

describe('keys', () => {
  it('leave what programs use to them: with a terminal in use only Ctrl Shift and Alt combinations are taken', () => {
    for (const { id, keys } of COMMANDS) {
      if (id.startsWith('font-')) continue;
      for (const one of keys?.other ?? []) expect(one).toMatch(/^(Ctrl\+Shift|Alt\+Shift|Alt\+\d)/);
      for (const one of keys?.mac ?? []) expect(one).toMatch(/^(Ctrl\+)?Cmd\+/);
    }
    const theirs = ['Ctrl+C', 'Ctrl+K', 'Ctrl+N', 'Ctrl+_', 'Alt+F', 'Alt+B', 'F2', 'Escape', 'Ctrl+Shift+_'];
    for (const keys of [...theirs, 'Alt+ArrowLeft', 'Shift+?', '?', 'Tab', 'Shift+Enter', 'Alt+Enter']) {
      expect(commandFor(pressed(keys), false, 'terminal'), keys).toBeUndefined();
    }
  });

  it('are found', () => {
    expect(commandFor(pressed('Ctrl+Shift+n'), false, 'terminal')).toBe('new-session');
    expect(commandFor(pressed('Cmd+n'), true, 'terminal')).toBe('new-session');
    expect(commandFor(pressed('Ctrl+k'), false, 'elsewhere')).toBe('palette');
    expect(commandFor(pressed('Ctrl+k'), false, 'field')).toBeUndefined();
    expect(commandFor({ ...pressed('Ctrl+Shift+N'), key: 'Т' }, false, 'terminal')).toBe('new-session');
    expect(commandFor(pressed('Shift+?'), false, 'elsewhere')).toBe('keys');
    expect(commandFor(pressed('Shift+?'), false, 'field')).toBeUndefined();
    expect(written(pressed('Ctrl++'))).toBe('Ctrl++');
  });

  it('with digits and brackets are the same on every layout', () => {
    // As an American, a German and a French keyboard send Ctrl Shift and the key of 2.
    for (const key of ['@', '"', '2'])
      expect(commandFor(pressed(`Ctrl+Shift+${key}`, 'Digit2'), false, 'terminal')).toBe('pane-2');
    expect(commandFor(pressed('Alt+é', 'Digit2'), false, 'terminal')).toBe('tab-2');
    expect(commandFor(pressed('Ctrl+Shift+{', 'BracketLeft'), false, 'terminal')).toBe('back');
    // Where the bracket's key has another letter, Ctrl Shift = is still the larger font.
    expect(commandFor(pressed('Ctrl+Shift+=', 'Equal'), false, 'terminal')).toBe('font-larger');
  });

  it('have labels', () => {
    expect(label('new-session', false)).toBe('Ctrl Shift N');
    expect(label('next-pane', false)).toBe('Ctrl Shift Right');
    expect(label('new-session', true)).toBe('Cmd N');
    expect(label('close-pane', false)).toBe('');
    expect(label('font-larger', false)).toBe('Ctrl =');
  });
});

describe('keys that the person has changed', () => {
  it('take the place of the usual ones, everywhere', () => {
    changedKeys.set({ grid: ['Ctrl+Shift+Y', 'F9'], zoom: [], unheard: ['Ctrl+Shift+Q'] });
    expect(commandFor(pressed('Ctrl+Shift+Y'), false, 'terminal')).toBe('grid');
    expect(commandFor(pressed('F9'), false, 'terminal')).toBe('grid');
    expect(commandFor(pressed('Ctrl+Shift+G'), false, 'terminal')).toBeUndefined();
    expect(commandFor(pressed('Ctrl+Shift+Z'), false, 'terminal')).toBeUndefined();
    expect(label('grid', false)).toBe('Ctrl Shift Y');
    expect(label('zoom', false)).toBe('');
    expect(keysOf('zoom', false)).toEqual([]);
  });

  it('may be written in any order and case', () => {
    expect(['shift + ctrl+k', 'Alt+F4', 'ctrl++', 'Shift+Cmd+Enter', 'g'].map(normalised)).toEqual([
      'Ctrl+Shift+K',
      'Alt+F4',
      'Ctrl++',
      'Cmd+Shift+Enter',
      'G',
    ]);
    changedKeys.set({ grid: ['shift+ctrl+y'] });
    expect(commandFor(pressed('Ctrl+Shift+Y'), false, 'terminal')).toBe('grid');
  });

  it('are told where two commands have one', () => {
    changedKeys.set({ grid: ['Ctrl+Shift+N'] });
    expect([...conflicts(false)]).toEqual([['Ctrl+Shift+N', ['new-session', 'grid']]]);
  });

  it('never take typing from a terminal or a field', () => {
    changedKeys.set({ grid: ['G'], zoom: ['Shift+Z'] });
    for (const place of ['terminal', 'field'] as const)
      for (const keys of ['g', 'Shift+Z']) expect(commandFor(pressed(keys), false, place)).toBeUndefined();
    expect(commandFor(pressed('g'), false, 'elsewhere')).toBe('grid');
    expect([isCommand('G'), isCommand('Shift+F3'), isCommand('Alt+G')]).toEqual([false, true, true]);
  });
});
