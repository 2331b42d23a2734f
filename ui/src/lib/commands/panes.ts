import { evenOut, growPane } from '../layout/sizes';
import { cyclePane, cycleTab, openBeside, panes, type Edge, type Split } from '../layout/tree';
import type { Belfry } from '../state/belfry.svelte';
import type { Command } from './command';
import { say } from '../words';

/** Share of the room by which a key moves a divider. */
const STEP = 0.04;

const alone = ({ arrangement }: Belfry) =>
  panes(arrangement.layout.root).length < 2 ? say.commands.thereIsOnePaneOnly : undefined;
const nothing = ({ arrangement }: Belfry) =>
  arrangement.focused === null ? say.commands.nothingIsOpen : undefined;

/** The session whose row has the keyboard, else the one in front. */
function meant({ arrangement }: Belfry): string | null {
  const row = document.activeElement?.closest<HTMLElement>('[data-testid=session-row]');
  return row?.dataset['session'] ?? arrangement.focused;
}

function rearrange(belfry: Belfry, operation: Parameters<Belfry['arrangement']['change']>[0]): void {
  belfry.arrangement.grid = false;
  belfry.arrangement.change(operation);
  belfry.focusTerminal();
}

function split(belfry: Belfry, edge: Edge): void {
  belfry.arrangement.grid = false;
  belfry.arrangement.split(edge);
  belfry.focusTerminal();
}

const grow = (axis: Split['axis'], by: number) => (belfry: Belfry) =>
  belfry.arrangement.change((layout) => growPane(layout, layout.focus, axis, by));

export const PANES = [
  {
    id: 'beside',
    title: say.commands.openBeside,
    topic: 'Panes and tabs',
    words: say.commands.sessionInANewPane,
    keys: { other: ['Ctrl+Shift+Enter'], mac: ['Cmd+Shift+Enter'] },
    unavailable: (belfry) => (meant(belfry) ? undefined : say.commands.nothingIsOpen),
    run: (belfry) => {
      const id = meant(belfry);
      if (id) rearrange(belfry, (layout) => openBeside(layout, id));
    },
  },
  {
    id: 'split-right',
    title: say.commands.splitThePaneToTheRight,
    topic: 'Panes and tabs',
    words: say.commands.newPaneVertical,
    keys: { other: ['Ctrl+Shift+R'], mac: ['Cmd+D'] },
    unavailable: nothing,
    run: (belfry) => split(belfry, 'right'),
  },
  {
    id: 'split-down',
    title: say.commands.splitThePaneDownwards,
    topic: 'Panes and tabs',
    words: say.commands.newPaneHorizontalBelow,
    keys: { other: ['Ctrl+Shift+D'], mac: ['Cmd+Shift+D'] },
    unavailable: nothing,
    run: (belfry) => split(belfry, 'bottom'),
  },
  {
    id: 'zoom',
    title: say.commands.zoomThePane,
    topic: 'Panes and tabs',
    words: say.commands.maximiseFullWhole,
    keys: { other: ['Ctrl+Shift+Z'], mac: ['Cmd+Shift+Z'] },
    notInFields: true,
    unavailable: alone,
    run: (belfry) => {
      belfry.arrangement.grid = false;
      belfry.arrangement.zoom();
      belfry.focusTerminal();
    },
  },
  {
    id: 'grid',
    title: say.commands.gridOfAllSessions,
    topic: 'Panes and tabs',
    words: say.commands.overviewWall,
    keys: { other: ['Ctrl+Shift+G'], mac: ['Cmd+G'] },
    run: (belfry) => belfry.toggleGrid(),
  },
  {
    id: 'next-pane',
    title: say.commands.nextPane,
    topic: 'Panes and tabs',
    keys: { other: ['Ctrl+Shift+ArrowRight'], mac: ['Cmd+Alt+ArrowRight'] },
    unavailable: alone,
    run: (belfry) => rearrange(belfry, (layout) => cyclePane(layout, 1)),
  },
  {
    id: 'previous-pane',
    title: say.commands.previousPane,
    topic: 'Panes and tabs',
    keys: { other: ['Ctrl+Shift+ArrowLeft'], mac: ['Cmd+Alt+ArrowLeft'] },
    unavailable: alone,
    run: (belfry) => rearrange(belfry, (layout) => cyclePane(layout, -1)),
  },
  {
    id: 'next-tab',
    title: say.commands.nextTab,
    topic: 'Panes and tabs',
    keys: { other: ['Ctrl+Shift+PageDown'], mac: ['Cmd+Shift+]', 'Cmd+Shift+}'] },
    run: (belfry) => rearrange(belfry, (layout) => cycleTab(layout, 1)),
  },
  {
    id: 'previous-tab',
    title: say.commands.previousTab,
    topic: 'Panes and tabs',
    keys: { other: ['Ctrl+Shift+PageUp'], mac: ['Cmd+Shift+[', 'Cmd+Shift+{'] },
    run: (belfry) => rearrange(belfry, (layout) => cycleTab(layout, -1)),
  },
  {
    id: 'close-tab',
    title: say.commands.closeTheTab,
    topic: 'Panes and tabs',
    keys: { other: ['Ctrl+Shift+W'], mac: ['Cmd+W'] },
    run: (belfry) => {
      const { arrangement } = belfry;
      if (arrangement.grid) return;
      if (arrangement.focused) arrangement.close(arrangement.focused);
      else arrangement.closePane(arrangement.layout.focus);
      belfry.focusTerminal();
    },
  },
  {
    id: 'reopen-tab',
    title: say.commands.reopenTheClosedTab,
    topic: 'Panes and tabs',
    words: say.commands.undoClose,
    keys: { other: ['Ctrl+Shift+T'], mac: ['Cmd+Shift+T'] },
    unavailable: ({ arrangement, sessions }) =>
      arrangement.canReopen((id) => sessions.has(id)) ? undefined : say.commands.noneWasClosed,
    run: (belfry) => {
      belfry.arrangement.grid = false;
      if (belfry.arrangement.reopen((id) => belfry.sessions.has(id))) belfry.focusTerminal();
      else belfry.toasts.show(say.commands.noClosedTabIsLeftToOpen);
    },
  },
  {
    id: 'close-pane',
    title: say.commands.closeThePaneWithAllItsTabs,
    topic: 'Panes and tabs',
    run: (belfry) => {
      belfry.arrangement.closePane(belfry.arrangement.layout.focus);
      belfry.focusTerminal();
    },
  },
  {
    id: 'even-panes',
    title: say.commands.makeAllPanesTheSameSize,
    topic: 'Panes and tabs',
    words: say.commands.evenOutBalanceEqual,
    unavailable: alone,
    run: (belfry) => rearrange(belfry, (layout) => evenOut(layout)),
  },
  {
    id: 'pane-wider',
    title: say.commands.widerPane,
    topic: 'Panes and tabs',
    keys: { other: ['Alt+Shift+ArrowRight'], mac: ['Ctrl+Cmd+ArrowRight'] },
    unavailable: alone,
    run: grow('row', STEP),
  },
  {
    id: 'pane-narrower',
    title: say.commands.narrowerPane,
    topic: 'Panes and tabs',
    keys: { other: ['Alt+Shift+ArrowLeft'], mac: ['Ctrl+Cmd+ArrowLeft'] },
    unavailable: alone,
    run: grow('row', -STEP),
  },
  {
    id: 'pane-taller',
    title: say.commands.higherPane,
    topic: 'Panes and tabs',
    keys: { other: ['Alt+Shift+ArrowUp'], mac: ['Ctrl+Cmd+ArrowUp'] },
    unavailable: alone,
    run: grow('column', STEP),
  },
  {
    id: 'pane-shorter',
    title: say.commands.lowerPane,
    topic: 'Panes and tabs',
    keys: { other: ['Alt+Shift+ArrowDown'], mac: ['Ctrl+Cmd+ArrowDown'] },
    unavailable: alone,
    run: grow('column', -STEP),
  },
  {
    id: 'layouts',
    title: say.commands.layoutsSaveSwitchRename,
    topic: 'Panes and tabs',
    words: say.commands.arrangementNamedWorkspace,
    run: (belfry) => void (belfry.dialogs.open = 'layouts'),
  },
] as const satisfies readonly Command[];
