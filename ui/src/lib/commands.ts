/** Every command of the window, in one table: keys, palette, menus and the list of keys are made from it. */

import type { Command, Topic } from './commands/command';
import { CHANGES } from './commands/changes';
import { FACE_COMMANDS } from './commands/faces';
import { GO } from './commands/go';
import { PANES } from './commands/panes';
import { WINDOW } from './commands/window';
import { WORKSPACE_COMMANDS } from './commands/workspaces';

export type { Command, Topic } from './commands/command';

const ALL = [...WINDOW, ...GO, ...PANES, ...FACE_COMMANDS, ...CHANGES, ...WORKSPACE_COMMANDS] as const;

export type CommandId = (typeof ALL)[number]['id'];

export type Listed = Command & { id: CommandId };

export const COMMANDS: readonly Listed[] = ALL;

/** In the order in which topics are listed. */
export const TOPICS: readonly Topic[] = ['Sessions', 'Go', 'Panes and tabs', 'Terminal', 'Window'];

const BY_ID = new Map<string, Listed>(COMMANDS.map((command) => [command.id, command]));

export function commandOf(id: CommandId): Listed;
export function commandOf(id: string): Listed | undefined;
export function commandOf(id: string): Listed | undefined {
  return BY_ID.get(id);
}
