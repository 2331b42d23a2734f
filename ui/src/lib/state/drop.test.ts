import { describe, expect, it } from 'vitest';
import type { Group } from '../client/generated/protocol';
import { target, type Dragged } from './drop';
import { treeRows, type Row } from './tree';
import { group, project, session } from './samples';

const groups: Group[] = [group('outer'), group('inner', { parent: 'outer' }), group('last', { position: 2 })];
const known = new Map(groups.map((one) => [one.id, one]));
const rows = treeRows({
  sessions: [
    session('1', { project: 'p', group: 'outer', position: 1 }),
    session('2', { project: 'p', group: 'outer', position: 2 }),
    session('3', { project: 'p', position: 3 }),
    session('4', { cwd: '/elsewhere' }),
  ],
  projects: [project('p', { position: 1 }), project('q', { position: 2 })],
  groups,
  home: '/home/dev',
  folds: new Set(),
});
const at = (key: string) => rows.findIndex((row) => row.key === key);
const row = (key: string) => rows[at(key)] as Row;
const over = (key: string, down: number, dragged: Dragged) => target(rows, at(key), down, dragged, known);

const one: Dragged = { kind: 'sessions', ids: ['9'], directories: ['/elsewhere'] };

describe('sessions go', () => {
  it('before or behind another, into its place', () => {
    expect(over('s:1', 0.2, one)).toEqual({
      drop: { kind: 'sessions', place: { project: 'p', group: 'outer' }, before: '1' },
      mark: { kind: 'line', top: row('s:1').top, level: 3 },
    });
    expect(over('s:1', 0.8, one)?.drop).toMatchObject({ before: '2' });
    expect(over('s:2', 0.8, one)?.drop).toMatchObject({ before: null });
    expect(over('s:3', 0.8, one)?.drop).toMatchObject({ place: { project: 'p', group: null } });
  });

  it('into a project or a group by its heading', () => {
    expect(over('p:q', 0.5, one)).toEqual({
      drop: { kind: 'sessions', place: { project: 'q', group: null }, before: 'first' },
      mark: { kind: 'into', key: 'p:q' },
    });
    expect(over('g:inner', 0.1, one)?.drop).toMatchObject({ place: { project: 'p', group: 'inner' } });
    expect(over('p:q empty', 0.1, one)?.drop).toMatchObject({ place: { project: 'q', group: null } });
  });

  it('out of all projects only to where they run', () => {
    expect(over('d:/elsewhere', 0.5, one)?.drop).toMatchObject({ place: { project: null, group: null } });
    expect(over('s:4', 0.1, one)?.drop).toMatchObject({ place: { project: null, group: null }, before: '4' });
    expect(over('d:/elsewhere', 0.5, { ...one, directories: ['/other'] })).toBeNull();
    expect(over('s:4', 0.5, { ...one, directories: ['/elsewhere', '/other'] })).toBeNull();
    expect(over('label', 0.5, one)).toBeNull();
  });
});

describe('groups go', () => {
  const dragged = (id: string): Dragged => ({ kind: 'group', group: known.get(id) as Group });

  it('before another, behind it, or into it', () => {
    expect(over('g:outer', 0.1, dragged('last'))).toEqual({
      drop: { kind: 'group', parent: null, before: 'outer' },
      mark: { kind: 'line', top: row('g:outer').top, level: 2 },
    });
    expect(over('g:outer', 0.5, dragged('last'))?.drop).toMatchObject({ parent: 'outer', before: null });
    // Under an open group lies what is in it.
    expect(over('g:outer', 0.9, dragged('last'))?.drop).toMatchObject({ parent: 'outer' });
    expect(over('g:last', 0.9, dragged('inner'))?.drop).toMatchObject({ parent: null, before: null });
    expect(over('p:p', 0.5, dragged('inner'))?.drop).toMatchObject({ parent: null, before: null });
    expect(over('s:1', 0.5, dragged('last'))?.drop).toMatchObject({ parent: 'outer' });
    expect(over('s:3', 0.5, dragged('inner'))?.drop).toMatchObject({ parent: null });
  });

  it('neither into themselves nor into another project', () => {
    expect(over('g:inner', 0.5, dragged('outer'))).toBeNull();
    expect(over('g:outer', 0.5, dragged('outer'))).toBeNull();
    expect(over('s:1', 0.5, dragged('outer'))).toBeNull();
    expect(over('p:q', 0.5, dragged('outer'))).toBeNull();
    expect(over('d:/elsewhere', 0.5, dragged('outer'))).toBeNull();
  });
});

describe('projects go', () => {
  it('before another, or behind all that is in one', () => {
    const q: Dragged = { kind: 'project', id: 'q' };
    expect(over('p:p', 0.2, q)).toEqual({
      drop: { kind: 'project', before: 'p' },
      mark: { kind: 'line', top: 0, level: 1 },
    });
    const p: Dragged = { kind: 'project', id: 'p' };
    expect(over('p:q', 0.9, p)?.drop).toEqual({ kind: 'project', before: null });
    expect(over('s:3', 0.5, q)?.drop).toEqual({ kind: 'project', before: 'q' });
    expect(over('s:1', 0.5, p)).toBeNull();
  });
});
