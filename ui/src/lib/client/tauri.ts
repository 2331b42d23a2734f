// The only file that knows Tauri. The desktop's side of it is src-tauri/src/bridge.
import { Channel, invoke } from '@tauri-apps/api/core';
import type { DesktopEvent, Link, LinkHandlers, Surroundings, Transport } from './transport';
import { TransportError } from './transport';

type BridgeState = { state: 'starting' } | { state: 'lost'; message: string };

/** Whether this page runs in the desktop's window. */
export function inDesktop(): boolean {
  return '__TAURI_INTERNALS__' in window;
}

function messageOf(error: unknown): string {
  if (error && typeof error === 'object' && 'message' in error) return String(error.message);
  return String(error);
}

export class TauriTransport implements Transport {
  readonly client = 'desktop';

  async connect(handlers: LinkHandlers): Promise<Link> {
    let closed = false;
    const lost = (message: string) => {
      if (closed) return;
      closed = true;
      handlers.onLost(message);
    };
    // Pieces under 1 KiB come as numbers: Tauri hands those over by evaluation, which is quicker for them.
    const onBytes = new Channel<ArrayBuffer | number[]>((piece) => {
      if (!closed)
        handlers.onBytes(piece instanceof ArrayBuffer ? new Uint8Array(piece) : Uint8Array.from(piece));
    });
    const onState = new Channel<BridgeState>((state) => {
      if (state.state === 'starting') handlers.onStarting?.();
      else lost(state.message);
    });
    let link: number;
    try {
      link = await invoke<number>('connect', { onBytes, onState });
    } catch (error) {
      throw new TransportError(messageOf(error));
    }
    let sequence = 0;
    return {
      send(bytes) {
        const headers = { 'belfry-link': String(link), 'belfry-seq': String(sequence++) };
        invoke('send', bytes, { headers }).catch((error: unknown) => lost(messageOf(error)));
      },
      close() {
        if (closed) return;
        closed = true;
        invoke('disconnect', { link }).catch(() => {});
      },
    };
  }
}

/** Calls a command of the shell, whose refusals are no errors of JavaScript's. */
async function call<T = void>(...what: Parameters<typeof invoke>): Promise<T> {
  try {
    return await invoke<T>(...what);
  } catch (error) {
    throw new Error(messageOf(error), { cause: error });
  }
}

export const desktopSurroundings: Surroundings = {
  pickDirectory: (start) => call<string | null>('pick_directory', { start }),
  openLink: (url) => call('open_link', { url }),
  readClipboard: (primary = false) => call<string>('read_clipboard', { primary }),
  readClipboardFiles: async () => {
    const paths = await call<string[]>('copied_paths');
    if (paths.length > 0) return { paths, files: [] };
    const image = await call<ArrayBuffer>('read_clipboard_image');
    const files = image.byteLength > 0 ? [new File([image], 'image.png', { type: 'image/png' })] : [];
    return { paths: [], files };
  },
  droppedPaths: () => call<string[]>('dropped_paths'),
  writeClipboard: (text, primary = false) => call('write_clipboard', { text, primary }),
  saveFile: (name, bytes) => {
    const whole = new Uint8Array(bytes.reduce((sum, piece) => sum + piece.length, 0));
    let at = 0;
    for (const piece of bytes) {
      whole.set(piece, at);
      at += piece.length;
    }
    // A header holds no other letters.
    return call<string | null>('save_file', whole, { headers: { 'belfry-name': encodeURIComponent(name) } });
  },
  openDirectory: (path) => call('open_directory', { path }),
  followDesktop: (hear) =>
    void call('follow_desktop', { onEvent: new Channel<DesktopEvent>(hear) }).catch(() => {}),
  raiseWindow: () => call('raise_window'),
  setZoom: (percent) => call('set_zoom', { percent }),
};
