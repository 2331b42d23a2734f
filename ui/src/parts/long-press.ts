/** Milliseconds that a finger rests, and pixels that it may move meanwhile. */
const REST = 500;
const SLACK = 10;

/**
 * A finger that rests, for a menu: where the web view makes no menu event of it itself. The tap that would follow is
 * swallowed.
 */
export function longPress(run: (at: { x: number; y: number }) => void): (element: HTMLElement) => () => void {
  return (element) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let from = { x: 0, y: 0 };
    let done = false;
    const stop = () => clearTimeout(timer);
    const down = (event: PointerEvent) => {
      done = false;
      if (event.pointerType !== 'touch') return;
      from = { x: event.clientX, y: event.clientY };
      timer = setTimeout(() => {
        done = true;
        run(from);
      }, REST);
    };
    const move = (event: PointerEvent) => {
      if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > SLACK) stop();
    };
    const menu = (event: MouseEvent) => {
      event.preventDefault();
      stop();
      if (!done) run({ x: event.clientX, y: event.clientY });
      done = event.button !== 2;
    };
    const click = (event: MouseEvent) => {
      if (!done) return;
      done = false;
      event.preventDefault();
      event.stopPropagation();
    };
    element.addEventListener('pointerdown', down);
    element.addEventListener('pointermove', move);
    for (const end of ['pointerup', 'pointercancel', 'pointerleave']) element.addEventListener(end, stop);
    element.addEventListener('contextmenu', menu);
    element.addEventListener('click', click, true);
    return () => {
      stop();
      element.removeEventListener('pointerdown', down);
      element.removeEventListener('pointermove', move);
      for (const end of ['pointerup', 'pointercancel', 'pointerleave'])
        element.removeEventListener(end, stop);
      element.removeEventListener('contextmenu', menu);
      element.removeEventListener('click', click, true);
    };
  };
}
