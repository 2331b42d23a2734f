/**
 * What is longer than its room can be scrolled by keyboard too, and is no stop on the way where it is not. As long as there
 * is more below it has `data-more`.
 */
export function scrollable(element: HTMLElement): () => void {
  const look = () => {
    const { scrollTop, scrollHeight, clientHeight, scrollWidth, clientWidth } = element;
    if (scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
    element.dataset['more'] = String(scrollTop + clientHeight < scrollHeight - 2);
  };
  const observer = new ResizeObserver(look);
  observer.observe(element);
  const changes = new MutationObserver(look);
  changes.observe(element, { characterData: true, childList: true, subtree: true });
  element.addEventListener('scroll', look, { passive: true });
  look();
  return () => {
    observer.disconnect();
    changes.disconnect();
    element.removeEventListener('scroll', look);
  };
}
