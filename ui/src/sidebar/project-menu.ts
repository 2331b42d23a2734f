import type { Group, GroupColor, Project, Session } from '$lib/client/generated/protocol';
import type { Belfry } from '$lib/state/belfry.svelte';
import { COLORS } from '$lib/state/projects';
import type { Row } from '$lib/state/tree';
import { say } from '$lib/words';
import type { MenuItem } from '../parts/menu';
import { meantBy, selectionMenu } from './selection-menu';
import { sessionMenu } from './session-menu';
import { moveGroupItems } from './move-menu';

const COLOR_NAMES: Record<GroupColor, string> = {
  red: say.list.red,
  orange: say.list.orange,
  yellow: say.list.yellow,
  green: say.list.green,
  teal: say.list.teal,
  blue: say.list.blue,
  purple: say.list.purple,
  pink: say.list.pink,
};

/** What the menu of a row of the list offers, and its name. */
export function rowMenu(belfry: Belfry, row: Row): { items: MenuItem[]; label: string } | null {
  switch (row.kind) {
    case 'session':
      return ofSession(belfry, row.session);
    case 'project':
      return { items: projectMenu(belfry, row.project), label: say.list.menuOfName(row.project.name) };
    case 'group':
      return { items: groupMenu(belfry, row.group), label: say.list.menuOfName(row.group.name) };
    case 'directory':
      return { items: directoryMenu(belfry, row.directory), label: say.list.menuOfPath(row.path) };
    default:
      return null;
  }
}

/** One session's, or that of all that are selected where it is one of them. */
function ofSession(belfry: Belfry, session: Session): { items: MenuItem[]; label: string } {
  const chosen = meantBy(belfry, session);
  if (chosen.length > 1)
    return { items: selectionMenu(belfry, chosen, session), label: say.selection.menuOf(chosen.length) };
  const own = sessionMenu(belfry, session);
  // Others are selected, and stay so: it says that it is not about them.
  const apart = belfry.selection.any && !belfry.selection.has(session.id);
  const items = apart ? [{ heading: say.selection.only(session.name) }, ...own] : own;
  return { items, label: say.list.menuOfName(session.name) };
}

function projectMenu(belfry: Belfry, project: Project): MenuItem[] {
  const { projects, dialogs } = belfry;
  return [
    {
      label: say.list.startASession,
      run: () => void projects.start(project),
      testid: 'project-start',
    },
    {
      label: say.list.newSessionAsking,
      run: () => dialogs.newSession(project.path),
      testid: 'project-new-session',
    },
    {
      label: say.list.newGroup,
      run: () => void projects.addGroup(project.id, null),
      testid: 'project-new-group',
    },
    'line',
    {
      label: say.list.rename,
      run: () => (belfry.renaming = project.id),
      keys: 'F2',
      testid: 'project-rename',
    },
    {
      label: say.list.defaults,
      run: () => dialogs.projectDefaults(project.id),
      testid: 'project-defaults',
    },
    ...moves(belfry, project),
    'line',
    {
      label: say.list.removeFromTheList,
      run: () => void projects.remove(project),
      danger: true,
      keys: 'Del',
      testid: 'project-remove',
    },
  ];
}

/** What dragging does, for the keyboard. */
function moves(belfry: Belfry, project: Project): MenuItem[] {
  return [
    {
      label: say.list.moveUp,
      run: () => void belfry.projects.step(project.id, -1),
      keys: 'Alt Up',
      unavailable: belfry.projects.canStep(project.id, -1) ? undefined : say.list.itIsTheFirst,
      testid: 'project-up',
    },
    {
      label: say.list.moveDown,
      run: () => void belfry.projects.step(project.id, 1),
      keys: 'Alt Down',
      unavailable: belfry.projects.canStep(project.id, 1) ? undefined : say.list.itIsTheLast,
      testid: 'project-down',
    },
  ];
}

function groupMenu(belfry: Belfry, group: Group): MenuItem[] {
  const { projects, sessions } = belfry;
  const project = sessions.projects.get(group.project);
  const colors: MenuItem[] = COLORS.map((color) => ({
    label: COLOR_NAMES[color],
    color: `var(--tone-${color})`,
    checked: group.color === color,
    radio: true,
    run: () => void projects.colorGroup(group, color),
    testid: `color-${color}`,
  }));
  return [
    {
      label: say.list.startASession,
      run: () => project && void projects.start(project, group),
      testid: 'group-start',
    },
    {
      label: say.list.newGroupInIt,
      run: () => void projects.addGroup(group.project, group.id),
      testid: 'group-new-group',
    },
    'line',
    { label: say.list.rename, run: () => (belfry.renaming = group.id), keys: 'F2', testid: 'group-rename' },
    {
      label: say.list.colour,
      items: [
        ...colors,
        'line',
        {
          label: say.list.none,
          checked: group.color === null,
          radio: true,
          run: () => void projects.colorGroup(group, null),
          testid: 'color-none',
        },
      ],
      testid: 'group-color',
    },
    { label: say.list.moveTo, items: moveGroupItems(belfry, group), testid: 'group-move' },
    'line',
    {
      label: say.list.removeTheGroup,
      run: () => void projects.removeGroup(group),
      danger: true,
      keys: 'Del',
      testid: 'group-remove',
    },
  ];
}

function directoryMenu(belfry: Belfry, directory: string): MenuItem[] {
  return [
    {
      label: say.list.makeThisAProject,
      run: () => void belfry.projects.adopt(directory),
      testid: 'directory-adopt',
    },
    {
      label: say.list.newSessionHere,
      run: () => belfry.dialogs.newSession(directory),
      testid: 'directory-new-session',
    },
  ];
}
