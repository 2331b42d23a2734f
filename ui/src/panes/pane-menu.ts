import { commandOf, type CommandId } from '$lib/commands';
import { label } from '$lib/keymap';
import { focusPane } from '$lib/layout/tree';
import type { Belfry } from '$lib/state/belfry.svelte';
import type { MenuItem } from '../parts/menu';
import { say } from '$lib/words';

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
    item('split-right', say.panes.splitToTheRight),
    item('split-down', say.panes.splitDownwards),
    item('zoom', arrangement.zoomed ? say.panes.showAllPanes : say.panes.zoomThisPane),
    item('even-panes', say.panes.sameSizeForAllPanes),
    item('grid', say.panes.gridOfAllSessions),
    item('inspector', belfry.inspector.shown ? say.panes.hideTheInspector : say.panes.showTheInspector),
    'line',
    item('reopen-tab'),
    item('close-pane', say.panes.closeThisPane),
    'line',
    ...named,
    item('layouts', named.length > 0 ? say.panes.allLayouts : say.panes.layouts),
  ];
}
