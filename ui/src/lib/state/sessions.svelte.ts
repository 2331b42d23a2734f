import { SvelteMap } from 'svelte/reactivity';
import type { Overview } from '../client/client';
import type { Event, Group, Project, Session } from '../client/generated/protocol';
import { shownStatus, type Shown } from './describe';

/** What the daemon knows of sessions, projects and groups, kept up to date by its events. */
export class Sessions {
  readonly all = new SvelteMap<string, Session>();
  /** Those that Belfry did not start, and has not adopted. */
  readonly elsewhere = new SvelteMap<string, Session>();
  readonly projects = new SvelteMap<string, Project>();
  readonly groups = new SvelteMap<string, Group>();
  home = $state('');
  /** An overview has come in. */
  loaded = $state(false);

  /** When an activity was first seen here, where the daemon does not say when it began. */
  private readonly activities = new Map<string, number>();

  /** Those that the list shows by themselves. */
  readonly listed = $derived(
    [...this.all.values()].filter((s) => !s.trashed_at && !s.archived_at && !s.unspoken && !s.runs_for),
  );
  /** Those that were made ahead, were taken, and were not spoken to: nobody is told of them. */
  readonly unspoken = $derived([...this.all.values()].filter((s) => s.unspoken && !s.trashed_at));
  readonly counts = $derived.by(() => {
    const counts: Partial<Record<Shown, number>> = {};
    for (const session of this.listed) {
      const shown = shownStatus(session);
      counts[shown] = (counts[shown] ?? 0) + 1;
    }
    return counts;
  });

  /** When what a session does now began; else when its status did. */
  began(session: Session): string | number {
    return session.activity_since ?? this.activities.get(session.id) ?? session.since;
  }

  get(id: string | null): Session | undefined {
    return id === null ? undefined : this.all.get(id);
  }

  /** Whether the list shows it. */
  has(id: string): boolean {
    const session = this.all.get(id);
    return session !== undefined && !session.trashed_at;
  }

  reset(overview: Overview): void {
    replace(this.all, overview.sessions.filter(ours));
    replace(
      this.elsewhere,
      overview.sessions.filter((session) => !ours(session)),
    );
    replace(this.projects, overview.projects);
    replace(this.groups, overview.groups);
    this.loaded = true;
  }

  apply(event: Event): void {
    switch (event.event) {
      case 'session':
        if (!ours(event.session)) {
          this.elsewhere.set(event.session.id, event.session);
          break;
        }
        this.watch(event.session);
        this.all.set(event.session.id, event.session);
        break;
      case 'session_removed':
        this.all.delete(event.id);
        this.elsewhere.delete(event.id);
        this.activities.delete(event.id);
        break;
      case 'project':
        this.projects.set(event.project.id, event.project);
        break;
      case 'project_removed':
        this.projects.delete(event.id);
        break;
      case 'group':
        this.groups.set(event.group.id, event.group);
        break;
      case 'group_removed':
        this.groups.delete(event.id);
        break;
      default:
    }
  }

  private watch(session: Session): void {
    const before = this.all.get(session.id);
    if (before?.since !== session.since) this.activities.delete(session.id);
    else if (before.activity !== session.activity) this.activities.set(session.id, Date.now());
  }
}

/** Of the list; others are only found on the machine. */
function ours(session: Session): boolean {
  return session.kind !== 'local';
}

function replace<T extends { id: string }>(map: SvelteMap<string, T>, values: readonly T[]): void {
  const kept = new Set(values.map(({ id }) => id));
  for (const id of [...map.keys()]) if (!kept.has(id)) map.delete(id);
  for (const value of values) map.set(value.id, value);
}
