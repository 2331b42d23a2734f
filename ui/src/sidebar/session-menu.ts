import type { Session } from '$lib/client/generated/protocol';
import { label } from '$lib/keymap';
import type { Belfry } from '$lib/state/belfry.svelte';
import type { MenuItem } from '../parts/Menu.svelte';

/** What the menu of a session offers. */
export function sessionMenu(belfry: Belfry, session: Session): MenuItem[] {
  const { actions } = belfry;
  const dead = session.status === 'dead';
  return [
    { label: 'Open', run: () => belfry.show(session.id), keys: 'Enter', testid: 'menu-open' },
    {
      label: 'Open beside',
      run: () => belfry.show(session.id, 'beside'),
      keys: label('beside', belfry.mac),
      testid: 'menu-beside',
    },
    { label: 'Rename', run: () => (belfry.renaming = session.id), keys: 'F2', testid: 'menu-rename' },
    {
      label: 'New session here…',
      run: () => belfry.dialogs.newSession(session.cwd),
      testid: 'menu-new-here',
    },
    {
      label: 'Why this status?',
      run: () => belfry.explainStatus(session.id),
      keys: '?',
      testid: 'menu-why',
    },
    'line',
    {
      label: 'Restart',
      run: () => void actions.restart(session),
      unavailable: dead ? undefined : 'it is running',
      testid: 'menu-restart',
    },
    { label: 'Copy attach command', run: () => void actions.copyAttach(session), testid: 'menu-copy-attach' },
    { label: 'Archive', run: () => void actions.archive(session, true), testid: 'menu-archive' },
    'line',
    {
      label: 'Kill…',
      run: () => void actions.kill(session),
      danger: true,
      unavailable: dead ? 'it has ended' : undefined,
      testid: 'menu-kill',
    },
    {
      label: dead ? 'Delete' : 'Delete…',
      run: () => void actions.remove(session),
      danger: true,
      keys: 'Del',
      testid: 'menu-delete',
    },
  ];
}
