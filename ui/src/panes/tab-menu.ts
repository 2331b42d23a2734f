import { label } from '$lib/keymap';
import { findPane, moveBeside, openBeside, panes, paneOf, moveTab } from '$lib/layout/tree';
import type { Belfry } from '$lib/state/belfry.svelte';
import type { MenuItem } from '../parts/menu';

/** What a right click on a tab offers. */
export function tabMenu(belfry: Belfry, session: string): MenuItem[] {
  const { arrangement, mac } = belfry;
  const { layout } = arrangement;
  const tabs = paneOf(layout, session)?.tabs ?? [];
  const at = tabs.indexOf(session);
  const [others, right] = [tabs.filter((one) => one !== session), tabs.slice(at + 1)];
  const only = tabs.length < 2 ? 'it is the only tab' : undefined;
  const all = panes(layout.root);
  const here = all.findIndex((pane) => pane.tabs.includes(session));
  const target = all[(here + 1) % all.length];
  const move = (operation: Parameters<typeof arrangement.change>[0]) => {
    arrangement.change(operation);
    belfry.focusTerminal();
  };
  const close = (...ids: string[]) => {
    arrangement.close(...ids);
    belfry.focusTerminal();
  };
  return [
    { label: 'Close', run: () => close(session), keys: label('close-tab', mac), testid: 'tab-close' },
    {
      label: 'Close the others',
      run: () => close(...others),
      unavailable: only,
      testid: 'tab-close-others',
    },
    {
      label: 'Close those to the right',
      run: () => close(...right),
      unavailable: right.length === 0 ? 'there are none' : undefined,
      testid: 'tab-close-right',
    },
    {
      label: 'Reopen the closed tab',
      run: () => {
        if (arrangement.reopen((id) => belfry.sessions.has(id))) belfry.focusTerminal();
      },
      keys: label('reopen-tab', mac),
      unavailable: arrangement.canReopen((id) => belfry.sessions.has(id)) ? undefined : 'none was closed',
      testid: 'tab-reopen',
    },
    'line',
    {
      label: 'To a new pane at the right',
      run: () => move((now) => openBeside(now, session, paneOf(now, session)?.id)),
      keys: label('split-right', mac),
      unavailable: only,
      testid: 'tab-right',
    },
    {
      label: 'To a new pane below',
      run: () => move((now) => moveBeside(now, session, paneOf(now, session)?.id ?? '', 'bottom')),
      keys: label('split-down', mac),
      unavailable: only,
      testid: 'tab-down',
    },
    {
      label: 'To the next pane',
      run: () => {
        if (!target) return;
        move((now) => moveTab(now, session, target.id, findPane(now, target.id)?.tabs.length ?? 0));
      },
      unavailable: all.length < 2 ? 'there is one pane only' : undefined,
      testid: 'tab-next-pane',
    },
    'line',
    {
      label: 'Zoom the pane',
      run: () => {
        belfry.show(session);
        arrangement.zoom();
        belfry.focusTerminal();
      },
      keys: label('zoom', mac),
      unavailable: all.length < 2 ? 'there is one pane only' : undefined,
      testid: 'tab-zoom',
    },
    {
      label: 'Why this status?',
      run: () => belfry.explainStatus(session),
      testid: 'tab-why',
    },
  ];
}
