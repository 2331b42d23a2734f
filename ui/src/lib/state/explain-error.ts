import { RequestError } from '../client/connection';

/** An error as a person reads it, in whole sentences: what happened, what was kept, what to do. */
export function explain(error: unknown): string {
  if (!(error instanceof RequestError)) return error instanceof Error ? error.message : String(error);
  return [error.message, error.kept, error.next].map(sentence).filter(Boolean).join(' ');
}

/** Written as a sentence, whether it came as one or as a part of one. */
export function sentence(text: string | undefined): string {
  const trimmed = text?.trim();
  if (!trimmed) return '';
  const whole = /[.!?…:]$/.test(trimmed) ? trimmed : `${trimmed}.`;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}
