import type { Ask, Group, Project, Session } from '../client/generated/protocol';

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

export const ask = (part: Partial<Ask> = {}): Ask => ({
  id: 'a',
  kind: 'approval',
  approves: 'command',
  text: '',
  choices: [],
  takes_text: false,
  detail: { command: null, path: null, url: null, tool: null, body: null },
  risk: 'low',
  risk_reason: null,
  fingerprint: 'f',
  answerable: true,
  opened_at: '2026-01-02T12:00:00Z',
  ...part,
});

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
