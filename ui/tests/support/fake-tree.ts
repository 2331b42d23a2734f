import type { Group, Project, Request, Session } from '../../src/lib/client/generated/protocol';

/** What the pretended daemon does for projects, groups and marks. */
export interface Planting {
  session(id: string): Session;
  sessions(): Iterable<Session>;
  change(id: string, part: Partial<Session>): void;
  event(event: unknown): void;
}

export class FakeTree {
  readonly projects = new Map<string, Project>();
  readonly groups = new Map<string, Group>();
  private serial = 0;

  constructor(private readonly daemon: Planting) {}

  addProject(name: string, part: Partial<Project> = {}): Project {
    this.serial += 1;
    const project: Project = {
      id: `project-${this.serial}`,
      name,
      path: `/home/dev/src/${name}`,
      position: this.serial,
      defaults: {},
      ...part,
    };
    this.projects.set(project.id, project);
    return project;
  }

  addGroup(project: Project, name: string, part: Partial<Group> = {}): Group {
    this.serial += 1;
    const group: Group = {
      id: `group-${this.serial}`,
      project: project.id,
      parent: null,
      name,
      position: this.serial,
      color: null,
      ...part,
    };
    this.groups.set(group.id, group);
    return group;
  }

  /** The reply's kind and value, or nothing where the request is none of these. */
  reply(request: Request): [kind: string, value?: unknown] | undefined {
    const { daemon } = this;
    switch (request.method) {
      case 'move_session': {
        const { session, project, group, position } = request.params;
        daemon.change(session, { project, group, ...(position !== null && { position }) });
        return ['session', daemon.session(session)];
      }
      case 'mark_session': {
        const { session, pinned, muted, snooze_seconds: snooze } = request.params;
        const until = snooze ? new Date(Date.now() + snooze * 1_000).toISOString() : null;
        daemon.change(session, {
          ...(pinned !== null && { pinned }),
          ...(muted !== null && { muted }),
          ...(snooze !== null && { snoozed_until: until }),
        });
        return ['session', daemon.session(session)];
      }
      case 'add_project': {
        const path = request.params.path.replace('~', '/home/dev').replace(/\/$/, '');
        const name = request.params.name ?? path.split('/').at(-1) ?? path;
        const known = [...this.projects.values()].find((one) => one.path === path);
        return ['project', this.tellProject(known ?? this.addProject(name, { path }))];
      }
      case 'change_project': {
        const { project, ...part } = request.params;
        const given = Object.fromEntries(Object.entries(part).filter(([, value]) => value !== null));
        const changed = { ...this.need(this.projects, project), ...given };
        this.projects.set(project, changed);
        return ['project', this.tellProject(changed)];
      }
      case 'remove_project': {
        const { project } = request.params;
        for (const session of daemon.sessions())
          if (session.project === project) daemon.change(session.id, { project: null, group: null });
        this.projects.delete(project);
        daemon.event({ event: 'project_removed', id: project });
        return ['done'];
      }
      case 'add_group': {
        const { project, parent, name, color } = request.params;
        const group = this.addGroup(this.need(this.projects, project), name, { parent, color });
        return ['group', this.tellGroup(group)];
      }
      case 'change_group': {
        const { group, ...part } = request.params;
        const changed = { ...this.need(this.groups, group), ...part };
        this.groups.set(group, changed);
        return ['group', this.tellGroup(changed)];
      }
      case 'remove_group': {
        const gone = this.need(this.groups, request.params.group);
        for (const session of daemon.sessions())
          if (session.group === gone.id) daemon.change(session.id, { group: gone.parent });
        this.groups.delete(gone.id);
        daemon.event({ event: 'group_removed', id: gone.id });
        return ['done'];
      }
      default:
        return undefined;
    }
  }

  private tellProject(project: Project): Project {
    this.projects.set(project.id, project);
    for (const session of this.daemon.sessions())
      if (session.project === null && session.cwd.startsWith(project.path))
        this.daemon.change(session.id, { project: project.id });
    this.daemon.event({ event: 'project', project });
    return project;
  }

  private tellGroup(group: Group): Group {
    this.daemon.event({ event: 'group', group });
    return group;
  }

  private need<T>(map: Map<string, T>, id: string): T {
    const found = map.get(id);
    if (!found) throw new Error(`nothing called ${id}`);
    return found;
  }
}
