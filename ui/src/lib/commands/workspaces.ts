import type { Belfry } from '../state/belfry.svelte';
import { say } from '../words';
import type { Command } from './command';

const words = say.workspaces;
const front = ({ sessions, arrangement }: Belfry) => sessions.get(arrangement.focused);
const project = (belfry: Belfry) => belfry.sessions.projects.get(front(belfry)?.project ?? '');

export const WORKSPACE_COMMANDS = [
  {
    id: 'workspaces',
    title: words.command,
    topic: 'Sessions',
    words: words.commandWords,
    keys: { other: ['Alt+Shift+W'], mac: ['Cmd+Shift+U'] },
    anywhere: true,
    run: (belfry) => belfry.dialogs.workspaces(),
  },
  {
    id: 'add-project',
    title: words.addProject,
    topic: 'Sessions',
    words: words.addProjectWords,
    run: (belfry) => belfry.dialogs.addProject(),
  },
  {
    id: 'project-settings',
    title: words.projectSettings,
    topic: 'Sessions',
    words: words.projectSettingsWords,
    unavailable: (belfry) => {
      if (!front(belfry)) return say.commands.nothingIsOpen;
      return project(belfry) ? undefined : words.noProject;
    },
    run: (belfry) => {
      const found = project(belfry);
      if (found) belfry.dialogs.projectDefaults(found.id);
    },
  },
  {
    id: 'remove-workspace',
    title: words.removeCommand,
    topic: 'Sessions',
    words: words.removeCommandWords,
    unavailable: (belfry) => {
      const session = front(belfry);
      if (!session) return say.commands.nothingIsOpen;
      return belfry.workspaces.own(session) ? undefined : words.noneOfItsOwn;
    },
    run: (belfry) => {
      const session = front(belfry);
      const own = session && belfry.workspaces.own(session);
      if (own) belfry.dialogs.over = { kind: 'remove', workspace: own.workspace, name: own.name };
    },
  },
  {
    id: 'review-scripts',
    title: words.reviewScripts,
    topic: 'Sessions',
    words: words.reviewScriptsWords,
    unavailable: (belfry) => (front(belfry) ? undefined : say.commands.nothingIsOpen),
    run: (belfry) => {
      const session = front(belfry);
      if (session) belfry.dialogs.over = { kind: 'scripts', directory: session.cwd, session: session.id };
    },
  },
] as const satisfies readonly Command[];
