import { findPane, focusPane, panes } from '../layout/tree';
import type { Belfry } from '../state/belfry.svelte';
import { nextOf } from '../state/next';
import { shownStatus } from '../state/describe';
import type { Command } from './command';
import { say } from '../words';

function step(belfry: Belfry, by: 1 | -1): void {
  const { arrangement, sessions, toasts } = belfry;
  const id = arrangement.trail.step(by, arrangement.focused, (session) => sessions.has(session));
  if (id) belfry.show(id);
  else toasts.show(by < 0 ? say.commands.thereIsNothingToGoBackTo : say.commands.thereIsNothingToGoForwardTo);
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
  title: say.commands.toPaneAt(at),
  topic: 'Go' as const,
  family: say.commands.toPane1To4,
  keys: { other: [`Ctrl+Shift+${at}`], mac: [`Cmd+Alt+${at}`] },
  unavailable: ({ arrangement }: Belfry) =>
    panes(arrangement.layout.root).length < at ? say.commands.thereIsNone : undefined,
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
  title: at === 9 ? say.commands.toTheLastTab : say.commands.toTabAt(at),
  topic: 'Go' as const,
  family: say.commands.toTab1To8,
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
    title: say.commands.toWhatNeedsYou,
    topic: 'Go',
    words: say.commands.answerQuestionAskWaiting,
    keys: { other: ['Ctrl+Shift+A'], mac: ['Cmd+Shift+A'] },
    run: (belfry) => belfry.focusNeed(),
  },
  {
    id: 'next-need',
    title: say.commands.nextSessionThatNeedsYou,
    topic: 'Go',
    words: say.commands.jumpWaitingBlockedAsk,
    keys: { other: ['Ctrl+Shift+J'], mac: ['Cmd+J'] },
    run: (belfry) =>
      next(
        belfry,
        belfry.asks.needs.map(({ id }) => id),
        say.commands.nothingNeedsYou,
      ),
  },
  {
    id: 'next-unread',
    title: say.commands.nextSessionWithSomethingNew,
    topic: 'Go',
    words: say.commands.jumpUnreadUnseenDoneFinished,
    keys: { other: ['Ctrl+Shift+L'], mac: ['Cmd+L'] },
    run: (belfry) => next(belfry, unread(belfry), say.commands.youHaveSeenEverything),
  },
  {
    id: 'back',
    title: say.commands.backToTheSessionBefore,
    topic: 'Go',
    keys: { other: ['Ctrl+Shift+['], mac: ['Cmd+['], outside: ['Alt+ArrowLeft'] },
    run: (belfry) => step(belfry, -1),
  },
  {
    id: 'forward',
    title: say.commands.forwardAgain,
    topic: 'Go',
    keys: { other: ['Ctrl+Shift+]'], mac: ['Cmd+]'], outside: ['Alt+ArrowRight'] },
    run: (belfry) => step(belfry, 1),
  },
  ...[1, 2, 3, 4].map(toPane),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(toTab),
] as const satisfies readonly Command[];
