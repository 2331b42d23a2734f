import { mirrored } from '$lib/direction';

/** Pixels from the edge in which a swipe begins, and that it is long at least. */
const EDGE = 28;
const LENGTH = 56;

interface Point {
  x: number;
  y: number;
}

/** What a finger's way means: it came in from the edge where the window begins, or it went back there. Up and down is scrolling. */
export function swiped(from: Point, to: Point): 'in' | 'out' | null {
  const [across, down] = [to.x - from.x, Math.abs(to.y - from.y)];
  if (Math.abs(across) < LENGTH || down > Math.abs(across) / 2) return null;
  if (across > 0) return from.x <= EDGE ? 'in' : null;
  return 'out';
}

/** From the side at which the window begins. */
function pointOf({ clientX, clientY }: Touch): Point {
  return { x: mirrored() ? innerWidth - clientX : clientX, y: clientY };
}

/** Hears swipes anywhere in an element. */
export function swipes(run: (way: 'in' | 'out') => void): (element: HTMLElement) => () => void {
  return (element) => {
    let from: Point | null = null;
    const start = (event: TouchEvent) => {
      const [touch, second] = event.touches;
      from = touch && !second ? pointOf(touch) : null;
    };
    const end = (event: TouchEvent) => {
      const touch = event.changedTouches[0];
      const way = from && touch && swiped(from, pointOf(touch));
      from = null;
      if (way) run(way);
    };
    const options = { passive: true, capture: true };
    element.addEventListener('touchstart', start, options);
    element.addEventListener('touchend', end, options);
    return () => {
      element.removeEventListener('touchstart', start, options);
      element.removeEventListener('touchend', end, options);
    };
  };
}
