import type { Session } from '$lib/client/generated/protocol';
import { label } from '$lib/keymap';
import type { Belfry } from '$lib/state/belfry.svelte';
import { snoozed, snoozes } from '$lib/state/snooze';
import type { MenuItem } from '../parts/menu';
import { moveItems } from './move-menu';

/** What the menu of a session offers. */
export function sessionMenu(belfry: Belfry, session: Session): MenuItem[] {
  if (session.trashed_at) return trashedMenu(belfry, session);
  return [
    ...opening(belfry, session),
    'line',
    ...continuing(belfry, session),
    'line',
    ...marking(belfry, session),
    'line',
    ...taking(belfry, session),
    'line',
    ...ending(belfry, session),
  ];
}

function opening(belfry: Belfry, session: Session): MenuItem[] {
  return [
    { label: 'Open', run: () => belfry.show(session.id), keys: 'Enter', testid: 'menu-open' },
    {
      label: 'Open in new pane',
      run: () => belfry.show(session.id, 'beside'),
      keys: label('beside', belfry.mac),
      testid: 'menu-beside',
    },
    { label: 'Rename', run: () => belfry.rename(session), keys: 'F2', testid: 'menu-rename' },
    { label: 'Move to', items: moveItems(belfry, [session]), testid: 'menu-move' },
    {
      label: 'Why this status?',
      run: () => belfry.explainStatus(session.id),
      keys: '?',
      testid: 'menu-why',
    },
  ];
}

function continuing(belfry: Belfry, session: Session): MenuItem[] {
  const dead = session.status === 'dead';
  return [
    {
      label: 'Restart',
      run: () => void belfry.actions.restart(session),
      unavailable: dead ? undefined : 'it is running',
      testid: 'menu-restart',
    },
    {
      label: 'Resume',
      run: () => {},
      unavailable: dead ? 'comes with conversations' : 'it is running',
      testid: 'menu-resume',
    },
    { label: 'Fork…', run: () => {}, unavailable: 'comes with conversations', testid: 'menu-fork' },
    { label: 'Create pull request…', run: () => {}, unavailable: 'comes with workspaces', testid: 'menu-pr' },
    { label: 'Duplicate', run: () => void belfry.actions.duplicate(session), testid: 'menu-duplicate' },
    {
      label: 'New session here…',
      run: () => belfry.dialogs.newSession(session.cwd),
      testid: 'menu-new-here',
    },
  ];
}

function marking(belfry: Belfry, session: Session): MenuItem[] {
  const { bulk } = belfry;
  const { pinned, muted } = session;
  const sleeps = snoozed(session, Date.now());
  const spans = snoozes(new Date()).map(({ label, seconds, until }): MenuItem => ({
    label,
    run: () => void bulk.snooze([session], seconds, until),
    testid: 'snooze-for',
  }));
  const wake: MenuItem[] = sleeps
    ? ['line', { label: 'Wake now', run: () => void bulk.snooze([session], 0, ''), testid: 'snooze-end' }]
    : [];
  return [
    {
      label: 'Pin',
      checked: pinned,
      run: () => void bulk.pin([session], !pinned),
      testid: 'menu-pin',
    },
    { label: 'Mute', checked: muted, run: () => void bulk.mute([session], !muted), testid: 'menu-mute' },
    { label: sleeps ? 'Snoozed' : 'Snooze', items: [...spans, ...wake], testid: 'menu-snooze' },
    {
      label: 'Select',
      checked: belfry.selection.has(session.id),
      run: () => belfry.selection.toggle(session.id),
      testid: 'menu-select',
    },
  ];
}

function taking(belfry: Belfry, session: Session): MenuItem[] {
  const { surroundings, actions } = belfry;
  return [
    {
      label: 'Export recording…',
      run: () => void actions.export(session),
      unavailable: surroundings.saveFile ? undefined : 'use belfry export',
      testid: 'menu-export',
    },
    { label: 'Copy attach command', run: () => void actions.copyAttach(session), testid: 'menu-copy-attach' },
    {
      label: 'Open folder',
      run: () => void actions.openFolder(session),
      unavailable: surroundings.openDirectory ? undefined : 'not in a browser',
      testid: 'menu-folder',
    },
  ];
}

function ending(belfry: Belfry, session: Session): MenuItem[] {
  const { actions, bulk } = belfry;
  const dead = session.status === 'dead';
  return [
    session.archived_at
      ? {
          label: 'Take out of the archive',
          run: () => void bulk.archive([session], false),
          testid: 'menu-unarchive',
        }
      : { label: 'Archive', run: () => void actions.archive(session, true), testid: 'menu-archive' },
    {
      label: 'Kill…',
      run: () => void actions.kill(session),
      danger: true,
      unavailable: dead ? 'it has ended' : undefined,
      testid: 'menu-kill',
    },
    {
      label: dead && !session.private ? 'Delete' : 'Delete…',
      run: () => void actions.remove(session),
      danger: true,
      keys: 'Del',
      testid: 'menu-delete',
    },
  ];
}

function trashedMenu(belfry: Belfry, session: Session): MenuItem[] {
  return [
    { label: 'Restore', run: () => void belfry.bulk.restore([session]), testid: 'menu-restore' },
    'line',
    {
      label: 'Delete for good…',
      run: () => void belfry.actions.removeForGood(session),
      danger: true,
      testid: 'menu-delete',
    },
  ];
}
