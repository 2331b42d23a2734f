import type { Client } from '../client/client';
import type { Layout } from '../layout/tree';
import { Setting } from './setting';

interface Named {
  name: string;
  /** As it was kept: read with care, like everything that comes from a disk. */
  layout: unknown;
}

/** Longest name, and most layouts that are kept. */
const LONGEST = 60;
const MOST = 50;

/** Layouts that were given a name, the same in every window. */
export class NamedLayouts {
  list = $state.raw<readonly Named[]>([]);
  private readonly setting: Setting;
  private loaded = false;

  constructor(client: Client) {
    this.setting = new Setting(client, 'window.layouts');
  }

  async load(): Promise<void> {
    const stored = await this.setting.load().catch(() => undefined);
    if (stored === undefined || this.loaded) return;
    this.loaded = true;
    this.list = readNamed(stored);
  }

  get(name: string): unknown {
    return this.list.find((one) => one.name === name)?.layout;
  }

  /** Takes the place of the one with that name. */
  put(name: string, layout: Layout): void {
    const clean = cleanName(name);
    if (!clean) return;
    this.keep([...this.list.filter((one) => one.name !== clean), { name: clean, layout }]);
  }

  rename(from: string, to: string): void {
    const clean = cleanName(to);
    if (!clean || clean === from) return;
    const others = this.list.filter((one) => one.name !== clean);
    this.keep(others.map((one) => (one.name === from ? { ...one, name: clean } : one)));
  }

  remove(name: string): void {
    this.keep(this.list.filter((one) => one.name !== name));
  }

  /** Back as it was before a removal. */
  restore(list: readonly Named[]): void {
    this.keep(list);
  }

  private keep(list: readonly Named[]): void {
    this.list = [...list].sort((a, b) => a.name.localeCompare(b.name)).slice(0, MOST);
    this.setting.save(this.list);
  }
}

export function cleanName(name: string): string {
  return name.replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST);
}

/** What was kept, as far as it makes sense. */
export function readNamed(stored: unknown): Named[] {
  if (!Array.isArray(stored)) return [];
  const found = new Map<string, Named>();
  for (const one of stored.slice(0, MOST) as unknown[]) {
    if (typeof one !== 'object' || one === null) continue;
    const { name, layout } = one as { name?: unknown; layout?: unknown };
    const clean = typeof name === 'string' ? cleanName(name) : '';
    if (clean && typeof layout === 'object' && layout !== null) found.set(clean, { name: clean, layout });
  }
  return [...found.values()];
}
