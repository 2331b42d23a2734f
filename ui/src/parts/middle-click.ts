/**
 * A middle click as a command. On X11 and Wayland its default action pastes the selected text into whatever has the
 * keyboard, which is a terminal as soon as the click has opened one.
 */
export function middleClick(run: () => void): (element: HTMLElement) => () => void {
  return (element) => {
    const swallow = (event: MouseEvent) => {
      if (event.button === 1) event.preventDefault();
    };
    const click = (event: MouseEvent) => {
      if (event.button !== 1) return;
      event.preventDefault();
      run();
    };
    element.addEventListener('mousedown', swallow);
    element.addEventListener('mouseup', swallow);
    element.addEventListener('auxclick', click);
    return () => {
      element.removeEventListener('mousedown', swallow);
      element.removeEventListener('mouseup', swallow);
      element.removeEventListener('auxclick', click);
    };
  };
}
