import { expect, it } from 'vitest';
import { COMMANDS, TOPICS } from '$lib/commands';
import { keysOf } from '$lib/keymap';
import { keyTopics } from './lines';

it('has every command with a key, families in one line', () => {
  const lines = keyTopics(false, '')
    .filter(({ title }) => TOPICS.some((topic) => topic === title))
    .flatMap((topic) => topic.lines);
  for (const { id, title, family } of COMMANDS) {
    const there = lines.some((line) => line.title === (family ?? title));
    expect(there, id).toBe(keysOf(id, false).length > 0);
  }
  expect(lines.find(({ title }) => title.startsWith('To tab'))?.keys).toEqual(['Alt 1', '… Alt 9']);
});

it('finds commands without a key too', () => {
  const lines = keyTopics(false, 'close pane').flatMap((topic) => topic.lines);
  expect(lines[0]).toEqual({ title: 'Close the pane with all its tabs', keys: [] });
});
