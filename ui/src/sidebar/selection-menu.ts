import type { Session } from '$lib/client/generated/protocol';
import { isAlive } from '$lib/state/alive';
import type { Belfry } from '$lib/state/belfry.svelte';
import { snoozed, snoozes } from '$lib/state/snooze';
import { say } from '$lib/words';
import type { MenuItem } from '../parts/menu';
import { moveItems } from './move-menu';

/** Tabs that are opened at once at most: each is a terminal. */
const TABS = 12;

/** The sessions that the menu of one is about: all that are selected where it is one of them, else none but itself. */
export function meantBy({ selection }: Pick<Belfry, 'selection'>, session: Session): readonly Session[] {
  return selection.sessions.length > 1 && selection.has(session.id) ? selection.sessions : [session];
}

/** What the menu of one of several selected sessions offers: the same to all of them. Its items say to how many. */
export function selectionMenu(belfry: Belfry, chosen: readonly Session[], session: Session): MenuItem[] {
  const { bulk, dialogs, selection } = belfry;
  const of = say.selection;
  const count = chosen.length;
  const alive = chosen.filter(isAlive);
  const dead = chosen.filter((one) => !isAlive(one));
  const every = (wanted: (one: Session) => boolean) => chosen.every(wanted);
  const pinned = every((one) => one.pinned);
  const muted = every((one) => one.muted);
  const archived = every((one) => one.archived_at !== null);
  const asleep = chosen.filter((one) => snoozed(one, Date.now()));
  const spans = snoozes(new Date()).map(({ label, seconds, until }): MenuItem => ({
    label,
    run: () => void bulk.snooze(chosen, seconds, until),
    testid: 'snooze-for',
  }));
  const wake: MenuItem[] =
    asleep.length > 0
      ? ['line', { label: of.wakeNow, run: () => void bulk.snooze(asleep, 0, ''), testid: 'snooze-end' }]
      : [];
  return [
    { heading: of.sessions(count) },
    {
      label: of.openInTabs(count),
      run: () => chosen.forEach(({ id }) => belfry.show(id, 'tab')),
      unavailable: count > TABS ? of.tooMany(TABS) : undefined,
      testid: 'menu-open',
    },
    { label: of.move(count), items: moveItems(belfry, chosen), testid: 'menu-move' },
    'line',
    {
      label: pinned ? of.unpin(count) : of.pin(count),
      run: () => void bulk.pin(chosen, !pinned),
      testid: 'menu-pin',
    },
    {
      label: muted ? of.unmute(count) : of.mute(count),
      run: () => void bulk.mute(chosen, !muted),
      testid: 'menu-mute',
    },
    { label: of.snooze(count), items: [...spans, ...wake], testid: 'menu-snooze' },
    { label: of.message(count), run: () => dialogs.broadcast(), testid: 'menu-message' },
    'line',
    { label: of.leaveOut, run: () => selection.toggle(session.id), testid: 'menu-select' },
    { label: of.end, run: () => selection.clear(), keys: 'Esc', testid: 'menu-select-end' },
    'line',
    {
      label: of.restart(dead.length || count),
      run: () => void bulk.restart(dead),
      unavailable: dead.length === 0 ? of.running : undefined,
      testid: 'menu-restart',
    },
    archived
      ? {
          label: of.unarchive(count),
          run: () => void bulk.archive(chosen, false),
          testid: 'menu-unarchive',
        }
      : {
          label: of.archive(count),
          run: () => void bulk.archive(chosen, true).then(() => selection.clear()),
          testid: 'menu-archive',
        },
    {
      label: of.kill(alive.length || count),
      run: () => void bulk.kill(alive),
      danger: true,
      unavailable: alive.length === 0 ? of.ended : undefined,
      testid: 'menu-kill',
    },
    {
      label: of.remove(count),
      run: () => void bulk.remove(chosen),
      danger: true,
      keys: 'Del',
      testid: 'menu-delete',
    },
  ];
}
