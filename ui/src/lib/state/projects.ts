import type {
  Group,
  GroupColor,
  NewSession,
  Project,
  ProjectDefaults,
  Request,
  WorkspaceKind,
} from '../client/generated/protocol';
import type { ReplyKind, ReplyValue } from '../client/connection';
import type { Belfry } from './belfry.svelte';
import { explain } from './explain-error';
import { positioned } from './positions';
import { byPosition, groupsOf, parentOf } from './tree';
import { say } from '../words';

/** Colours in the order of a menu. */
export const COLORS: readonly GroupColor[] = [
  'red',
  'orange',
  'yellow',
  'green',
  'teal',
  'blue',
  'purple',
  'pink',
];

/** What a person can do to projects and groups. */
export class ProjectActions {
  constructor(private readonly belfry: Belfry) {}

  /** Makes a directory a project, and rejects where that cannot be: whoever asked says why beside the field. */
  add(path: string): Promise<Project> {
    const params = { path, name: null };
    return this.belfry.client.request('project', { method: 'add_project', params });
  }

  /** The same for a directory that is in the list, told by a toast. */
  async adopt(directory: string): Promise<void> {
    const project = await this.ask('project', {
      method: 'add_project',
      params: { path: directory, name: null },
    });
    if (!project) return;
    const undo = () => void this.ask('done', { method: 'remove_project', params: { project: project.id } });
    this.belfry.toasts.show(say.projects.nameIsAProjectNow(project.name), {
      label: say.projects.undo,
      run: undo,
    });
  }

  async rename(project: Project, name: string): Promise<void> {
    const trimmed = name.trim().slice(0, 200);
    if (trimmed && trimmed !== project.name) await this.change(project, { name: trimmed });
  }

  async setDefaults(project: Project, defaults: ProjectDefaults): Promise<void> {
    await this.change(project, { defaults });
  }

  /** Up or down among the projects by one. */
  async step(id: string, by: 1 | -1): Promise<void> {
    const list = [...this.belfry.sessions.projects.values()].sort(byPosition);
    const at = list.findIndex((one) => one.id === id);
    const before = by < 0 ? list[at - 1] : list[at + 2];
    if (this.canStep(id, by)) await this.reorder(id, before?.id ?? null);
  }

  canStep(id: string, by: 1 | -1): boolean {
    const list = [...this.belfry.sessions.projects.values()].sort(byPosition);
    return list[list.findIndex((one) => one.id === id) + by] !== undefined;
  }

  async reorder(id: string, before: string | null): Promise<void> {
    const list = [...this.belfry.sessions.projects.values()].sort(byPosition);
    for (const { id: project, position } of positioned(list, [id], before)) {
      const known = this.belfry.sessions.projects.get(project);
      if (known) await this.change(known, { position });
    }
  }

  /** Takes a project out of the list; its sessions and its directory stay as they are. */
  async remove(project: Project): Promise<void> {
    const { sessions, toasts } = this.belfry;
    const groups = groupsOf(project.id, sessions.groups).map(({ group }) => group);
    const inside = [...sessions.all.values()]
      .filter((one) => one.project === project.id)
      .map(({ id, group }) => ({ id, group }));
    if ((await this.ask('done', { method: 'remove_project', params: { project: project.id } })) === null)
      return;
    const undo = () => void this.bringBack(project, groups, inside);
    toasts.show(say.projects.nameIsNoProjectAnyMore(project.name), { label: say.projects.undo, run: undo });
  }

  /** Starts a session with the project's defaults; what it has none for is as it was last there. */
  async start(project: Project, group: Group | null = null): Promise<void> {
    const { client, agents, sessions } = this.belfry;
    const { defaults } = project;
    const last = await client
      .request('launch_defaults', { method: 'launch_defaults', params: { cwd: project.path } })
      .catch(() => null);
    const here = agents.filter((agent) => agent.program);
    const known = (id: string | null | undefined) => here.find((agent) => agent.id === id);
    const agent =
      known(defaults.agent) ?? known(last?.agent) ?? here.find(({ id }) => id !== 'shell') ?? here[0];
    if (defaults.agent && !known(defaults.agent)) {
      this.belfry.toasts.fail(say.projects.nameStartsAgent(project.name, defaults.agent));
      return;
    }
    const size = this.belfry.roomSize();
    const model = defaults.model ?? (agent?.id === last?.agent ? last?.model : null);
    const wanted: NewSession = {
      agent: agent?.id ?? 'shell',
      warm: false,
      cwd: project.path,
      project: project.id,
      workspace: 'directory',
      args: [],
      env: [],
      private: false,
      ...(group && { group: group.id }),
      ...(model && agent?.takes.model && { model }),
      ...(defaults.prompt && agent?.takes.prompt && { prompt: defaults.prompt }),
      ...(size && { size }),
    };
    const workspace = await this.kindFor(project);
    wanted.workspace = workspace;
    wanted.warm = workspace === 'worktree' || workspace === 'clone';
    const session = await this.ask('session', { method: 'new_session', params: wanted });
    if (!session) return;
    sessions.all.set(session.id, sessions.get(session.id) ?? session);
    this.belfry.show(session.id, 'tab');
  }

  /** Where a session of the project works: as the project says, else as one did last, else as the settings say. */
  private async kindFor({ defaults, path }: Project): Promise<WorkspaceKind> {
    const { kinds, settings, workspaces } = this.belfry;
    const meant = defaults.workspace ?? kinds.of(path);
    if (meant) return meant;
    const usual = settings.values?.workspaces.kind ?? 'directory';
    if (usual === 'directory') return usual;
    // What is set for all projects is not possible in each.
    const known = await workspaces.branches(path).catch(() => null);
    const cannot = !known || known.refused !== null || known.repository === null;
    if (usual !== 'scratch' && cannot) return 'directory';
    return usual === 'clone' && known?.remote === null ? 'directory' : usual;
  }

  /** A new group, whose name is to be given next. */
  async addGroup(project: string, parent: string | null): Promise<void> {
    const params = { project, parent, name: say.projects.newGroup, color: null };
    const group = await this.ask('group', { method: 'add_group', params });
    if (!group) return;
    const { sessions, list } = this.belfry;
    sessions.groups.set(group.id, sessions.groups.get(group.id) ?? group);
    list.unfold(project, parent);
    this.belfry.renaming = group.id;
  }

  async renameGroup(group: Group, name: string): Promise<void> {
    const trimmed = name.trim().slice(0, 200);
    if (trimmed && trimmed !== group.name) await this.changeGroup({ ...group, name: trimmed });
  }

  async colorGroup(group: Group, color: GroupColor | null): Promise<void> {
    await this.changeGroup({ ...group, color });
  }

  /** Into another group of the project, or to its top. */
  async moveGroup(group: Group, parent: string | null, before: string | null = null): Promise<void> {
    const { groups } = this.belfry.sessions;
    const siblings = [...groups.values()]
      .filter((one) => one.project === group.project && (parentOf(one, groups)?.id ?? null) === parent)
      .sort(byPosition);
    for (const { id, position } of positioned(siblings, [group.id], before)) {
      const known = groups.get(id);
      if (known)
        await this.changeGroup({ ...known, position, parent: id === group.id ? parent : known.parent });
    }
  }

  /** Up or down among the groups beside it by one. */
  async stepGroup(group: Group, by: 1 | -1): Promise<void> {
    const { groups } = this.belfry.sessions;
    const parent = parentOf(group, groups);
    const list = [...groups.values()]
      .filter((one) => one.project === group.project && parentOf(one, groups) === parent)
      .sort(byPosition);
    const at = list.findIndex((one) => one.id === group.id);
    if (!list[at + by]) return;
    const before = by < 0 ? list[at - 1] : list[at + 2];
    await this.moveGroup(group, parent?.id ?? null, before?.id ?? null);
  }

  /** Takes a group away; what is in it goes to where it was. */
  async removeGroup(group: Group): Promise<void> {
    const { sessions, toasts } = this.belfry;
    const inside = [...sessions.all.values()].filter((one) => one.group === group.id).map(({ id }) => id);
    const nested = [...sessions.groups.values()].filter((one) => one.parent === group.id);
    if ((await this.ask('done', { method: 'remove_group', params: { group: group.id } })) === null) return;
    const run = async () => {
      const made = await this.remake(group, group.project, group.parent);
      if (!made) return;
      for (const one of nested) await this.changeGroup({ ...one, parent: made.id });
      for (const id of inside) await this.put(id, group.project, made.id);
    };
    toasts.show(say.projects.theGroupNameIsGone(group.name), {
      label: say.projects.undo,
      run: () => void run(),
    });
  }

  private async bringBack(
    project: Project,
    groups: readonly Group[],
    inside: readonly { id: string; group: string | null }[],
  ): Promise<void> {
    const params = { path: project.path, name: project.name };
    const back = await this.ask('project', { method: 'add_project', params });
    if (!back) return;
    await this.change(back, { position: project.position, defaults: project.defaults });
    const made = new Map<string, string>();
    // Outer ones come first.
    for (const group of groups) {
      const again = await this.remake(group, back.id, made.get(group.parent ?? '') ?? null);
      if (again) made.set(group.id, again.id);
    }
    for (const { id, group } of inside) await this.put(id, back.id, made.get(group ?? '') ?? null);
  }

  private async remake(group: Group, project: string, parent: string | null): Promise<Group | null> {
    const params = { project, parent, name: group.name, color: group.color };
    const made = await this.ask('group', { method: 'add_group', params });
    return made && this.changeGroup({ ...made, position: group.position });
  }

  private async put(session: string, project: string, group: string | null): Promise<void> {
    const known = this.belfry.sessions.get(session);
    if (known && known.project === project && known.group === group) return;
    await this.ask('session', {
      method: 'move_session',
      params: { session, project, group, position: null },
    });
  }

  private change(
    project: Project,
    part: Partial<{ name: string; position: number; defaults: ProjectDefaults }>,
  ): Promise<Project | null> {
    const params = { project: project.id, name: null, position: null, defaults: null, ...part };
    return this.ask('project', { method: 'change_project', params });
  }

  private changeGroup({ id, parent, name, color, position }: Group): Promise<Group | null> {
    const params = { group: id, parent, name, color, position };
    return this.ask('group', { method: 'change_group', params });
  }

  /** Null where it was not done; that has been told then. */
  private async ask<K extends ReplyKind>(kind: K, request: Request): Promise<ReplyValue<K> | null> {
    try {
      return await this.belfry.client.request(kind, request);
    } catch (error) {
      this.belfry.toasts.fail(explain(error));
      return null;
    }
  }
}
