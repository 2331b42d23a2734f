import { evenOut, growPane } from '../layout/sizes';
import { cyclePane, cycleTab, openBeside, panes, type Edge, type Split } from '../layout/tree';
import type { Belfry } from '../state/belfry.svelte';
import type { Command } from './command';

/** Share of the room by which a key moves a divider. */
const STEP = 0.04;

const alone = ({ arrangement }: Belfry) =>
  panes(arrangement.layout.root).length < 2 ? 'there is one pane only' : undefined;
const nothing = ({ arrangement }: Belfry) => (arrangement.focused === null ? 'nothing is open' : undefined);

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
    title: 'Open beside',
    topic: 'Panes and tabs',
    words: 'session in a new pane',
    keys: { other: ['Ctrl+Shift+Enter'], mac: ['Cmd+Shift+Enter'] },
    unavailable: (belfry) => (meant(belfry) ? undefined : 'nothing is open'),
    run: (belfry) => {
      const id = meant(belfry);
      if (id) rearrange(belfry, (layout) => openBeside(layout, id));
    },
  },
  {
    id: 'split-right',
    title: 'Split the pane to the right',
    topic: 'Panes and tabs',
    words: 'new pane vertical',
    keys: { other: ['Ctrl+Shift+R'], mac: ['Cmd+D'] },
    unavailable: nothing,
    run: (belfry) => split(belfry, 'right'),
  },
  {
    id: 'split-down',
    title: 'Split the pane downwards',
    topic: 'Panes and tabs',
    words: 'new pane horizontal below',
    keys: { other: ['Ctrl+Shift+D'], mac: ['Cmd+Shift+D'] },
    unavailable: nothing,
    run: (belfry) => split(belfry, 'bottom'),
  },
  {
    id: 'zoom',
    title: 'Zoom the pane, and back',
    topic: 'Panes and tabs',
    words: 'maximise full whole',
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
    title: 'Grid of all sessions, and back',
    topic: 'Panes and tabs',
    words: 'overview wall',
    keys: { other: ['Ctrl+Shift+G'], mac: ['Cmd+G'] },
    run: (belfry) => belfry.toggleGrid(),
  },
  {
    id: 'next-pane',
    title: 'Next pane',
    topic: 'Panes and tabs',
    keys: { other: ['Ctrl+Shift+ArrowRight'], mac: ['Cmd+Alt+ArrowRight'] },
    unavailable: alone,
    run: (belfry) => rearrange(belfry, (layout) => cyclePane(layout, 1)),
  },
  {
    id: 'previous-pane',
    title: 'Previous pane',
    topic: 'Panes and tabs',
    keys: { other: ['Ctrl+Shift+ArrowLeft'], mac: ['Cmd+Alt+ArrowLeft'] },
    unavailable: alone,
    run: (belfry) => rearrange(belfry, (layout) => cyclePane(layout, -1)),
  },
  {
    id: 'next-tab',
    title: 'Next tab',
    topic: 'Panes and tabs',
    keys: { other: ['Ctrl+Shift+PageDown'], mac: ['Cmd+Shift+]', 'Cmd+Shift+}'] },
    run: (belfry) => rearrange(belfry, (layout) => cycleTab(layout, 1)),
  },
  {
    id: 'previous-tab',
    title: 'Previous tab',
    topic: 'Panes and tabs',
    keys: { other: ['Ctrl+Shift+PageUp'], mac: ['Cmd+Shift+[', 'Cmd+Shift+{'] },
    run: (belfry) => rearrange(belfry, (layout) => cycleTab(layout, -1)),
  },
  {
    id: 'close-tab',
    title: 'Close the tab; its session goes on',
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
    title: 'Reopen the closed tab',
    topic: 'Panes and tabs',
    words: 'undo close',
    keys: { other: ['Ctrl+Shift+T'], mac: ['Cmd+Shift+T'] },
    unavailable: ({ arrangement, sessions }) =>
      arrangement.canReopen((id) => sessions.has(id)) ? undefined : 'none was closed',
    run: (belfry) => {
      belfry.arrangement.grid = false;
      if (belfry.arrangement.reopen((id) => belfry.sessions.has(id))) belfry.focusTerminal();
      else belfry.toasts.show('No closed tab is left to open.');
    },
  },
  {
    id: 'close-pane',
    title: 'Close the pane with all its tabs',
    topic: 'Panes and tabs',
    run: (belfry) => {
      belfry.arrangement.closePane(belfry.arrangement.layout.focus);
      belfry.focusTerminal();
    },
  },
  {
    id: 'even-panes',
    title: 'Make all panes the same size',
    topic: 'Panes and tabs',
    words: 'even out balance equal',
    unavailable: alone,
    run: (belfry) => rearrange(belfry, (layout) => evenOut(layout)),
  },
  {
    id: 'pane-wider',
    title: 'Wider pane',
    topic: 'Panes and tabs',
    keys: { other: ['Alt+Shift+ArrowRight'], mac: ['Ctrl+Cmd+ArrowRight'] },
    unavailable: alone,
    run: grow('row', STEP),
  },
  {
    id: 'pane-narrower',
    title: 'Narrower pane',
    topic: 'Panes and tabs',
    keys: { other: ['Alt+Shift+ArrowLeft'], mac: ['Ctrl+Cmd+ArrowLeft'] },
    unavailable: alone,
    run: grow('row', -STEP),
  },
  {
    id: 'pane-taller',
    title: 'Higher pane',
    topic: 'Panes and tabs',
    keys: { other: ['Alt+Shift+ArrowUp'], mac: ['Ctrl+Cmd+ArrowUp'] },
    unavailable: alone,
    run: grow('column', STEP),
  },
  {
    id: 'pane-shorter',
    title: 'Lower pane',
    topic: 'Panes and tabs',
    keys: { other: ['Alt+Shift+ArrowDown'], mac: ['Ctrl+Cmd+ArrowDown'] },
    unavailable: alone,
    run: grow('column', -STEP),
  },
  {
    id: 'layouts',
    title: 'Layouts: save, switch, rename…',
    topic: 'Panes and tabs',
    words: 'arrangement named workspace',
    run: (belfry) => void (belfry.dialogs.open = 'layouts'),
  },
] as const satisfies readonly Command[];
