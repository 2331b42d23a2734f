import type { Belfry } from '$lib/state/belfry.svelte';
import { rowAt, target, type Dragged, type Target } from '$lib/state/drop';
import { folds, type Row } from '$lib/state/tree';

/** Pixels before a press becomes a drag. */
const SLACK = 6;
/** Pixels at the list's edges in which a drag scrolls it, and how far at most in one frame. */
const EDGE = 28;
const FASTEST = 14;
/** Milliseconds over a folded row after which it unfolds. */
const UNFOLD = 700;

/** Dragging in the list, by pointer: the system's own drag and drop brings files, not sessions. */
export class ListDrag {
  /** Keys of what is being dragged. */
  keys = $state.raw<readonly string[]>([]);
  target = $state.raw<Target | null>(null);
  /** A press that has become a drag is no click. */
  justDragged = false;
  private stop: (() => void) | null = null;

  constructor(
    private readonly belfry: Belfry,
    private readonly scroller: () => HTMLElement,
  ) {}

  get active(): boolean {
    return this.keys.length > 0;
  }

  press(event: PointerEvent, row: Row): void {
    this.justDragged = false;
    if (event.button !== 0 || event.pointerType === 'touch') return;
    const dragged = this.draggedFor(row);
    if (!dragged || event.shiftKey || event.ctrlKey || event.metaKey) return;
    const from = { x: event.clientX, y: event.clientY };
    let last = from.y;
    let frame = 0;
    let hovering: { key: string; timer: ReturnType<typeof setTimeout> } | null = null;

    const look = () => {
      const found = this.look(last, dragged.dragged);
      this.target = found?.target ?? null;
      if (hovering?.key === found?.row.key) return;
      if (hovering) clearTimeout(hovering.timer);
      const over = found?.row;
      hovering =
        over && folds(over) && over.folded
          ? { key: over.key, timer: setTimeout(() => this.belfry.list.fold(over.key), UNFOLD) }
          : null;
    };
    const scroll = () => {
      const box = this.scroller().getBoundingClientRect();
      const above = box.top + EDGE - last;
      const below = last - (box.bottom - EDGE);
      const by = last < 0 ? 0 : above > 0 ? -above : below > 0 ? below : 0;
      if (by !== 0) {
        this.scroller().scrollTop += Math.max(-FASTEST, Math.min(FASTEST, by / 2));
        look();
      }
      frame = requestAnimationFrame(scroll);
    };
    // One session can be dragged into the panes as well, like a tab.
    const [single, second] = dragged.dragged.kind === 'sessions' ? dragged.dragged.ids : [];
    const move = (to: PointerEvent) => {
      last = to.clientY;
      if (!this.active) {
        if (Math.hypot(to.clientX - from.x, to.clientY - from.y) < SLACK) return;
        this.keys = dragged.keys;
        this.justDragged = true;
        document.documentElement.style.cursor = 'grabbing';
        frame = requestAnimationFrame(scroll);
      }
      if (single && !second && this.belfry.drag.track(single, to.clientX, to.clientY)) {
        last = -1;
        this.target = null;
        return;
      }
      look();
    };
    const keydown = (key: KeyboardEvent) => {
      if (key.key !== 'Escape' || !this.active) return;
      key.preventDefault();
      key.stopPropagation();
      this.end();
    };
    const up = () => {
      const { target: found } = this;
      const dropped = this.active && found;
      if (this.active) this.belfry.drag.drop();
      this.end();
      if (dropped) this.drop(dropped, dragged.dragged);
    };
    const cancel = () => this.end();
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', up);
    window.addEventListener('pointercancel', cancel);
    window.addEventListener('keydown', keydown, true);
    this.stop = () => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', up);
      window.removeEventListener('pointercancel', cancel);
      window.removeEventListener('keydown', keydown, true);
      cancelAnimationFrame(frame);
      if (hovering) clearTimeout(hovering.timer);
      document.documentElement.style.cursor = '';
    };
  }

  end(): void {
    this.belfry.drag.cancel();
    this.stop?.();
    this.stop = null;
    this.keys = [];
    this.target = null;
  }

  private draggedFor(row: Row): { dragged: Dragged; keys: string[] } | null {
    const { selection } = this.belfry;
    if (row.kind === 'project') return { dragged: { kind: 'project', id: row.project.id }, keys: [row.key] };
    if (row.kind === 'group') return { dragged: { kind: 'group', group: row.group }, keys: [row.key] };
    if (row.kind !== 'session' || row.shelved || row.session.runs_for) return null;
    const many = selection.any && selection.has(row.session.id);
    const sessions = many ? selection.sessions.filter((one) => !one.archived_at) : [row.session];
    return {
      dragged: {
        kind: 'sessions',
        ids: sessions.map(({ id }) => id),
        directories: sessions.map(({ cwd }) => cwd),
      },
      keys: sessions.map(({ id }) => `s:${id}`),
    };
  }

  private look(y: number, dragged: Dragged): { row: Row; target: Target | null } | null {
    const { list, sessions } = this.belfry;
    // A list that sorts itself has no places for anything.
    if (list.flat) return null;
    const box = this.scroller().getBoundingClientRect();
    if (y < box.top || y > box.bottom) return null;
    const at = y - box.top + this.scroller().scrollTop;
    const index = rowAt(list.rows, at);
    const row = list.rows[index];
    if (!row) return null;
    const down = (at - row.top) / row.height;
    return { row, target: target(list.rows, index, down, dragged, sessions.groups) };
  }

  private drop({ drop }: Target, dragged: Dragged): void {
    const { bulk, projects, sessions, list } = this.belfry;
    if (drop.kind === 'sessions' && dragged.kind === 'sessions') {
      const moved = dragged.ids.map((id) => sessions.get(id)).filter((one) => one !== undefined);
      // In the order that they have in the list.
      moved.sort((a, b) => list.order.indexOf(a.id) - list.order.indexOf(b.id));
      void bulk.move(moved, drop.place, drop.before);
    } else if (drop.kind === 'group' && dragged.kind === 'group')
      void projects.moveGroup(dragged.group, drop.parent, drop.before);
    else if (drop.kind === 'project' && dragged.kind === 'project')
      void projects.reorder(dragged.id, drop.before);
  }
}
