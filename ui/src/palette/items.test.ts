import { describe, expect, it } from 'vitest';
import type { Group, Project, Session } from '$lib/client/generated/protocol';
import { COMMANDS } from '$lib/commands';
import { modeOf, sections, type Known } from './items';

const session = (name: string, part: Partial<Session> = {}) =>
  ({ id: name, name, cwd: '/src/shop', project: null, group: null, ...part }) as Session;
const shop = { id: 'p', name: 'shop', path: '/src/shop', position: 0 } as Project;
const outer = { id: 'g1', name: 'Checkout', project: 'p', parent: null } as Group;
const inner = { id: 'g2', name: 'Payments', project: 'p', parent: 'g1' } as Group;
const known: Known = {
  sessions: [
    session('Token refresh'),
    session('Refactor cart', { project: 'p' }),
    session('Flaky test', { project: 'p', group: 'g2' }),
  ],
  projects: [shop],
  groups: [outer, inner],
  commands: COMMANDS,
  layouts: ['Reviews'],
  about: ({ cwd }) => cwd,
};
const list = (typed: string, within: Parameters<typeof sections>[2] = null) =>
  sections(known, typed, within).map(({ title, items }) => ({
    title,
    items: items.map(({ parts }) => parts.map(({ text }) => text).join('')),
  }));

describe('the palette', () => {
  it('has what was used last where nothing is typed', () => {
    const [sessions, commands, projects] = list('');
    expect(sessions?.items).toEqual(['Token refresh', 'Refactor cart', 'Flaky test']);
    expect(commands?.items.length).toBe(5);
    expect(projects?.items).toEqual(['shop']);
  });

  it('finds sessions, projects, groups, layouts and commands', () => {
    expect(list('ref')[0]).toEqual({ title: 'Sessions', items: ['Refactor cart', 'Token refresh'] });
    expect(list('pay')[0]).toEqual({ title: 'Groups', items: ['Payments'] });
    expect(list('reviews').at(-1)).toEqual({ title: 'Layouts', items: ['Reviews'] });
    // Among the commands too: to switch is one.
    expect(list('>').at(-1)).toEqual({ title: 'Layouts', items: ['Reviews'] });
    expect(list('> reviews')).toEqual([{ title: 'Layouts', items: ['Reviews'] }]);
    expect(list('> layout').at(-1)).toEqual({ title: 'Layouts', items: ['Reviews'] });
    expect(list('grid').at(-1)?.items[0]).toBe('Grid of all sessions, and back');
    expect(list('shop').map(({ title }) => title)).toEqual(['Sessions', 'Projects', 'Groups']);
  });

  it('with > has all commands, and the layouts to switch to', () => {
    expect(list('>').map(({ title }) => title)).toEqual(['Commands', 'Layouts']);
    expect(list('>')[0]?.items.length).toBe(COMMANDS.length);
    expect(list('> zoom')[0]?.items[0]).toBe('Zoom the pane, and back');
  });

  it('by “new” starts a session, in a project where one is named', () => {
    expect(list('new')[0]).toEqual({ title: 'New session', items: ['New session in shop'] });
    expect(list('new').at(-1)?.items[0]).toBe('New session');
    expect(list('new session in sh')[0]?.items).toEqual(['New session in shop']);
    expect(list('new xyz').some(({ title }) => title === 'New session')).toBe(false);
  });

  it('goes into a project, and into a group with all groups in it', () => {
    expect(list('', { project: shop, group: null })[0]?.items).toEqual(['Refactor cart', 'Flaky test']);
    expect(list('', { project: shop, group: outer })[0]?.items).toEqual(['Flaky test']);
    expect(list('', { project: shop, group: outer })[1]?.items).toEqual(['New session in shop']);
  });

  it('reads what is asked for off its first sign', () => {
    expect(modeOf('# refresh')).toEqual({ mode: 'text', text: 'refresh' });
    expect(modeOf('>zoom')).toEqual({ mode: 'commands', text: 'zoom' });
    expect(modeOf(' a b ')).toEqual({ mode: 'all', text: 'a b' });
  });
});
