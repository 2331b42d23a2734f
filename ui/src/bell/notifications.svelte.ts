import type { Client } from '$lib/client/client';
import type { Event, Notification } from '$lib/client/generated/protocol';

/** The daemon keeps as many. */
const MOST = 200;

/** What called the person lately, newest first. */
export class Notifications {
  list = $state.raw<readonly Notification[]>([]);
  readonly unread = $derived(this.list.filter((one) => !one.read).length);

  constructor(private readonly client: Client) {
    client.listen({
      onState: (state) => state.kind === 'connected' && void this.load(),
      onEvent: (event) => this.take(event),
    });
    if (client.connected) void this.load();
  }

  private async load(): Promise<void> {
    const list = await this.client
      .request('notifications', { method: 'list_notifications' })
      .catch(() => null);
    if (list) this.list = list.toReversed();
  }

  take(event: Event): void {
    switch (event.event) {
      case 'notification': {
        const { notification } = event;
        // One of no session is a trial, which is not kept.
        if (!notification.session || this.list.some(({ id }) => id === notification.id)) return;
        this.list = [notification, ...this.list].slice(0, MOST);
        break;
      }
      case 'notification_gone':
        this.change(({ id }) => id === event.id, { read: true, over: true });
        break;
      case 'notifications_read':
        this.change(({ id }) => id <= event.up_to, { read: true });
        break;
      default:
    }
  }

  /** Everything that is in the list now has been seen. */
  markRead(): void {
    const [newest] = this.list;
    if (!newest || this.unread === 0) return;
    const params = { up_to: newest.id };
    this.client.request('done', { method: 'mark_notifications_read', params }).catch(() => {});
  }

  private change(which: (one: Notification) => boolean, part: Partial<Notification>): void {
    this.list = this.list.map((one) => (which(one) ? { ...one, ...part } : one));
  }
}
