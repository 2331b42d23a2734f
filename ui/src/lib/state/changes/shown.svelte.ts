import type { Between, ChangedFile, Changes, FileDiff } from '../../client/generated/protocol';
import type { Belfry } from '../belfry.svelte';
import { explain } from '../explain-error';
import type { Comments } from './comments.svelte';
import { sameBetween } from './told';

/** Lines around each change where more of them are asked for, and what stands for all. */
const STEP = 20;
export const WHOLE = 1_000_000;

/** Which diff somebody looks at, in one place of the window, and its lines. */
export class ShownDiff {
  between = $state.raw<Between>({ of: 'base' });
  /** Files that differ between the two; none while they are not known. */
  files = $state.raw<readonly ChangedFile[] | null>(null);
  path = $state<string | null>(null);
  diff = $state.raw<FileDiff | null>(null);
  problem = $state<string | null>(null);
  /** Lines around each change; none: as many as usual. */
  context = $state<number | null>(null);
  /** Also what is left out of long ones. */
  whole = $state(false);
  /** That it is there: what is left out now is too much. */
  isWhole = $state(false);
  loading = $state(false);
  private round = 0;
  private listRound = 0;

  constructor(
    private readonly belfry: Pick<Belfry, 'client'>,
    private readonly session: string,
    private readonly comments: Comments,
  ) {}

  get file(): ChangedFile | undefined {
    return this.files?.find(({ path }) => path === this.path);
  }

  /** Shows a file between two states; the first one where none is named. */
  async show(path: string | null, between: Between = this.between): Promise<void> {
    const other = !sameBetween(between, this.between);
    if (other) {
      this.between = between;
      this.files = null;
    }
    if (other || path !== this.path) {
      this.path = path;
      [this.diff, this.problem, this.context, this.whole] = [null, null, null, false];
      this.isWhole = false;
    }
    if (other) await this.list(null);
    else await this.load();
  }

  /** Takes what is known of the files, or asks for it where the base is not meant; then the lines anew. */
  async list(told: Changes | null): Promise<void> {
    const round = ++this.listRound;
    let files: readonly ChangedFile[] | null = null;
    if (this.between.of === 'base' && told) files = told.files;
    else
      try {
        files = await this.belfry.client.request('changed_files', {
          method: 'changes',
          params: { do: 'files', session: this.session, between: this.between },
        });
      } catch (error) {
        if (round === this.listRound) this.problem = explain(error);
      }
    if (round !== this.listRound || !files) return;
    this.files = files;
    if (this.path !== null && !files.some(({ path }) => path === this.path)) {
      // What was looked at has gone: nothing is different in it any more.
      this.path = null;
      this.diff = null;
    }
    this.path ??= files[0]?.path ?? null;
    await this.load();
  }

  /** To the file before or after the one that is shown. */
  step(by: 1 | -1, order: readonly string[]): void {
    const at = order.indexOf(this.path ?? '');
    const next = order[at < 0 ? 0 : at + by];
    if (next !== undefined && next !== this.path) void this.show(next);
  }

  around(context: number | null): void {
    this.context = context;
    void this.load();
  }

  moreAround(): void {
    this.around((this.context ?? 3) + STEP);
  }

  showAll(): void {
    this.whole = true;
    void this.load();
  }

  async load(): Promise<void> {
    const { path, between, context, whole } = this;
    const round = ++this.round;
    if (path === null) return;
    this.loading = this.diff === null;
    try {
      const diff = await this.belfry.client.request('diff', {
        method: 'changes',
        params: { do: 'diff', session: this.session, path, between, context, whole },
      });
      if (round !== this.round) return;
      // The same lines stay the same objects: nothing is drawn or coloured anew.
      if (JSON.stringify(diff) !== JSON.stringify(this.diff)) this.diff = diff;
      this.isWhole = whole;
      this.problem = null;
      if (between.of !== 'commit') this.comments.follow(diff);
    } catch (error) {
      if (round !== this.round) return;
      this.problem = explain(error);
      this.diff = null;
    } finally {
      if (round === this.round) this.loading = false;
    }
  }
}
