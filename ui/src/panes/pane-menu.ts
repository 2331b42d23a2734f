import { commandOf, type CommandId } from '$lib/commands';
import { label } from '$lib/keymap';
import { focusPane } from '$lib/layout/tree';
import type { Belfry } from '$lib/state/belfry.svelte';
import type { MenuItem } from '../parts/menu';

/** What the button at the end of a pane's tabs offers: commands of the table, and the layouts that have a name. */
export function paneMenu(belfry: Belfry, pane: string): MenuItem[] {
  const { arrangement, mac } = belfry;
  const item = (id: CommandId, title?: string): MenuItem => {
    const command = commandOf(id);
    return {
      label: title ?? command.title,
      run: () => {
        arrangement.change((layout) => focusPane(layout, pane));
        command.run(belfry);
      },
      keys: label(id, mac),
      unavailable: command.unavailable?.(belfry),
      testid: `pane-${id}`,
    };
  };
  const named: MenuItem[] = arrangement.named.list.slice(0, 8).map(({ name }) => ({
    label: name,
    run: () => belfry.switchLayout(name),
    testid: 'pane-layout',
  }));
  return [
    item('split-right', 'Split to the right'),
    item('split-down', 'Split downwards'),
    item('zoom', arrangement.zoomed ? 'Show all panes' : 'Zoom this pane'),
    item('even-panes', 'Same size for all panes'),
    item('grid', 'Grid of all sessions'),
    item('inspector', belfry.inspector.shown ? 'Hide the inspector' : 'Show the inspector'),
    'line',
    item('reopen-tab'),
    item('close-pane', 'Close this pane'),
    'line',
    ...named,
    item('layouts', named.length > 0 ? 'All layouts…' : 'Layouts…'),
  ];
}
