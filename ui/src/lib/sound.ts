import type { Event, Notification } from './client/generated/protocol';
import type { Belfry } from './state/belfry.svelte';

/** Whoever plays a file, as loud as from 0 to 1. */
export type Play = (file: string, volume: number) => Promise<void>;

/** The file of a notification's sound, and how loud it is; none where it makes none. */
export function soundOf(
  notification: Notification,
  volume: number,
): { file: string; volume: number } | undefined {
  if (!notification.sound || notification.quiet || !(volume > 0)) return undefined;
  // Loudness is heard by the ratio.
  const share = Math.min(volume, 100) / 100;
  return { file: `./sounds/${notification.kind}.wav`, volume: share * share };
}

/** Rings in a plain browser, in one of its pages. */
export function ringInBrowser(belfry: Belfry, play: Play = playFile): void {
  let ringing = false;
  const ring = async (notification: Notification) => {
    const sound = soundOf(notification, belfry.settings.values?.notifications.volume ?? 0);
    // Many at once ring once.
    if (!sound || ringing) return;
    ringing = true;
    try {
      await alone(() => play(sound.file, sound.volume));
    } catch {
      // Browsers are silent until the person has done something on the page.
    } finally {
      ringing = false;
    }
  };
  belfry.client.listen({
    onEvent: (event: Event) => {
      if (event.event === 'notification') void ring(event.notification);
    },
  });
}

/** Of several pages of the same browser, one does it. */
async function alone(run: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return run();
  await navigator.locks.request('belfry-sound', { ifAvailable: true }, (lock) => (lock ? run() : undefined));
}

function playFile(file: string, volume: number): Promise<void> {
  const audio = new Audio(file);
  audio.volume = volume;
  return new Promise((resolve, reject) => {
    audio.addEventListener('ended', () => resolve());
    audio.addEventListener('error', () => reject(new Error('The sound cannot be played.')));
    audio.play().catch(reject);
  });
}
