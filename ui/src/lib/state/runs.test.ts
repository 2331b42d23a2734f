import { describe, expect, it } from 'vitest';
import { merged, runnables } from './runs.svelte';
import { session } from './samples';
import { runsBeside } from './tree';

const run = (id: string, name: string, part = {}) =>
  session(id, { runs_for: { session: 'a', name }, status: 'running', pid: 1, ...part });
const ended = { status: 'dead', pid: null, exit: { how: 'code', code: 0 } };

describe('commands beside a session', () => {
  it('are the project’s own before those of the repository', () => {
    const own = [{ name: 'dev', command: 'mine' }];
    const brought = [
      { name: 'dev', command: 'theirs' },
      { name: 'test', command: 'theirs' },
    ];
    expect(merged(own, brought).map(({ name, command }) => `${name} ${command}`)).toEqual([
      'dev mine',
      'test theirs',
    ]);
  });

  it('have the session that runs them, else the one that ran last', () => {
    const runs = [run('1', 'dev', ended), run('2', 'dev'), run('3', 'old', ended)];
    const found = runnables(
      [
        { name: 'dev', command: 'd' },
        { name: 'test', command: 't' },
      ],
      runs,
    );
    expect(found.map(({ name, command, run: by }) => [name, command, by?.id])).toEqual([
      ['dev', 'd', '2'],
      ['test', 't', undefined],
      ['old', null, '3'],
    ]);
  });

  it('are listed under it, but for a setup that ended well', () => {
    const all = [
      session('a'),
      run('4', 'dev', ended),
      run('3', 'setup', ended),
      run('2', 'setup', { ...ended, exit: { how: 'code', code: 1 } }),
      run('1', 'test', { trashed_at: 'x' }),
    ];
    expect(
      runsBeside(all)
        .get('a')
        ?.map(({ id }) => id),
    ).toEqual(['2', '4']);
  });
});
