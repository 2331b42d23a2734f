import { label } from '$lib/keymap';
import { findPane, moveBeside, openBeside, panes, paneOf, moveTab } from '$lib/layout/tree';
import type { Belfry } from '$lib/state/belfry.svelte';
import type { MenuItem } from '../parts/menu';
import { say } from '$lib/words';

/** What a right click on a tab offers. */
export function tabMenu(belfry: Belfry, session: string): MenuItem[] {
  const { arrangement, mac } = belfry;
  const { layout } = arrangement;
  const tabs = paneOf(layout, session)?.tabs ?? [];
  const at = tabs.indexOf(session);
  const [others, right] = [tabs.filter((one) => one !== session), tabs.slice(at + 1)];
  const only = tabs.length < 2 ? say.panes.itIsTheOnlyTab : undefined;
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
    { label: say.panes.close, run: () => close(session), keys: label('close-tab', mac), testid: 'tab-close' },
    {
      label: say.panes.closeTheOthers,
      run: () => close(...others),
      unavailable: only,
      testid: 'tab-close-others',
    },
    {
      label: say.panes.closeThoseToTheRight,
      run: () => close(...right),
      unavailable: right.length === 0 ? say.panes.thereAreNone : undefined,
      testid: 'tab-close-right',
    },
    {
      label: say.panes.reopenTheClosedTab,
      run: () => {
        if (arrangement.reopen((id) => belfry.sessions.has(id))) belfry.focusTerminal();
      },
      keys: label('reopen-tab', mac),
      unavailable: arrangement.canReopen((id) => belfry.sessions.has(id))
        ? undefined
        : say.panes.noneWasClosed,
      testid: 'tab-reopen',
    },
    'line',
    {
      label: say.panes.toANewPaneAtTheRight,
      run: () => move((now) => openBeside(now, session, paneOf(now, session)?.id)),
      keys: label('split-right', mac),
      unavailable: only,
      testid: 'tab-right',
    },
    {
      label: say.panes.toANewPaneBelow,
      run: () => move((now) => moveBeside(now, session, paneOf(now, session)?.id ?? '', 'bottom')),
      keys: label('split-down', mac),
      unavailable: only,
      testid: 'tab-down',
    },
    {
      label: say.panes.toTheNextPane,
      run: () => {
        if (!target) return;
        move((now) => moveTab(now, session, target.id, findPane(now, target.id)?.tabs.length ?? 0));
      },
      unavailable: all.length < 2 ? say.panes.thereIsOnePaneOnly : undefined,
      testid: 'tab-next-pane',
    },
    'line',
    {
      label: say.panes.zoomThePane,
      run: () => {
        belfry.show(session);
        arrangement.zoom();
        belfry.focusTerminal();
      },
      keys: label('zoom', mac),
      unavailable: all.length < 2 ? say.panes.thereIsOnePaneOnly : undefined,
      testid: 'tab-zoom',
    },
    {
      label: say.panes.whyThisStatus,
      run: () => belfry.explainStatus(session),
      testid: 'tab-why',
    },
  ];
}
