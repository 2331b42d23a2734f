import type { Choice, Session } from '$lib/client/generated/protocol';
import { keyed } from '$lib/state/ask-words';
import type { Belfry } from '$lib/state/belfry.svelte';
import { along } from '$lib/direction';

/** Milliseconds in which a second digit belongs to the first. */
const TWO_DIGITS = 1_200;

/** The keys of a card that has the keyboard: its choices' own, arrows between them, and what leads away. */
export function cardKeys(belfry: Belfry, session: () => Session) {
  let before = { key: '', at: 0 };

  function press(card: HTMLElement, choice: Choice): void {
    button(card, choice)?.focus();
    belfry.asks.press(session(), choice);
  }

  return function keydown(event: KeyboardEvent, leave: () => void, enter?: () => void): void {
    const card = event.currentTarget as HTMLElement;
    const target = event.target as HTMLElement;
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.matches('input, textarea')) return;
    const { ask } = session();
    const buttons = [...card.querySelectorAll<HTMLElement>('[data-choice]')];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    const go = (to: number) => buttons[(to + buttons.length) % buttons.length]?.focus();
    if (event.key === 'Escape') leave();
    else if (event.key === 'Enter' && target === card && enter) enter();
    else if (event.key === 'ArrowDown' || along(event.key) === 'ArrowRight') go(at + 1);
    else if (event.key === 'ArrowUp' || along(event.key) === 'ArrowLeft') go(at < 0 ? -1 : at - 1);
    else if (ask && !event.repeat) {
      const now = performance.now();
      const found = keyed(ask, event.key, now - before.at < TWO_DIGITS ? before.key : '');
      before = { key: event.key, at: now };
      if (found.kind === 'none') return;
      if (found.kind === 'choice') press(card, found.choice);
      else button(card, found.choice)?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

function button(card: HTMLElement, choice: Choice): HTMLElement | null {
  return card.querySelector<HTMLElement>(`[data-choice="${CSS.escape(choice.key)}"]`);
}
