/** What a menu offers, one under the other. */
export type MenuItem = 'line' | MenuHeading | MenuCommand | MenuBranch;

/** Words over the items that follow; not chosen. */
export interface MenuHeading {
  heading: string;
}

interface Named {
  label: string;
  /** Why it cannot be chosen now. It is shown, and read aloud. */
  unavailable?: string | undefined;
  testid?: string;
  /** How deep it lies under the items before it. */
  depth?: number;
  /** A colour that it stands for, as a CSS value. */
  color?: string;
}

export interface MenuCommand extends Named {
  run: () => void;
  keys?: string;
  danger?: boolean;
  /** It is on or off. */
  checked?: boolean;
  /** One of several, of which one is on. */
  radio?: boolean;
}

export interface MenuBranch extends Named {
  items: readonly MenuItem[];
}

/** Where a menu opens, in the window's pixels. */
export interface MenuPlace {
  x: number;
  y: number;
  /** Where there is no room to the right of `x` it lies left of this. */
  left?: number;
  /** What it belongs to, from here to there: where there is room on neither side it lies under it or over it. */
  over?: { top: number; bottom: number };
}

interface Extent {
  width: number;
  height: number;
}

/** Pixels to the window's edges. */
const EDGE = 4;

/** A place in a window that runs the other way, seen from its other side. */
export function mirror(at: MenuPlace, width: number): MenuPlace {
  const { left, ...place } = at;
  return left === undefined
    ? { ...place, x: width - at.x }
    : { ...place, x: width - left, left: width - at.x };
}

/** The corner of a menu of that size in a window of that size. */
export function corner(at: MenuPlace, menu: Extent, window: Extent): { x: number; y: number } {
  const between = (least: number, wanted: number, most: number) => Math.max(least, Math.min(wanted, most));
  const within = (x: number, y: number) => ({
    x: between(EDGE, x, window.width - menu.width - EDGE),
    y: between(EDGE, y, window.height - menu.height - EDGE),
  });
  if (at.x + menu.width <= window.width - EDGE) return within(at.x, at.y);
  if (at.left === undefined) return within(at.x, at.y);
  if (at.left - menu.width >= EDGE || !at.over) return within(at.left - menu.width, at.y);
  const under = at.over.bottom + menu.height <= window.height - EDGE;
  return within(at.left + 16, under ? at.over.bottom : at.over.top - menu.height);
}

export function roleOf(item: MenuCommand | MenuBranch): 'menuitem' | 'menuitemcheckbox' | 'menuitemradio' {
  if (!('run' in item) || item.checked === undefined) return 'menuitem';
  return item.radio ? 'menuitemradio' : 'menuitemcheckbox';
}

/** The item that a typed letter goes to: the next whose label begins so, round the end. */
export function lettered(labels: readonly string[], from: number, letter: string): number {
  const wanted = letter.toLowerCase();
  for (let step = 1; step <= labels.length; step += 1) {
    const at = (from + step + labels.length) % labels.length;
    if (labels[at]?.toLowerCase().startsWith(wanted)) return at;
  }
  return -1;
}
