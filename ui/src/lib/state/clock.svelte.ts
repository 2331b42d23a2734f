/** Now, as labels like "3m" need it: moves once a minute, and only while somebody can see the window. */
class Clock {
  now = $state(Date.now());
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    document.addEventListener('visibilitychange', () => this.tick());
    this.tick();
  }

  private tick(): void {
    clearTimeout(this.timer);
    if (document.hidden) return;
    this.now = Date.now();
    this.timer = setTimeout(() => this.tick(), 60_000);
  }
}

export const clock = new Clock();
