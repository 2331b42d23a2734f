import { SvelteSet } from 'svelte/reactivity';
import type { Client } from '../client/client';
import type { Session } from '../client/generated/protocol';
import { heldOrder } from './attention';
import type { Belfry } from './belfry.svelte';
import { agentName, type Shown } from './describe';
import { filter } from './filter';
import { Setting } from './setting';
import { flatRows, sessionKey, treeRows, type Row } from './tree';

/** The list at the left: which rows it has, and how the person wants to see them. */
export class SessionList {
  /** What is looked for. */
  text = $state('');
  /** Only sessions with one of these statuses; none means all. */
  readonly statuses = new SvelteSet<Shown>();
  /** Sorted by attention, without projects. */
  flat = $state(false);
  /** The row that is in the tab order. */
  active = $state<string | null>(null);
  private readonly folds = new SvelteSet<string>();
  /** The order that is kept while the pointer is on the list. */
  private held = $state.raw<readonly string[] | null>(null);
  private readonly setting: Setting;
  private loaded = false;

  readonly fits = $derived.by(() => filter(this.text, this.statuses, this.names()));
  readonly rows: readonly Row[] = $derived.by(() => {
    const { sessions } = this.belfry;
    const known = {
      sessions: [...sessions.all.values()].filter(({ unspoken }) => !unspoken),
      projects: sessions.projects.values(),
      groups: sessions.groups.values(),
      home: sessions.home,
      folds: this.folds,
      fits: this.fits,
    };
    return this.flat ? flatRows(known, heldOrder(sessions.listed, this.held)) : treeRows(known);
  });
  readonly places = $derived(new Map(this.rows.map((row, at) => [row.key, at])));
  /** The sessions that show, in their order. */
  readonly order = $derived(this.rows.flatMap((row) => (row.kind === 'session' ? row.session.id : [])));
  /** How many sessions a filter lets through. */
  readonly found = $derived.by(() => {
    const { listed } = this.belfry.sessions;
    return this.fits ? listed.filter(this.fits).length : listed.length;
  });

  constructor(
    private readonly belfry: Pick<Belfry, 'sessions' | 'agents'>,
    client: Client,
  ) {
    this.setting = new Setting(client, 'window.main.list');
  }

  get filtered(): boolean {
    return this.fits !== undefined;
  }

  async load(): Promise<void> {
    if (this.loaded) return;
    const value = await this.setting.load().catch(() => undefined);
    if (value === undefined || this.loaded) return;
    this.loaded = true;
    const stored = (value ?? {}) as { flat?: unknown; folds?: unknown };
    this.flat ||= stored.flat === true;
    if (!Array.isArray(stored.folds)) return;
    for (const key of stored.folds) if (typeof key === 'string') this.folds.add(key);
  }

  row(key: string | null): Row | undefined {
    const at = key === null ? undefined : this.places.get(key);
    return at === undefined ? undefined : this.rows[at];
  }

  /** Folds a row, or unfolds it. */
  fold(key: string): void {
    if (!this.folds.delete(key)) this.folds.add(key);
    this.keep();
  }

  /** Unfolds all that a session lies under, and takes a filter away that hides it. */
  unfoldTo(session: Session): void {
    if (this.row(sessionKey(session.id))) return;
    if (this.fits && !this.fits(session)) this.clearFilter();
    if (session.project) this.unfold(session.project, session.group);
    else this.folds.delete(`d:${session.cwd}`);
  }

  /** Unfolds a project, and a group in it with all around it. */
  unfold(project: string, group: string | null): void {
    const { groups } = this.belfry.sessions;
    this.folds.delete(`p:${project}`);
    const seen = new Set<string>();
    for (let one = groups.get(group ?? ''); one && !seen.has(one.id); one = groups.get(one.parent ?? '')) {
      seen.add(one.id);
      this.folds.delete(`g:${one.id}`);
    }
    this.keep();
  }

  setFlat(flat: boolean): void {
    this.flat = flat;
    this.keep();
  }

  toggleStatus(status: Shown): void {
    if (!this.statuses.delete(status)) this.statuses.add(status);
  }

  clearFilter(): void {
    this.text = '';
    this.statuses.clear();
  }

  /** While the pointer is on a list that sorts itself, nothing in it moves. */
  hold(hold: boolean): void {
    this.held = hold && this.flat ? this.order.slice() : null;
  }

  private names() {
    const { sessions, agents } = this.belfry;
    return {
      agent: (session: Session) => agentName(session.agent, agents),
      project: (session: Session) => sessions.projects.get(session.project ?? '')?.name ?? '',
      group: (session: Session) => sessions.groups.get(session.group ?? '')?.name ?? '',
    };
  }

  private keep(): void {
    if (!this.loaded) return;
    // On a disk nothing names the directory of a session that is private.
    const named = (key: string) =>
      !key.startsWith('d:') ||
      this.belfry.sessions.listed.some((one) => !one.private && key === `d:${one.cwd}`);
    this.setting.save({ flat: this.flat, folds: [...this.folds].filter(named) });
  }
}
