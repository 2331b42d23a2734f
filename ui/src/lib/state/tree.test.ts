import { describe, expect, it } from 'vitest';
import type { Group, Project, Session } from '../client/generated/protocol';
import { within } from './drop';
import { group, project, session } from './samples';
import { elementId, flatRows, groupsOf, HEIGHT, parentOf, treeRows, type Row } from './tree';

function rows(
  sessions: Session[],
  projects: Project[] = [],
  groups: Group[] = [],
  more: { folds?: string[]; fits?: (session: Session) => boolean } = {},
): Row[] {
  const folds = new Set(more.folds);
  return treeRows({ sessions, projects, groups, home: '/home/dev', folds, fits: more.fits });
}

/** Each row as its level and a word for it. */
const drawn = (list: readonly Row[]) =>
  list.map((row) => {
    const word = {
      label: () => (row.kind === 'label' ? `"${row.text}"` : ''),
      project: () => (row.kind === 'project' ? `${row.project.name} ${row.count}` : ''),
      directory: () => (row.kind === 'directory' ? `${row.name} (${row.path}) ${row.count}` : ''),
      group: () => (row.kind === 'group' ? `${row.group.name} ${row.count}` : ''),
      session: () => (row.kind === 'session' ? row.session.id : ''),
      empty: () => 'nothing',
      shelf: () => (row.kind === 'shelf' ? `${row.shelf} ${row.count}` : ''),
    }[row.kind]();
    return `${'. '.repeat(row.level - 1)}${word}`;
  });

describe('the tree', () => {
  it('has projects, in them groups and then sessions, and directories that are none', () => {
    const list = rows(
      [
        session('1', { project: 'p', group: 'inner' }),
        session('2', { project: 'p' }),
        session('3', { project: 'p', group: 'outer' }),
        session('4', { cwd: '/srv/shop' }),
        session('5'),
        session('6', { cwd: '/home/dev' }),
      ],
      [project('q', { position: 1 }), project('p', { position: 2 })],
      [group('inner', { parent: 'outer' }), group('outer'), group('empty', { position: 2 })],
    );
    expect(drawn(list)).toEqual([
      'q 0',
      '. nothing',
      'p 3',
      '. outer 2',
      '. . inner 1',
      '. . . 1',
      '. . 3',
      '. empty 0',
      '. 2',
      '"Other directories"',
      '~ (~) 1',
      '. 6',
      'shop (~/src/shop) 1',
      '. 5',
      'shop (/srv/shop) 1',
      '. 4',
    ]);
    const shops = list.filter((row) => row.kind === 'directory');
    expect(shops.map((row) => row.ambiguous)).toEqual([false, true, true]);
  });

  it('has pinned ones first, then the person’s order, then the newest', () => {
    const list = rows([
      session('1', { position: 2 }),
      session('2', { position: 1 }),
      session('3', { position: 1 }),
      session('4', { position: 9, pinned: true }),
    ]);
    expect(drawn(list).slice(1)).toEqual(['. 4', '. 3', '. 2', '. 1']);
  });

  it('tells places among siblings, which are not all drawn', () => {
    const list = rows(
      [session('1', { project: 'p' }), session('2', { project: 'p' }), session('3')],
      [project('p')],
      [group('g')],
    );
    const places = list.map((row) => [row.kind, row.level, row.at, row.of]);
    expect(places).toEqual([
      ['project', 1, 1, 2],
      ['group', 2, 1, 3],
      ['session', 2, 2, 3],
      ['session', 2, 3, 3],
      ['label', 1, 0, 0],
      ['directory', 1, 2, 2],
      ['session', 2, 1, 1],
    ]);
  });

  it('lays the rows one under the other', () => {
    const list = rows([session('1', { project: 'p' }), session('2')], [project('p')], []);
    let top = 0;
    for (const row of list) {
      expect(row.top).toBe(top);
      expect(row.height).toBe(HEIGHT[row.kind]);
      top += row.height;
    }
  });

  it('leaves out what is folded, and counts it', () => {
    const all = [session('1', { project: 'p', group: 'g' }), session('2', { project: 'p' })];
    expect(drawn(rows(all, [project('p')], [group('g')], { folds: ['g:g'] }))).toEqual([
      'p 2',
      '. g 1',
      '. 2',
    ]);
    expect(drawn(rows(all, [project('p')], [group('g')], { folds: ['p:p'] }))).toEqual(['p 2']);
  });

  it('with a filter has what fits alone, whatever is folded', () => {
    const all = [session('1', { project: 'p', group: 'g' }), session('2', { project: 'p' }), session('3')];
    const list = rows(all, [project('p'), project('q')], [group('g'), group('h')], {
      folds: ['p:p', 'g:g'],
      fits: ({ id }) => id === '1',
    });
    expect(drawn(list)).toEqual(['p 1', '. g 1', '. . 1']);
  });

  it('has what was put away folded at its end', () => {
    const all = [
      session('1', { archived_at: '2026-01-01T00:00:00Z' }),
      session('2', { trashed_at: '2026-01-01T00:00:00Z' }),
      session('3', { trashed_at: '2026-01-02T00:00:00Z', archived_at: '2026-01-01T00:00:00Z' }),
    ];
    expect(drawn(rows(all))).toEqual(['archive 1', 'trash 2']);
    expect(drawn(rows(all, [], [], { folds: ['trash'] }))).toEqual(['archive 1', 'trash 2', '. 3', '. 2']);
  });

  it('shows a session of a group or project that is gone all the same', () => {
    const all = [
      session('1', { project: 'gone', group: 'g' }),
      session('2', { project: 'p', group: 'gone' }),
    ];
    expect(drawn(rows(all, [project('p')], [group('g')]))).toEqual([
      'p 1',
      '. g 0',
      '. 2',
      '"Other directories"',
      'shop (~/src/shop) 1',
      '. 1',
    ]);
  });

  it('says of what is folded whether somebody in it wants the person', () => {
    const all = [
      session('1', { project: 'p', group: 'g', unseen: true }),
      session('2', { project: 'p', group: 'inner', status: 'blocked' }),
      session('3', { project: 'q', status: 'running' }),
      session('4', { status: 'waiting', trashed_at: '2026-01-01T00:00:00Z' }),
    ];
    const groups = [group('g'), group('inner', { parent: 'g' })];
    const list = rows(all, [project('p'), project('q')], groups, { folds: ['g:g'] });
    expect(list.map((row) => [row.key, row.wants])).toEqual([
      ['p:p', 'blocked'],
      ['g:g', 'blocked'],
      ['p:q', null],
      ['s:3', null],
      ['trash', null],
    ]);
  });

  it('loses nothing in a circle of groups', () => {
    const circle = [group('a', { parent: 'b' }), group('b', { parent: 'a' })];
    const list = rows([session('1', { project: 'p', group: 'a' })], [project('p')], circle);
    expect(drawn(list)).toContain('. . 1');
    const known = new Map(circle.map((one) => [one.id, one]));
    expect(circle.map((one) => parentOf(one, known))).toEqual([null, null]);
    expect(groupsOf('p', known)).toHaveLength(2);
  });
});

it('flat it has sessions in the order that is given', () => {
  const list = flatRows(
    { sessions: [], projects: [], groups: [], home: '', folds: new Set(), fits: ({ id }) => id !== '2' },
    ['3', '2', '1'].map((id) => session(id)),
  );
  expect(list.map((row) => [row.key, row.at, row.of, row.parent])).toEqual([
    ['s:3', 1, 2, null],
    ['s:1', 2, 2, null],
  ]);
  expect(list.map(({ key }) => elementId(key))).toEqual(['session-3', 'session-1']);
});

describe('what is drawn', () => {
  const many = rows(Array.from({ length: 300 }, (_, at) => session(String(at).padStart(3, '0'))));

  it('is what shows and no more', () => {
    const { from, to } = within(many, 28 + 44 * 100, 28 + 44 * 110);
    expect([from, to]).toEqual([101, 111]);
    expect(within(many, -500, 20)).toEqual({ from: 0, to: 1 });
    expect(within(many, 1e9, 2e9)).toEqual({ from: 301, to: 301 });
    expect(within([], 0, 100)).toEqual({ from: 0, to: 0 });
  });
});
