import { describe, expect, it } from 'vitest';
import { COMMANDS } from '$lib/commands';
import { BUILT_IN } from '$lib/terminal/themes';
import commands from '../../../crates/daemon/src/settings/commands.txt?raw';
import themes from '../../../crates/daemon/src/settings/themes.txt?raw';

/** Names that the daemon knows: it says which there are where a person sets another one. */
const known = (text: string) => text.split('\n').filter((line) => line && !line.startsWith('#'));

describe('the daemon', () => {
  it('knows every command that can have keys, and no other', () => {
    expect(known(commands)).toEqual(COMMANDS.map(({ id }) => id).sort());
  });

  it('knows every theme, and no other', () => {
    expect(known(themes)).toEqual(BUILT_IN.map(({ id }) => id).sort());
  });
});
