import type { Client } from '../client/client';

/** Milliseconds of quiet after which a change is kept. */
const SETTLE = 300;

/** One of the window's settings, kept by the daemon: every window and every restart finds it again. */
export class Setting {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pending: { value: unknown } | undefined;

  constructor(
    private readonly client: Client,
    readonly name: string,
  ) {
    client.listen({ onState: (state) => state.kind === 'connected' && this.flush() });
    window.addEventListener('pagehide', () => this.flush());
  }

  /** Null where there is none. Rejects where the daemon could not be asked: that is not the same. */
  load(): Promise<unknown> {
    return this.client.request('setting', { method: 'get_setting', params: { name: this.name } });
  }

  save(value: unknown): void {
    this.pending = { value };
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), SETTLE);
  }

  private flush(): void {
    clearTimeout(this.timer);
    const { pending } = this;
    if (!pending || !this.client.connected) return;
    this.pending = undefined;
    this.client
      .request('done', { method: 'put_setting', params: { name: this.name, value: pending.value } })
      .catch(() => {
        this.pending ??= pending;
      });
  }
}
