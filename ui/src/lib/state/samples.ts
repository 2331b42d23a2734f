import type { Group, Project, Session } from '../client/generated/protocol';

/** Sessions, projects and groups for tests, with what matters there. */
export const session = (id: string, part: Partial<Session> = {}): Session =>
  ({
    id,
    name: id,
    status: 'idle',
    cwd: '/home/dev/src/shop',
    project: null,
    group: null,
    position: 0,
    pinned: false,
    unseen: false,
    trashed_at: null,
    archived_at: null,
    private: false,
    ...part,
  }) as Session;

export const project = (id: string, part: Partial<Project> = {}): Project => ({
  id,
  name: id,
  path: `/home/dev/src/${id}`,
  position: 1,
  defaults: {},
  ...part,
});

export const group = (id: string, part: Partial<Group> = {}): Group => ({
  id,
  project: 'p',
  parent: null,
  name: id,
  position: 1,
  color: null,
  ...part,
});
