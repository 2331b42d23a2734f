import type { Session } from '$lib/client/generated/protocol';
import { label } from '$lib/keymap';
import type { Belfry } from '$lib/state/belfry.svelte';
import { hibernated, isAlive } from '$lib/state/alive';
import { cannotFork, cannotResume, cannotSleep } from '$lib/state/conversations';
import { snoozed, snoozes } from '$lib/state/snooze';
import { say } from '$lib/words';
import { changesMenu } from '../changes/menu';
import type { MenuItem } from '../parts/menu';
import { runMenu } from '../workspaces/run-menu';
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
    { label: say.list.open, run: () => belfry.show(session.id), keys: 'Enter', testid: 'menu-open' },
    {
      label: say.list.openInNewPane,
      run: () => belfry.show(session.id, 'beside'),
      keys: label('beside', belfry.mac),
      testid: 'menu-beside',
    },
    ...faces(belfry, session),
    ...runMenu(belfry, session),
    { label: say.list.rename, run: () => belfry.rename(session), keys: 'F2', testid: 'menu-rename' },
    { label: say.list.moveTo, items: moveItems(belfry, [session]), testid: 'menu-move' },
    {
      label: say.list.whyThisStatus,
      run: () => belfry.explainStatus(session.id),
      keys: '?',
      testid: 'menu-why',
    },
  ];
}

/** Its other faces, and none where it has none. */
function faces({ faces: state, mac }: Belfry, session: Session): MenuItem[] {
  const has = state.for(session);
  if (has.length < 2) return [];
  const words = {
    terminal: say.transcript.showTerminal,
    transcript: say.transcript.showTranscript,
    changes: say.changes.showChangesShort,
    replay: say.transcript.showReplay,
  };
  const others = has.filter((face) => face !== state.of(session.id));
  return others.map((face) => ({
    label: words[face],
    run: () => state.show(session.id, face),
    keys: label(`show-${face}`, mac),
    testid: `menu-${face}`,
  }));
}

function continuing(belfry: Belfry, session: Session): MenuItem[] {
  const dead = !isAlive(session);
  const words = say.conversations;
  const forks = belfry.agents.find(({ id }) => id === session.agent)?.can.fork ?? false;
  return [
    {
      label: say.list.restart,
      run: () => void belfry.actions.restart(session),
      unavailable: dead ? undefined : say.list.itIsRunning,
      testid: 'menu-restart',
    },
    {
      label: hibernated(session) ? say.hibernate.wake : words.resume,
      run: () => void belfry.conversations.goOn(session),
      unavailable: cannotResume(session, belfry.agents),
      testid: 'menu-resume',
    },
    {
      label: say.hibernate.hibernate,
      run: () => void belfry.actions.hibernate(session),
      unavailable: cannotSleep(session, belfry.agents),
      testid: 'menu-hibernate',
    },
    {
      label: forks ? words.fork : words.forkByHandover,
      run: () => void belfry.conversations.fork(session),
      unavailable: cannotFork(session),
      testid: 'menu-fork',
    },
    ...changesMenu(belfry, session),
    {
      label: say.list.duplicate,
      run: () => void belfry.actions.duplicate(session),
      testid: 'menu-duplicate',
    },
    {
      label: say.list.newSessionHere,
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
    ? [
        'line',
        { label: say.list.wakeNow, run: () => void bulk.snooze([session], 0, ''), testid: 'snooze-end' },
      ]
    : [];
  return [
    {
      label: say.list.pin,
      checked: pinned,
      run: () => void bulk.pin([session], !pinned),
      testid: 'menu-pin',
    },
    {
      label: say.list.mute,
      checked: muted,
      run: () => void bulk.mute([session], !muted),
      testid: 'menu-mute',
    },
    { label: sleeps ? say.list.snoozed : say.list.snooze, items: [...spans, ...wake], testid: 'menu-snooze' },
    {
      label: say.list.select,
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
      label: say.list.exportRecording,
      run: () => void actions.export(session),
      unavailable: surroundings.saveFile ? undefined : say.list.useBelfryExport,
      testid: 'menu-export',
    },
    {
      label: say.list.copyAttachCommand,
      run: () => void actions.copyAttach(session),
      testid: 'menu-copy-attach',
    },
    {
      label: say.list.openFolder,
      run: () => void actions.openFolder(session),
      unavailable: surroundings.openDirectory ? undefined : say.list.notInABrowser,
      testid: 'menu-folder',
    },
  ];
}

function ending(belfry: Belfry, session: Session): MenuItem[] {
  const { actions, bulk, dialogs } = belfry;
  const dead = !isAlive(session);
  const own = belfry.workspaces.own(session);
  const removal: MenuItem[] = own
    ? [
        {
          label: say.workspaces.removeMenu[own.kind],
          run: () => (dialogs.over = { kind: 'remove', workspace: own.workspace, name: own.name }),
          danger: true,
          testid: 'menu-remove-workspace',
        },
      ]
    : [];
  return [
    session.archived_at
      ? {
          label: say.list.takeOutOfTheArchive,
          run: () => void bulk.archive([session], false),
          testid: 'menu-unarchive',
        }
      : { label: say.list.archive, run: () => void actions.archive(session, true), testid: 'menu-archive' },
    {
      label: say.list.kill,
      run: () => void actions.kill(session),
      danger: true,
      unavailable: dead ? say.list.itHasEnded : undefined,
      testid: 'menu-kill',
    },
    ...removal,
    {
      label: dead && !session.private ? say.list.remove : say.list.deleteAsking,
      run: () => void actions.remove(session),
      danger: true,
      keys: 'Del',
      testid: 'menu-delete',
    },
  ];
}

function trashedMenu(belfry: Belfry, session: Session): MenuItem[] {
  return [
    { label: say.list.restore, run: () => void belfry.bulk.restore([session]), testid: 'menu-restore' },
    'line',
    {
      label: say.list.deleteForGood,
      run: () => void belfry.actions.removeForGood(session),
      danger: true,
      testid: 'menu-delete',
    },
  ];
}
