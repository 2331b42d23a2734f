/** What the person has set of the window's keys: by command, its combinations; none of them leaves it without a key. */
class ChangedKeys {
  /** A key press is being recorded for a command: none is the window's meanwhile. */
  recording = false;
  private map = $state.raw<Readonly<Record<string, readonly string[]>>>({});

  get(id: string): readonly string[] | undefined {
    return Object.hasOwn(this.map, id) ? this.map[id] : undefined;
  }

  get all(): Readonly<Record<string, readonly string[]>> {
    return this.map;
  }

  set(map: Readonly<Record<string, readonly string[] | undefined>>): void {
    this.map = Object.fromEntries(Object.entries(map).filter(([, keys]) => keys !== undefined)) as Record<
      string,
      readonly string[]
    >;
  }
}

/** One for the page: labels everywhere are made from it. */
export const changedKeys = new ChangedKeys();
