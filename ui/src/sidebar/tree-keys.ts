import type { Belfry } from '$lib/state/belfry.svelte';
import { folds, placeOf, bySiblings, type Row } from '$lib/state/tree';
import type { MenuPlace } from '../parts/menu';
import { meantBy } from './selection-menu';
import { along } from '$lib/direction';

/** Milliseconds after which a typed letter begins a new word. */
const WORD = 900;

export interface KeyedTree {
  belfry: Belfry;
  focus(key: string): void;
  menu(row: Row, at: MenuPlace): void;
  /** Rows that fit into the list's height. */
  page(): number;
}

/** The keys of the list. Rows that are out of sight are not in the document, so that everything goes by their places. */
export class TreeKeys {
  private word = '';
  private typedAt = 0;

  constructor(private readonly tree: KeyedTree) {}

  press(event: KeyboardEvent): void {
    const { belfry } = this.tree;
    const row = belfry.list.row(belfry.list.active);
    if (event.isComposing || !row) return;
    const command = belfry.mac ? event.metaKey : event.ctrlKey;
    const dealt =
      this.move(event, row, command) ||
      (command && this.combined(event, row)) ||
      (event.altKey && this.reorder(event, row)) ||
      (!command && !event.altKey && (this.act(event, row) || this.type(event)));
    if (!dealt) return;
    event.preventDefault();
    event.stopPropagation();
  }

  private move(event: KeyboardEvent, row: Row, command: boolean): boolean {
    if (event.altKey || command) return false;
    const { list, selection } = this.tree.belfry;
    const items = list.rows.filter(isItem);
    const at = items.indexOf(row);
    const to = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: items.length - 1,
      PageDown: at + this.tree.page(),
      PageUp: at - this.tree.page(),
    }[event.key];
    if (to === undefined) return false;
    const next = items[Math.max(0, Math.min(items.length - 1, to))];
    if (!next) return true;
    if (event.shiftKey && next.kind === 'session')
      selection.extend(list.order, next.session.id, row.kind === 'session' ? row.session.id : null);
    this.tree.focus(next.key);
    return true;
  }

  private combined(event: KeyboardEvent, row: Row): boolean {
    const { belfry } = this.tree;
    const { list, selection } = belfry;
    if (event.key.toLowerCase() === 'a' && !event.shiftKey) selection.all(choosable(list.rows));
    else if (row.kind !== 'session') return false;
    else if (event.key === 'Enter') belfry.show(row.session.id, 'beside');
    else if (event.key === ' ') selection.toggle(row.session.id);
    else return false;
    return true;
  }

  private act(event: KeyboardEvent, row: Row): boolean {
    const { belfry } = this.tree;
    switch (along(event.key)) {
      case 'Enter':
        open(belfry, row);
        return true;
      case ' ':
        // In a word that is being typed it is a letter.
        if (this.word && event.timeStamp - this.typedAt < WORD) return false;
        if (row.kind === 'session' && belfry.selection.any) belfry.selection.toggle(row.session.id);
        else open(belfry, row);
        return true;
      case 'ArrowRight':
        if (!folds(row)) return false;
        if (row.folded) belfry.list.fold(row.key);
        else this.tree.focus(belfry.list.rows[(belfry.list.places.get(row.key) ?? 0) + 1]?.key ?? row.key);
        return true;
      case 'ArrowLeft':
        if (folds(row) && !row.folded) belfry.list.fold(row.key);
        else if (row.parent) this.tree.focus(row.parent);
        return true;
      case 'F2':
        return rename(belfry, row);
      case 'Delete':
        return remove(belfry, row);
      case 'Escape':
        if (belfry.selection.any) belfry.selection.clear();
        else if (belfry.list.filtered) belfry.list.clearFilter();
        else belfry.focusTerminal();
        return true;
      case '?':
        if (row.kind === 'session') belfry.explainStatus(row.session.id);
        return row.kind === 'session';
      case '/':
        document.querySelector<HTMLElement>('[data-testid=list-filter]')?.focus();
        return true;
      case 'F10':
        if (!event.shiftKey) return false;
        return this.menu(event, row);
      case 'ContextMenu':
        return this.menu(event, row);
      default:
        return false;
    }
  }

  private menu(event: KeyboardEvent, row: Row): boolean {
    const { left, bottom } = (event.target as HTMLElement).getBoundingClientRect();
    this.tree.menu(row, { x: left + 24, y: bottom - 6 });
    return true;
  }

  /** What dragging does, by one step. */
  private reorder(event: KeyboardEvent, row: Row): boolean {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key] as 1 | -1 | undefined;
    if (!by) return false;
    const { belfry } = this.tree;
    if (row.kind === 'project') void belfry.projects.step(row.project.id, by);
    if (row.kind === 'group') void belfry.projects.stepGroup(row.group, by);
    if (row.kind === 'session' && !belfry.list.flat && !row.shelved) stepSession(belfry, row.session.id, by);
    return true;
  }

  /** To the next row that begins with what is typed. */
  private type(event: KeyboardEvent): boolean {
    if (event.key.length !== 1 || event.metaKey || event.ctrlKey) return false;
    const { list } = this.tree.belfry;
    const fresh = event.timeStamp - this.typedAt >= WORD;
    this.word = (fresh ? '' : this.word) + event.key.toLowerCase();
    this.typedAt = event.timeStamp;
    const items = list.rows.filter(isItem);
    const at = items.findIndex(({ key }) => key === list.active);
    // A second letter may narrow down what the first has found; a first one goes on to the next.
    const from = this.word.length > 1 ? at : at + 1;
    const found = items.findIndex((_, step) =>
      nameOf(items[(from + step) % items.length]).startsWith(this.word),
    );
    const next = found < 0 ? undefined : items[(from + found) % items.length];
    if (next) this.tree.focus(next.key);
    return true;
  }
}

export function isItem(row: Row): boolean {
  return row.kind !== 'label' && row.kind !== 'empty';
}

/** The sessions that a selection takes: what lies in the trash has no part in it. */
export function choosable(rows: readonly Row[]): string[] {
  return rows.flatMap((row) => (row.kind === 'session' && !row.session.trashed_at ? row.session.id : []));
}

export function open(belfry: Belfry, row: Row): void {
  if (row.kind === 'session') {
    if (row.session.trashed_at) void belfry.bulk.restore([row.session]);
    else belfry.show(row.session.id);
  } else if (folds(row)) belfry.list.fold(row.key);
}

function rename(belfry: Belfry, row: Row): boolean {
  const subject =
    row.kind === 'session'
      ? row.session
      : row.kind === 'project'
        ? row.project
        : row.kind === 'group'
          ? row.group
          : null;
  if (!subject || (row.kind === 'session' && row.session.trashed_at)) return false;
  belfry.renaming = subject.id;
  return true;
}

function remove(belfry: Belfry, row: Row): boolean {
  const { selection, actions, projects, bulk } = belfry;
  if (row.kind === 'session' && row.session.trashed_at) void actions.removeForGood(row.session);
  else if (row.kind === 'session') {
    // As its menu: what is selected where it is one of them, else it alone.
    const chosen = meantBy(belfry, row.session);
    if (chosen.length > 1) void bulk.remove(chosen);
    else void actions.remove(row.session);
  } else if (selection.any) void bulk.remove(selection.sessions);
  else if (row.kind === 'project') void projects.remove(row.project);
  else if (row.kind === 'group') void projects.removeGroup(row.group);
  else return false;
  return true;
}

function stepSession(belfry: Belfry, id: string, by: 1 | -1): void {
  const { listed, projects, groups, get } = belfry.sessions;
  const session = get.call(belfry.sessions, id);
  if (!session) return;
  const place = placeOf(session, projects, groups);
  const siblings = listed
    .filter((one) => {
      const other = placeOf(one, projects, groups);
      const here = other.project === place.project && other.group === place.group;
      return here && (place.project !== null || one.cwd === session.cwd) && one.pinned === session.pinned;
    })
    .sort(bySiblings);
  const at = siblings.findIndex((one) => one.id === id);
  if (at < 0 || !siblings[at + by]) return;
  const before = by < 0 ? siblings[at - 1] : siblings[at + 2];
  void belfry.bulk.move([session], place, before?.id ?? null);
}

function nameOf(row: Row | undefined): string {
  switch (row?.kind) {
    case 'session':
      return row.session.name.toLowerCase();
    case 'project':
      return row.project.name.toLowerCase();
    case 'group':
      return row.group.name.toLowerCase();
    case 'directory':
      return row.name.toLowerCase();
    case 'shelf':
      return row.shelf;
    default:
      return '';
  }
}
