/** As long as more of an element lies below its room it has `data-more`. */
export function fades(element: HTMLElement): () => void {
  return watch(element, () => {
    const { scrollTop, scrollHeight, clientHeight } = element;
    element.dataset['more'] = String(scrollTop + clientHeight < scrollHeight - 2);
  });
}

/** The same for what nothing inside can take the keyboard: it is scrolled by keyboard, and no stop where there is no need. */
export function scrollable(element: HTMLElement): () => void {
  const unfade = fades(element);
  const unwatch = watch(element, () => {
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = element;
    if (scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
  });
  return () => {
    unfade();
    unwatch();
  };
}

function watch(element: HTMLElement, look: () => void): () => void {
  const sizes = new ResizeObserver(look);
  sizes.observe(element);
  const changes = new MutationObserver(look);
  changes.observe(element, { characterData: true, childList: true, subtree: true });
  element.addEventListener('scroll', look, { passive: true });
  look();
  return () => {
    sizes.disconnect();
    changes.disconnect();
    element.removeEventListener('scroll', look);
  };
}
