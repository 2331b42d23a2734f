import { RequestError } from '../client/connection';

/** An error as a person reads it: what happened, what was kept, what to do. */
export function explain(error: unknown): string {
  if (error instanceof RequestError) return [error.message, error.kept, error.next].filter(Boolean).join(' ');
  return error instanceof Error ? error.message : String(error);
}
