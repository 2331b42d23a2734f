import type { Group, Session } from '$lib/client/generated/protocol';
import type { Belfry } from '$lib/state/belfry.svelte';
import { byPosition, groupsOf, parentOf, placeOf, type Place } from '$lib/state/tree';
import type { MenuItem } from '../parts/menu';
import { say } from '$lib/words';

/** Every project with its groups, as places for sessions. */
export function moveItems(belfry: Belfry, sessions: readonly Session[], done?: () => void): MenuItem[] {
  const { projects, groups } = belfry.sessions;
  const places = sessions.map((one) => placeOf(one, projects, groups));
  const here = (place: Place) =>
    places.every((one) => one.project === place.project && one.group === place.group);
  const item = (label: string, place: Place, depth: number, color?: string): MenuItem => ({
    label,
    depth,
    checked: here(place),
    radio: true,
    ...(color && { color }),
    testid: 'move-place',
    run: () => {
      if (!here(place)) void belfry.bulk.move(sessions, place, 'first').then(done);
    },
  });
  const listed = [...projects.values()]
    .sort(byPosition)
    .flatMap((project) => [
      item(project.name, { project: project.id, group: null }, 0),
      ...groupsOf(project.id, groups).map(({ group, depth }) =>
        item(group.name, { project: project.id, group: group.id }, depth + 1, tone(group)),
      ),
    ]);
  const [only] = sessions;
  const directories = new Set(sessions.map(({ cwd }) => cwd));
  const adopt: MenuItem[] =
    only && directories.size === 1 && ![...projects.values()].some(({ path }) => path === only.cwd)
      ? [
          {
            label: say.list.makeItsDirectoryAProject,
            run: () => void belfry.projects.adopt(only.cwd),
            testid: 'move-adopt',
          },
        ]
      : [];
  return [
    ...listed,
    ...(listed.length > 0 ? (['line'] as const) : []),
    item(say.list.noProject, { project: null, group: null }, 0),
    ...adopt,
    { label: say.list.addAnotherProject, run: () => belfry.dialogs.addProject(), testid: 'move-add-project' },
  ];
}

/** The groups of its project that a group can lie in, and the project's top. */
export function moveGroupItems(belfry: Belfry, group: Group): MenuItem[] {
  const { projects, groups } = belfry.sessions;
  const parent = parentOf(group, groups);
  const inside = (one: Group | null): boolean =>
    one !== null && (one.id === group.id || inside(parentOf(one, groups)));
  const item = (label: string, to: string | null, depth: number, color?: string): MenuItem => ({
    label,
    depth,
    checked: (parent?.id ?? null) === to,
    radio: true,
    ...(color && { color }),
    run: () => void belfry.projects.moveGroup(group, to),
  });
  return [
    item(projects.get(group.project)?.name ?? say.list.theProject, null, 0),
    ...groupsOf(group.project, groups)
      .filter((one) => !inside(one.group))
      .map((one) => item(one.group.name, one.group.id, one.depth + 1, tone(one.group))),
  ];
}

/** A group's colour as the styles know it. */
export function tone(group: Group): string {
  return group.color ? `var(--tone-${group.color})` : '';
}
