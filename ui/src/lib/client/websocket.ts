import type { Link, LinkHandlers, Surroundings, Transport } from './transport';
import { TransportError } from './transport';
import { say } from '../words';

/** A plain browser against `belfry serve`: the socket's bytes in binary messages. */
export class WebSocketTransport implements Transport {
  readonly client = 'browser';

  constructor(private readonly url: string) {}

  connect(handlers: LinkHandlers): Promise<Link> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(this.url);
      socket.binaryType = 'arraybuffer';
      let open = false;
      let closed = false;
      socket.onopen = () => {
        open = true;
        resolve({
          send: (bytes) => socket.send(bytes as Uint8Array<ArrayBuffer>),
          close: () => {
            closed = true;
            socket.close();
          },
        });
      };
      socket.onmessage = (message: MessageEvent<ArrayBuffer>) =>
        handlers.onBytes(new Uint8Array(message.data));
      socket.onclose = (event) => {
        if (closed) return;
        closed = true;
        const why = event.reason || say.connection.theConnectionToTheDaemonEnded;
        if (open) handlers.onLost(why);
        else void refusal().then((told) => reject(told ?? new TransportError(why)));
      };
    });
  }
}

/** A browser does not tell why a socket was refused; the page itself is refused for the same reasons. */
async function refusal(): Promise<TransportError | null> {
  try {
    const { status } = await fetch('./', { method: 'HEAD', cache: 'no-store' });
    if (status !== 401 && status !== 403) return null;
    return new TransportError(say.connection.thisPageNeedsAFreshLink, true);
  } catch {
    return null;
  }
}

/** What a plain browser offers. Reading the clipboard is left to its own paste event, which needs no permission. */
export const browserSurroundings: Surroundings = {
  openLink: async (url) => {
    window.open(url, '_blank', 'noopener,noreferrer');
  },
  writeClipboard: (text) => navigator.clipboard.writeText(text),
  saveFile: async (name, bytes) => {
    const url = URL.createObjectURL(new Blob(bytes as Uint8Array<ArrayBuffer>[]));
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    // The browser reads it once more after the click.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    return name;
  },
};

/** Where `belfry serve` takes the socket, for the page that it served. Its cookie says who comes. */
export function serveUrl(page: Location): string {
  return `${page.protocol === 'https:' ? 'wss:' : 'ws:'}//${page.host}/socket`;
}
