/** What is longer than its room can be scrolled by keyboard too, and is no stop on the way where it is not. */
export function scrollable(element: HTMLElement): () => void {
  const look = () => {
    if (element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1)
      element.tabIndex = 0;
    else element.removeAttribute('tabindex');
  };
  const observer = new ResizeObserver(look);
  observer.observe(element);
  look();
  return () => observer.disconnect();
}
