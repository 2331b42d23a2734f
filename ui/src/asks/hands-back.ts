import { SETTLE } from '$lib/state/asks.svelte';
import type { Belfry } from '$lib/state/belfry.svelte';

/**
 * A card that goes away with the keyboard in it gives it to the terminal, after a moment in which nobody has it: a key that
 * was meant for the card must not answer what the terminal shows.
 */
export function handsBack(belfry: Belfry): (card: HTMLElement) => () => void {
  return (card) => {
    let inside = card.contains(document.activeElement);
    const entered = () => (inside = true);
    const left = () =>
      // Unless it was left by being taken from the page.
      queueMicrotask(() => {
        if (card.isConnected) inside = card.contains(document.activeElement);
      });
    card.addEventListener('focusin', entered);
    card.addEventListener('focusout', left);
    return () => {
      if (inside) setTimeout(() => belfry.focusIfNobodyElse(), SETTLE);
    };
  };
}
