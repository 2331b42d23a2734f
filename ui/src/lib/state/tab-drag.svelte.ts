import { mirrored } from '../direction';
import { previewed, tabIndex, zone, type Box, type Target } from '../layout/drop';
import { paneOf } from '../layout/tree';
import type { Belfry } from './belfry.svelte';

/** Pixels that a pointer moves before that is a drag. */
const SLACK = 6;
/** Milliseconds for which a click that ends a drag is not one. */
const AFTER = 50;

export interface Dragged {
  session: string;
  x: number;
  y: number;
  target: Target | null;
  /** What the target would cover, or the line between two tabs, in the window's pixels. */
  preview: (Box & { line: boolean }) | null;
}

/**
 * A tab, or a session from the list, on its way to another place. By pointer: the system's own drag and drop brings files,
 * not tabs. Nothing moves before it is dropped, so that no terminal is resized on the way.
 */
export class TabDrag {
  now = $state.raw<Dragged | null>(null);
  private stop: (() => void) | undefined;

  constructor(private readonly belfry: Belfry) {}

  /** Begins with a press on a tab or a row; what is shorter than a few pixels stays a click. */
  begin(event: PointerEvent, session: string): void {
    if (event.button !== 0 || !event.isPrimary || this.belfry.narrow) return;
    this.cancel();
    const source = event.currentTarget as HTMLElement;
    const from = { x: event.clientX, y: event.clientY };
    const move = (to: PointerEvent) => {
      if (!this.now) {
        if (Math.hypot(to.clientX - from.x, to.clientY - from.y) < SLACK) return;
        source.setPointerCapture(to.pointerId);
        document.documentElement.dataset['dragging'] = 'tab';
      }
      const { clientX: x, clientY: y } = to;
      this.now = { session, x, y, ...this.over(session, x, y) };
    };
    const up = () => {
      if (this.now) swallowClick();
      this.drop();
    };
    const key = (pressed: KeyboardEvent) => {
      if (!this.now || pressed.key !== 'Escape') return;
      pressed.preventDefault();
      pressed.stopPropagation();
      this.cancel();
      swallowClick();
    };
    const cancel = () => this.cancel();
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', up);
    window.addEventListener('pointercancel', cancel);
    window.addEventListener('keydown', key, true);
    this.stop = () => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', up);
      window.removeEventListener('pointercancel', cancel);
      window.removeEventListener('keydown', key, true);
    };
  }

  /** Follows a session that is dragged by somebody else; false where it is over no pane. */
  track(session: string, x: number, y: number): boolean {
    const found = this.belfry.narrow || this.belfry.arrangement.grid ? null : this.over(session, x, y);
    const over = found !== null && paneAt(x, y) !== undefined;
    this.now = over ? { session, x, y, ...found } : null;
    return over;
  }

  /** The end of a drag, where it is; false where that is no place for it. */
  drop(): boolean {
    const dragged = this.now;
    this.cancel();
    if (!dragged?.target) return false;
    this.belfry.arrangement.drop(dragged.session, dragged.target);
    this.belfry.focusTerminal();
    return true;
  }

  cancel(): void {
    this.stop?.();
    this.stop = undefined;
    this.now = null;
    delete document.documentElement.dataset['dragging'];
  }

  private over(session: string, x: number, y: number): Pick<Dragged, 'target' | 'preview'> {
    const none = { target: null, preview: null };
    const pane = paneAt(x, y);
    const id = pane?.dataset['pane'];
    if (!pane || !id) return none;
    const strip = pane.querySelector<HTMLElement>('[data-tabs-of]');
    const bar = strip?.getBoundingClientRect();
    if (strip && bar && y < bar.bottom) return this.overTabs(session, strip, id, x);
    const whole = pane.getBoundingClientRect();
    const top = bar?.bottom ?? whole.top;
    const box = { left: whole.left, top, width: whole.width, height: whole.bottom - top };
    const where = zone(box, x, y);
    const from = paneOf(this.belfry.arrangement.layout, session);
    const home = from?.id === id;
    // Where it is already, and where the only tab of a pane would leave nothing beside it.
    if (home && (where === 'middle' || from.tabs.length === 1)) return none;
    const preview = { ...previewed(box, where), line: false };
    const target: Target =
      where === 'middle' ? { kind: 'middle', pane: id } : { kind: 'edge', pane: id, edge: where };
    return { target, preview };
  }

  private overTabs(
    session: string,
    strip: HTMLElement,
    pane: string,
    x: number,
  ): Pick<Dragged, 'target' | 'preview'> {
    const tabs = [...strip.querySelectorAll<HTMLElement>('[role=tab]')]
      .filter((tab) => tab.dataset['session'] !== session)
      .map((tab) => tab.getBoundingClientRect());
    const back = mirrored();
    const index = tabIndex(tabs, x, back);
    const { left, right, top, height } = strip.getBoundingClientRect();
    const at = back
      ? (tabs[index]?.right ?? tabs.at(-1)?.left ?? right)
      : (tabs[index]?.left ?? tabs.at(-1)?.right ?? left);
    return {
      target: { kind: 'tab', pane, index },
      preview: { left: Math.max(left, at - 1), top: top + 3, width: 2, height: height - 6, line: true },
    };
  }
}

function paneAt(x: number, y: number): HTMLElement | undefined {
  return document
    .elementsFromPoint(x, y)
    .find((one): one is HTMLElement => one instanceof HTMLElement && one.dataset['pane'] !== undefined);
}

/** The end of a drag is no click on what the pointer is over, or on the tab that it began on. */
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener('click', swallow, true), AFTER);
}
