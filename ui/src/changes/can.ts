import type { Changes } from '$lib/client/generated/protocol';
import { say } from '$lib/words';

const words = say.changes;

/** Why the branch cannot be pushed just now, as far as can be told from here. */
export function cannotPush(told: Changes): string | undefined {
  if (!told.remote) return words.noRemote;
  if (told.branch === null) return words.detached;
  return told.upstream !== null && told.unpushed === 0 ? words.nothingToPush : undefined;
}

/** Why it cannot be brought onto its base. */
export function cannotPull(told: Changes): string | undefined {
  if (told.operation) return words.operations[told.operation] ?? words.anOperation(told.operation);
  return told.base === null ? words.noBase : undefined;
}
