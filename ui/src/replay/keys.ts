import { along } from '$lib/direction';
import type { Playback } from './playback.svelte';

const ARROW = 5_000;
const LETTER = 10_000;

/** Does what a key asks for, as players of moving pictures do; false where it asks for nothing. */
export function press(playback: Playback, event: KeyboardEvent, end: () => void): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey) return false;
  const digit = /^[0-9]$/.test(event.key) ? Number(event.key) : undefined;
  if (digit !== undefined) {
    playback.seek((playback.length * digit) / 10);
    return true;
  }
  const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : along(event.key)];
  if (event.key === 'End') end();
  else if (act) act(playback);
  else return false;
  return true;
}

const KEYS: Readonly<Record<string, (playback: Playback) => void>> = {
  ' ': (playback) => playback.toggle(),
  k: (playback) => playback.toggle(),
  ArrowLeft: (playback) => playback.by(-ARROW),
  ArrowRight: (playback) => playback.by(ARROW),
  j: (playback) => playback.by(-LETTER),
  l: (playback) => playback.by(LETTER),
  ',': (playback) => playback.step(false),
  '.': (playback) => playback.step(true),
  Home: (playback) => playback.seek(0),
  n: (playback) => void playback.stop(true),
  p: (playback) => void playback.stop(false),
  i: (playback) => playback.togglePauses(),
  '<': (playback) => playback.faster(-1),
  '-': (playback) => playback.faster(-1),
  '>': (playback) => playback.faster(1),
  '+': (playback) => playback.faster(1),
  '=': (playback) => playback.faster(1),
};
