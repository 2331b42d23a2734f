import type { DesktopEvent, Shortcut } from './client/transport';
import type { Belfry } from './state/belfry.svelte';

/** How the key that works in the whole desktop is; none in a plain browser. */
export const globalShortcut = $state<{ current: Shortcut | null }>({ current: null });

/** What is to be shown, told from outside the page. */
type Wish = Exclude<DesktopEvent, { kind: 'shortcut' | 'failed' }>;

/** Does what is chosen in the tray, on a notification, by the desktop's key or with `belfry focus`. */
export function followDesktop(belfry: Belfry): void {
  let wish: Wish | null = null;
  const fulfil = () => {
    if (!wish || !ready() || !carriedOut(belfry, wish)) return;
    wish = null;
  };
  const want = (next: Wish) => {
    wish = next;
    fulfil();
  };
  belfry.surroundings.followDesktop?.((event) => {
    if (event.kind === 'shortcut') {
      const { kind: _, ...shortcut } = event;
      globalShortcut.current = shortcut as Shortcut;
    } else if (event.kind === 'failed') belfry.toasts.fail(event.text);
    else want(event);
  });
  belfry.client.listen({
    onEvent: (event) => {
      if (event.event === 'focus_window') {
        belfry.surroundings.raiseWindow?.().catch(() => {});
        if (event.session) want({ kind: 'open', session: event.session });
      } else if (event.event === 'session') fulfil();
    },
  });
  // What was kept of the last time is put up first: what is shown before that would take its place.
  const watched = new MutationObserver(fulfil);
  watched.observe(document.documentElement, { attributeFilter: ['data-ready'] });
}

function ready(): boolean {
  return document.documentElement.dataset['ready'] === 'true';
}

/** False where the session is not known yet: it is told of in a moment. */
function carriedOut(belfry: Belfry, wish: Wish): boolean {
  const { dialogs, asks, sessions } = belfry;
  if (wish.kind === 'new_session') {
    dialogs.newSession();
    return true;
  }
  if (wish.kind === 'open') {
    if (!sessions.has(wish.session)) return false;
    dialogs.close();
    belfry.show(wish.session);
    return true;
  }
  const [first] = asks.needs;
  if (first) {
    dialogs.close();
    belfry.show(first.id);
    if (first.ask) belfry.openAsk(first.id);
  }
  return true;
}
