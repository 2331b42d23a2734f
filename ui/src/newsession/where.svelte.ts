import type { Branches, NewSession, Scripts, WorkspaceKind } from '$lib/client/generated/protocol';
import type { Belfry } from '$lib/state/belfry.svelte';
import { projectAround } from '$lib/state/kinds';
import type { Draft } from '$lib/state/dialogs.svelte';
import { say } from '$lib/words';
import { branchFor, isBranchName, localName, meant, remoteOf, unused } from './branch';

const words = say.where;

/** Where a new session will work: in the directory as it is, or in one that is made for it. */
export class Where {
  /** What the person chose, once they did. */
  chosen = $state<WorkspaceKind | null>(null);
  branch = $state('');
  base = $state('');
  /** The number of a pull request. */
  pull = $state('');
  /** Scripts that are not trusted do not run, and nobody is asked about them. */
  without = $state(false);
  known = $state.raw<Branches | null>(null);
  scripts = $state.raw<Scripts | null>(null);
  /** It is not known yet what can be had in the directory. */
  looking = $state(false);
  private directory = $state('');
  private round = 0;

  constructor(
    private readonly belfry: Belfry,
    private readonly prompt: () => string,
  ) {}

  /** What it begins with: as the project says, else as it was last here, else as the settings say. */
  private readonly usual = $derived.by((): WorkspaceKind => {
    const { kinds, settings } = this.belfry;
    return (
      this.project?.defaults.workspace ??
      kinds.of(this.key) ??
      settings.values?.workspaces.kind ??
      'directory'
    );
  });
  readonly kind = $derived.by((): WorkspaceKind => {
    const wanted = this.chosen ?? this.usual;
    return this.unavailable(wanted) ? 'directory' : wanted;
  });
  /** It has a branch of its own. */
  readonly branched = $derived(this.kind === 'worktree' || this.kind === 'clone');
  /** The name that its branch gets where none is given. */
  readonly named = $derived.by(() => unused(branchFor(this.prompt()), this.known?.names ?? []));
  readonly existing = $derived.by(() => {
    const name = this.branch.trim();
    const names = this.known?.names ?? [];
    const here = names.find((one) => one === name);
    return here ?? names.find((one) => localName(one, names) === name) ?? null;
  });
  readonly branchError = $derived.by(() => {
    const name = this.branch.trim();
    if (!name || this.pull.trim()) return undefined;
    if (!isBranchName(name)) return words.badName;
    return this.kind === 'worktree' && this.known?.taken.includes(name) ? words.taken : undefined;
  });
  readonly branchHint = $derived.by(() => {
    const remote = this.existing && remoteOf(this.existing, this.known?.names ?? []);
    if (!this.existing || this.pull.trim()) return undefined;
    return remote ? words.existingOf(remote) : words.existing;
  });
  readonly baseUnknown = $derived.by(() => {
    const typed = this.base.trim();
    const { names = [] } = this.known ?? {};
    // A commit can be one too.
    return typed !== '' && names.length > 0 && !names.includes(typed) && !/^[0-9a-f]{7,64}$/.test(typed);
  });
  readonly baseMeant = $derived(
    this.baseUnknown ? meant(this.base.trim(), this.known?.names ?? []) : undefined,
  );
  readonly pullError = $derived(/^#?\d*$/.test(this.pull.trim()) ? undefined : words.notANumber);
  /** The repository brings scripts that wait for the person. */
  readonly untrusted = $derived.by(() => {
    const { scripts } = this;
    if (!scripts || scripts.trusted || this.kind === 'directory' || this.kind === 'scratch') return false;
    const { setup, teardown, run } = scripts.rules;
    return scripts.error !== null || Boolean(setup || teardown || run.length > 0);
  });

  /** Why a kind cannot be had in the directory; nothing where it can, or nobody knows yet. */
  unavailable(kind: WorkspaceKind): string | undefined {
    const { known } = this;
    if (!known || kind === 'directory' || kind === 'scratch') return undefined;
    if (known.refused) return known.refused;
    if (known.repository === null) return words.noRepository;
    return kind === 'clone' && known.remote === null ? words.noRemote : undefined;
  }

  /** What is worth knowing of the kind that is chosen, beside it. */
  readonly hint = $derived.by(() => {
    const { known } = this;
    if (this.kind === 'directory') return words.together;
    if (this.kind === 'scratch') return words.empty;
    if (this.looking) return '';
    const parts = [
      known?.warm && words.readyAtOnce,
      known && known.changed > 0 && words.changedStay(known.changed),
    ].filter(Boolean);
    return parts.join(' · ');
  });

  private get project() {
    const { projects } = this.belfry.sessions;
    return projectAround(this.directory, projects.values());
  }

  /** What it is remembered by. */
  private get key(): string {
    return this.project?.path ?? this.directory;
  }

  /** Asks what can be had in a directory. */
  async look(cwd: string): Promise<void> {
    const directory = cwd.trim().replace(/^~(?=\/|$)/, this.belfry.sessions.home);
    if (!directory || directory === this.directory) return;
    this.directory = directory;
    const mine = ++this.round;
    this.looking = true;
    const { workspaces } = this.belfry;
    const known = await workspaces.branches(directory).catch(() => null);
    if (mine !== this.round) return;
    this.known = known;
    this.looking = false;
    this.scripts = null;
    await this.readScripts();
  }

  async readScripts(): Promise<void> {
    const { round: mine, directory } = this;
    if (!this.known?.repository) return;
    const scripts = await this.belfry.workspaces.scripts(directory).catch(() => null);
    if (mine === this.round) this.scripts = scripts;
  }

  /** Its part of what is asked for; nothing where something is wrong with it. */
  read(): (Partial<NewSession> & { workspace: WorkspaceKind; warm: boolean }) | null {
    if (!this.branched) return { workspace: this.kind, warm: false };
    const pull = this.pull.trim().replace('#', '');
    if (this.branchError || this.pullError) return null;
    if (pull) return { workspace: this.kind, warm: false, pull_request: Number(pull) };
    const branch = this.branch.trim() || this.named;
    const base = this.existing ? '' : this.base.trim();
    return {
      workspace: this.kind,
      warm: !this.existing,
      ...(branch && { branch }),
      ...(base && { base }),
    };
  }

  /** It was used. */
  started(): void {
    this.belfry.kinds.remember(this.key, this.kind);
  }

  get draft(): Draft['where'] {
    const { chosen, branch, base, pull } = this;
    return { chosen, branch, base, pull };
  }

  takeUp(draft: Draft['where']): void {
    Object.assign(this, draft);
  }
}
