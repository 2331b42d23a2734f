import type {
  Between,
  ChangedFile,
  Changes,
  DiffLine,
  FileDiff,
  Hunk,
  PullDraft,
  PullRequest,
  Request,
  Session,
  Staged,
} from '../../src/lib/client/generated/protocol';

/** What the pretended daemon does for changes and pull requests. */
export interface Reviewed {
  session(id: string): Session;
  change(id: string, part: Partial<Session>): void;
}

type Answer = readonly [kind: string, value?: unknown] | { failed: object };

export const counts = (part: Partial<Changes['counts']> = {}): Changes['counts'] => ({
  files: 0,
  added: 0,
  removed: 0,
  conflicted: 0,
  ahead: 0,
  behind: 0,
  ...part,
});

export const changedFile = (path: string, part: Partial<ChangedFile> = {}): ChangedFile => ({
  path,
  old_path: null,
  kind: 'modified',
  added: 1,
  removed: 1,
  staged: 'none',
  ...part,
});

/** A line as a diff writes it, with words that differ between `«` and `»`. */
export function diffLine(of: string): DiffLine {
  const kind = of[0] === '+' ? 'added' : of[0] === '-' ? 'removed' : 'context';
  const words: [number, number][] = [];
  let text = '';
  for (const char of of.slice(1)) {
    if (char === '«') words.push([text.length, text.length]);
    else if (char === '»') (words.at(-1) ?? [0, 0])[1] = text.length;
    else text += char;
  }
  return { kind, text, words, no_newline: false };
}

export const hunk = (old_start: number, new_start: number, heading: string, ...lines: string[]): Hunk => ({
  old_start,
  new_start,
  heading,
  lines: lines.map(diffLine),
});

export const fileDiff = (file: ChangedFile, hunks: Hunk[], part: Partial<FileDiff> = {}): FileDiff => ({
  file,
  binary: false,
  old_bytes: 4_000,
  new_bytes: 4_200,
  hunks,
  left_out: 0,
  note: null,
  ...part,
});

export const pullRequest = (part: Partial<PullRequest> = {}): PullRequest => ({
  number: 128,
  url: 'https://example.org/shop/pull/128',
  title: 'Rotate refresh tokens',
  state: 'open',
  base: 'main',
  checks_passed: 5,
  checks_pending: 0,
  failed: [],
  review: null,
  comments: [],
  mergeable: true,
  fetched_at: new Date().toISOString(),
  ...part,
});

export class FakeChanges {
  readonly told = new Map<string, Changes>();
  /** Diffs by session, path and, where it matters, what they lie between. */
  readonly diffs = new Map<string, FileDiff>();
  readonly drafts = new Map<string, PullDraft>();
  suggestion = 'Rotate refresh tokens\n\nRevoke the old family on reuse.';
  /** Refusals by what is asked for. */
  readonly failures = new Map<string, { code: string; message: string }>();
  private serial = 0;

  constructor(private readonly daemon: Reviewed) {}

  /** Says what a session changed; its counts follow from its files. */
  tell(id: string, part: Partial<Changes> & { files: ChangedFile[] }): Changes {
    const sum = (of: (file: ChangedFile) => number | null) =>
      part.files.reduce((all, file) => all + (of(file) ?? 0), 0);
    const told: Changes = {
      branch: 'auth/refresh',
      base: 'origin/main',
      upstream: null,
      unpushed: null,
      remote: 'git@example.org:shop.git',
      more: false,
      commits: [],
      checkpoints: [],
      operation: null,
      ...part,
      counts: counts({
        files: part.files.length,
        added: sum(({ added }) => added),
        removed: sum(({ removed }) => removed),
        conflicted: part.files.filter(({ kind }) => kind === 'conflicted').length,
        ahead: part.commits?.length ?? 0,
        ...part.counts,
      }),
    };
    this.told.set(id, told);
    this.daemon.change(id, { changes: told.counts });
    return told;
  }

  diff(id: string, diff: FileDiff, of?: Between['of']): void {
    this.diffs.set([id, diff.file.path, of ?? ''].join(' '), diff);
  }

  reply(request: Request): Answer | undefined {
    if (request.method === 'changes') return this.refused(request.params.do) ?? this.changes(request.params);
    if (request.method === 'pull_request')
      return this.refused(request.params.do) ?? this.pulls(request.params);
    return undefined;
  }

  private refused(what: string): Answer | undefined {
    const failed = this.failures.get(what);
    return failed && { failed };
  }

  private changes(params: Extract<Request, { method: 'changes' }>['params']): Answer {
    const id = params.session;
    const told = this.told.get(id);
    if (!told) return { failed: { code: 'git', message: 'it is in no repository' } };
    const now = (part: Partial<Changes>): Answer => [
      'changes',
      this.tell(id, { ...told, ...part, counts: { ...told.counts, ...part.counts } }),
    ];
    const files = (paths: readonly string[], staged: Staged) =>
      told.files.map((file) => (paths.includes(file.path) ? { ...file, staged } : file));
    const checkpoint = (label: string) => {
      this.serial += 1;
      return [{ id: `point-${this.serial}`, label, at: new Date().toISOString() }, ...told.checkpoints];
    };
    switch (params.do) {
      case 'show':
        return ['changes', told];
      case 'files':
        return ['changed_files', this.between(told, params.between)];
      case 'diff': {
        const { path, between } = params;
        const found =
          this.diffs.get([id, path, between.of].join(' ')) ?? this.diffs.get([id, path, ''].join(' '));
        const file = told.files.find((one) => one.path === path) ?? changedFile(path);
        return ['diff', found ? { ...found, file } : fileDiff(file, [])];
      }
      case 'stage':
        return now({ files: files(params.paths, params.hunk === null ? 'all' : 'part') });
      case 'unstage':
        return now({ files: files(params.paths, params.hunk === null ? 'none' : 'part') });
      case 'discard': {
        const left = told.files.filter(({ path }) => !params.paths.includes(path));
        return now({ files: left, checkpoints: checkpoint('Before discarding'), counts: counted(left) });
      }
      case 'commit': {
        const commit = {
          id: `c${(this.serial += 1)}`.padEnd(40, '0'),
          subject: params.message.split('\n')[0] ?? '',
          author: 'Dev',
          at: new Date().toISOString(),
          pushed: false,
        };
        const committed = told.files.map((file) =>
          params.all || file.staged !== 'none' ? { ...file, staged: 'committed' as const } : file,
        );
        return now({ files: committed, commits: [commit, ...told.commits] });
      }
      case 'suggest_message':
        return ['text', this.suggestion];
      case 'push':
        return now({ upstream: `origin/${told.branch}`, unpushed: 0 });
      case 'abort':
        return now({ operation: null, files: [], counts: counts() });
      case 'make_checkpoint':
        return now({ checkpoints: checkpoint(params.label) });
      case 'go_to':
        return now({ checkpoints: checkpoint('Before going back') });
      default:
        return now({});
    }
  }

  private between({ files }: Changes, { of }: Between): ChangedFile[] {
    const wanted = (staged: Staged) =>
      of === 'staged'
        ? staged === 'all' || staged === 'part'
        : of === 'unstaged'
          ? staged === 'none' || staged === 'part'
          : of === 'uncommitted'
            ? staged !== 'committed'
            : true;
    return files.filter(({ staged }) => wanted(staged));
  }

  private pulls(params: Extract<Request, { method: 'pull_request' }>['params']): Answer {
    const id = params.session;
    const pull = this.daemon.session(id).pull_request;
    const now = (next: PullRequest): Answer => {
      this.daemon.change(id, { pull_request: next });
      return ['pull_request', next];
    };
    switch (params.do) {
      case 'draft':
        return ['pull_draft', this.drafts.get(id) ?? draftOf()];
      case 'create': {
        const { title, draft, base } = params;
        return now(
          pullRequest({ title, base: base ?? 'main', state: draft ? 'draft' : 'open', checks_passed: 0 }),
        );
      }
      case 'refresh':
        return now({ ...(pull ?? pullRequest()), fetched_at: new Date().toISOString() });
      case 'merge':
        return now({ ...(pull ?? pullRequest()), state: 'merged' });
      case 'send_findings':
        return ['message', { id: 'm', session: id, delivery: 'queued', why: null }];
    }
  }
}

const counted = (files: readonly ChangedFile[]) =>
  counts({
    files: files.length,
    added: files.reduce((sum, { added }) => sum + (added ?? 0), 0),
    removed: files.reduce((sum, { removed }) => sum + (removed ?? 0), 0),
  });

export const draftOf = (part: Partial<PullDraft> = {}): PullDraft => ({
  title: 'Rotate refresh tokens and revoke the old family',
  body: '## What\n\nA token that was used before revokes **all** of its family.\n\n- store\n- handler',
  base: 'main',
  head: 'auth/refresh',
  by: 'gh',
  compare: 'https://example.org/shop/compare/main...auth/refresh',
  problem: null,
  uncommitted: 0,
  ...part,
});
