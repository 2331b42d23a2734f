import type { Session } from '../client/generated/protocol';

/** Whether its program was put to sleep: it has ended, and its conversation goes on when the session is woken. */
export function hibernated({ status, reason, pid }: Pick<Session, 'status' | 'reason' | 'pid'>): boolean {
  return status === 'idle' && pid === null && reason === 'hibernated';
}

/** Whether its program runs. */
export function isAlive(session: Pick<Session, 'status' | 'reason' | 'pid'>): boolean {
  return session.status !== 'dead' && !hibernated(session);
}
