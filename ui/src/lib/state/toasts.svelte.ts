export interface Toast {
  id: number;
  text: string;
  bad: boolean;
  action: { label: string; run: () => void } | undefined;
}

/** Milliseconds that a toast stays; longer where it can be acted on. */
const STAYS = { plain: 4_000, withAction: 8_000, bad: 8_000 };
/** Toasts shown at a time. */
const MOST = 4;

/** Short notices that go away by themselves. */
export class Toasts {
  list = $state.raw<readonly Toast[]>([]);
  private next = 1;
  private readonly timers = new Map<number, ReturnType<typeof setTimeout>>();

  show(text: string, action?: Toast['action']): void {
    this.add({ id: this.next++, text, bad: false, action }, action ? STAYS.withAction : STAYS.plain);
  }

  fail(text: string): void {
    this.add({ id: this.next++, text, bad: true, action: undefined }, STAYS.bad);
  }

  dismiss(id: number): void {
    clearTimeout(this.timers.get(id));
    this.timers.delete(id);
    this.list = this.list.filter((toast) => toast.id !== id);
  }

  /** Stays while the pointer or the keyboard is on it. */
  hold(id: number): void {
    clearTimeout(this.timers.get(id));
  }

  release(id: number): void {
    if (this.list.some((toast) => toast.id === id)) this.expire(id, STAYS.plain);
  }

  private add(toast: Toast, stays: number): void {
    // The same said twice is said once.
    const same = this.list.find((one) => one.text === toast.text && !one.action);
    if (same && !toast.action) this.dismiss(same.id);
    for (const old of this.list.slice(0, Math.max(0, this.list.length - MOST + 1))) this.dismiss(old.id);
    this.list = [...this.list, toast];
    this.expire(toast.id, stays);
  }

  private expire(id: number, stays: number): void {
    clearTimeout(this.timers.get(id));
    this.timers.set(
      id,
      setTimeout(() => this.dismiss(id), stays),
    );
  }
}
