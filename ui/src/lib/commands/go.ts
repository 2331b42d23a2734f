import { findPane, focusPane, panes } from '../layout/tree';
import type { Belfry } from '../state/belfry.svelte';
import { nextOf } from '../state/next';
import { shownStatus } from '../state/describe';
import type { Command } from './command';

function step(belfry: Belfry, by: 1 | -1): void {
  const { arrangement, sessions, toasts } = belfry;
  const id = arrangement.trail.step(by, arrangement.focused, (session) => sessions.has(session));
  if (id) belfry.show(id);
  else toasts.show(by < 0 ? 'There is nothing to go back to.' : 'There is nothing to go forward to.');
}

/** Shows the next of some sessions, after the one in front. */
function next(belfry: Belfry, ids: readonly string[], none: string): void {
  const id = nextOf(ids, belfry.arrangement.focused);
  if (id) belfry.show(id);
  else belfry.toasts.show(none);
}

const unread = (belfry: Belfry) =>
  belfry.sessions.listed
    .filter((session) => session.unseen || shownStatus(session) === 'done')
    .sort((a, b) => (a.since < b.since ? -1 : 1))
    .map(({ id }) => id);

const toPane = (at: number) => ({
  id: `pane-${at}` as const,
  title: `To pane ${at}`,
  topic: 'Go' as const,
  family: 'To pane 1 to 4',
  keys: { other: [`Ctrl+Shift+${at}`], mac: [`Cmd+Alt+${at}`] },
  unavailable: ({ arrangement }: Belfry) =>
    panes(arrangement.layout.root).length < at ? 'there is none' : undefined,
  run: (belfry: Belfry) => {
    const pane = panes(belfry.arrangement.layout.root)[at - 1];
    if (!pane) return;
    belfry.arrangement.grid = false;
    belfry.arrangement.change((layout) => focusPane(layout, pane.id));
    belfry.focusTerminal();
  },
});

const toTab = (at: number) => ({
  id: `tab-${at}` as const,
  title: at === 9 ? 'To the last tab' : `To tab ${at}`,
  topic: 'Go' as const,
  family: 'To tab 1 to 8, and 9 for the last one',
  keys: { other: [`Alt+${at}`], mac: [`Cmd+${at}`] },
  run: (belfry: Belfry) => {
    const { layout } = belfry.arrangement;
    const tabs = findPane(layout, layout.focus)?.tabs ?? [];
    const id = at === 9 ? tabs.at(-1) : tabs[at - 1];
    if (id) belfry.show(id);
  },
});

export const GO = [
  {
    id: 'need',
    title: 'To what needs you, the oldest first',
    topic: 'Go',
    words: 'answer question ask waiting',
    keys: { other: ['Ctrl+Shift+A'], mac: ['Cmd+Shift+A'] },
    run: (belfry) => belfry.focusNeed(),
  },
  {
    id: 'next-need',
    title: 'Next session that needs you',
    topic: 'Go',
    words: 'jump waiting blocked ask',
    keys: { other: ['Ctrl+Shift+J'], mac: ['Cmd+J'] },
    run: (belfry) =>
      next(
        belfry,
        belfry.asks.needs.map(({ id }) => id),
        'Nothing needs you.',
      ),
  },
  {
    id: 'next-unread',
    title: 'Next session with something new',
    topic: 'Go',
    words: 'jump unread unseen done finished',
    keys: { other: ['Ctrl+Shift+L'], mac: ['Cmd+L'] },
    run: (belfry) => next(belfry, unread(belfry), 'You have seen everything.'),
  },
  {
    id: 'back',
    title: 'Back to the session before',
    topic: 'Go',
    keys: { other: ['Ctrl+Shift+['], mac: ['Cmd+['], outside: ['Alt+ArrowLeft'] },
    run: (belfry) => step(belfry, -1),
  },
  {
    id: 'forward',
    title: 'Forward again',
    topic: 'Go',
    keys: { other: ['Ctrl+Shift+]'], mac: ['Cmd+]'], outside: ['Alt+ArrowRight'] },
    run: (belfry) => step(belfry, 1),
  },
  ...[1, 2, 3, 4].map(toPane),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(toTab),
] as const satisfies readonly Command[];
