import type {
  Between,
  ChangeCounts,
  Changes,
  ChangedFile,
  PullRequest,
  Session,
} from '../../client/generated/protocol';
import { say } from '../../words';

const words = say.changes;

/** There is something to tell. */
export function anything(counts: ChangeCounts | null): counts is ChangeCounts {
  return counts !== null && (counts.files > 0 || counts.ahead > 0 || counts.behind > 0);
}

/** All of it in a line: `4 files +96 −12 · 2 ahead, 1 behind · 1 conflict`. */
export function countsLine(counts: ChangeCounts | null): string {
  if (!anything(counts)) return '';
  const { files, added, removed, ahead, behind, conflicted } = counts;
  const lines = files > 0 ? `${words.files(files)} ${words.added(added)} ${words.removed(removed)}` : '';
  const commits = [ahead > 0 && words.ahead(ahead), behind > 0 && words.behind(behind)].filter(Boolean);
  return [lines, commits.join(', '), conflicted > 0 && words.conflicts(conflicted)]
    .filter(Boolean)
    .join(' · ');
}

/** The same for whoever hears it. */
export function spokenCounts(counts: ChangeCounts): string {
  const { files, added, removed, ahead, behind, conflicted } = counts;
  const parts = [
    files > 0 && `${words.files(files)}, ${words.spokenLines(added, removed)}`,
    ahead > 0 && words.ahead(ahead),
    behind > 0 && words.behind(behind),
    conflicted > 0 && words.conflicts(conflicted),
  ];
  return parts.filter(Boolean).join(', ');
}

/** How a pull request's checks stand, all in one. */
export function checksOf(pull: PullRequest): 'failed' | 'pending' | 'passed' | 'none' {
  if (pull.failed.length > 0) return 'failed';
  if (pull.checks_pending > 0) return 'pending';
  return pull.checks_passed > 0 ? 'passed' : 'none';
}

/** A pull request in a line. */
export function pullLine(pull: PullRequest): string {
  const { pulls } = say;
  const checks = [
    pull.failed.length > 0 && pulls.failed(pull.failed.length),
    pull.checks_pending > 0 && pulls.pending(pull.checks_pending),
    pull.checks_passed > 0 && pulls.passed(pull.checks_passed),
  ].filter(Boolean);
  const parts = [
    `${pulls.heading} ${pulls.numbered(pull.number)}: ${pulls.states[pull.state]}`,
    checks.length > 0 && `${pulls.checks}: ${checks.join(', ')}`,
    pull.review && pulls.reviews[pull.review],
    pull.comments.length > 0 && pulls.comments(pull.comments.length),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** A pull request that is still to be merged. */
export function isOpen(pull: PullRequest | null): pull is PullRequest {
  return pull !== null && (pull.state === 'open' || pull.state === 'draft');
}

/** A file that can be named to the daemon: what is no text is shown and cannot be asked for. */
export function canBeNamed(file: ChangedFile): boolean {
  return !file.path.includes('\u{fffd}');
}

/** Files with something that is not committed. */
export function uncommitted(changes: Changes): ChangedFile[] {
  return changes.files.filter(({ staged }) => staged !== 'committed');
}

/** Why a session's changes cannot be shown. */
export function noChanges(session: Session): string | undefined {
  return session.changes === null ? words.noRepository : undefined;
}

/** A name for two states that lie apart. */
export function betweenName(between: Between, changes: Changes | null): string {
  switch (between.of) {
    case 'commit': {
      const commit = changes?.commits.find(({ id }) => id === between.id);
      return words.oneCommit(commit?.subject ?? between.id.slice(0, 8));
    }
    case 'points': {
      const point = changes?.checkpoints.find(({ id }) => id === between.from);
      return words.sinceCheckpoint(point?.label ?? between.from.slice(0, 8));
    }
    default:
      return words.betweens[between.of];
  }
}

export function sameBetween(one: Between, other: Between): boolean {
  return betweenKey(one) === betweenKey(other);
}

/** A text for two states, such as an option's value. */
export function betweenKey(between: Between): string {
  if (between.of === 'commit') return `commit ${between.id}`;
  if (between.of === 'points') return `points ${between.from} ${between.to ?? ''}`;
  return between.of;
}

export function betweenOf(key: string): Between {
  const [of, first = '', second] = key.split(' ');
  switch (of) {
    case 'commit':
      return { of, id: first };
    case 'points':
      return { of, from: first, to: second || null };
    case 'uncommitted':
    case 'staged':
    case 'unstaged':
      return { of };
    default:
      return { of: 'base' };
  }
}
