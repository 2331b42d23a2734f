import { describe, expect, it } from 'vitest';
import { actionFor, BINDINGS, label, LISTED, written } from './keymap';

function pressed(keys: string) {
  const parts = keys === 'Ctrl++' ? ['Ctrl', '+'] : keys.split('+');
  const key = parts.at(-1) ?? '';
  return {
    key,
    code: /^[A-Z]$/i.test(key) ? `Key${key.toUpperCase()}` : key,
    ctrlKey: parts.includes('Ctrl'),
    shiftKey: parts.includes('Shift'),
    altKey: parts.includes('Alt'),
    metaKey: parts.includes('Cmd'),
  };
}

describe('keys', () => {
  it('have one action each', () => {
    for (const which of ['other', 'mac'] as const) {
      const all = BINDINGS.flatMap((binding) => binding[which]);
      expect(new Set(all).size).toBe(all.length);
    }
  });

  it('leave everything without Shift to the program in a terminal, but the font size', () => {
    for (const { action, other } of BINDINGS) {
      for (const keys of other) {
        if (action.startsWith('font-')) continue;
        expect(keys).toMatch(/^Ctrl\+Shift\+/);
      }
    }
    for (const keys of ['Ctrl+C', 'Ctrl+K', 'Ctrl+N', 'Ctrl+_', 'Alt+F', 'F2', 'Escape', 'Ctrl+Shift+_']) {
      expect(actionFor(pressed(keys), false, true), keys).toBeUndefined();
    }
  });

  it('are found', () => {
    expect(actionFor(pressed('Ctrl+Shift+n'), false, true)).toBe('new-session');
    expect(actionFor(pressed('Cmd+n'), true, true)).toBe('new-session');
    expect(actionFor(pressed('Ctrl+k'), false, false)).toBe('switcher');
    expect(actionFor({ ...pressed('Ctrl+Shift+N'), key: 'Т' }, false, true)).toBe('new-session');
    expect(written(pressed('Ctrl++'))).toBe('Ctrl++');
  });

  it('are all listed in the window, once', () => {
    expect(LISTED.map(([action]) => action).sort()).toEqual(BINDINGS.map(({ action }) => action).sort());
  });

  it('have labels', () => {
    expect(label('new-session', false)).toBe('Ctrl Shift N');
    expect(label('next-pane', false)).toBe('Ctrl Shift Right');
    expect(label('new-session', true)).toBe('Cmd N');
  });
});
