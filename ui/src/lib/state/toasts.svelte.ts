export interface Toast {
  id: number;
  text: string;
  bad: boolean;
  action: { label: string; run: () => void } | undefined;
}

/** Milliseconds that a toast stays; longer where it can be acted on. */
const STAYS = { plain: 4_000, withAction: 8_000, bad: 8_000 };
/** Milliseconds that one stays at least once nobody holds it any more. */
const AFTER = 2_500;
/** Toasts shown at a time: more of them take the room of what they tell about. */
const MOST = 3;

interface Clock {
  /** What is left of its time, while it is held. */
  left: number;
  ends: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Short notices that go away by themselves. */
export class Toasts {
  /** The newest first. */
  list = $state.raw<readonly Toast[]>([]);
  private next = 1;
  private readonly clocks = new Map<number, Clock>();
  /** Who keeps them from going: the pointer, the keyboard, a window that nobody sees. */
  private readonly holders = new Set<string>();

  show(text: string, action?: Toast['action']): void {
    this.add({ id: this.next++, text, bad: false, action }, action ? STAYS.withAction : STAYS.plain);
  }

  fail(text: string): void {
    this.add({ id: this.next++, text, bad: true, action: undefined }, STAYS.bad);
  }

  dismiss(id: number): void {
    clearTimeout(this.clocks.get(id)?.timer);
    this.clocks.delete(id);
    this.list = this.list.filter((toast) => toast.id !== id);
  }

  /** None of them goes while somebody holds them: one that goes moves the others under the pointer. */
  hold(holder: string): void {
    if (this.holders.size === 0) {
      for (const clock of this.clocks.values()) {
        clearTimeout(clock.timer);
        clock.left = Math.max(0, clock.ends - Date.now());
      }
    }
    this.holders.add(holder);
  }

  release(holder: string): void {
    if (!this.holders.delete(holder) || this.holders.size > 0) return;
    for (const [id, clock] of this.clocks) this.run(id, Math.max(AFTER, clock.left));
  }

  private add(toast: Toast, stays: number): void {
    // The same said twice is said once.
    const same = this.list.find((one) => one.text === toast.text && !one.action);
    if (same && !toast.action) this.dismiss(same.id);
    while (this.list.length >= MOST) this.dismiss(this.leastOf(this.list));
    this.list = [toast, ...this.list];
    if (this.holders.size > 0) this.clocks.set(toast.id, { left: stays, ends: 0, timer: undefined });
    else this.run(toast.id, stays);
  }

  /** The one that is missed least: the oldest that nothing can be done about and that tells of no failure. */
  private leastOf(list: readonly Toast[]): number {
    const plain = list.findLast((one) => !one.bad && !one.action);
    return (plain ?? list.at(-1))?.id ?? 0;
  }

  private run(id: number, stays: number): void {
    clearTimeout(this.clocks.get(id)?.timer);
    const timer = setTimeout(() => this.dismiss(id), stays);
    this.clocks.set(id, { left: stays, ends: Date.now() + stays, timer });
  }
}
