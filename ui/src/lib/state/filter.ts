import type { Session } from '../client/generated/protocol';
import { askAbout, askKind } from './ask-words';
import { shownStatus, type Shown } from './describe';

/** What else than its own words a session is found by. */
export interface Names {
  agent(session: Session): string;
  project(session: Session): string;
  group(session: Session): string;
}

/**
 * Whether a session is shown for what was typed: each word is in what can be read of it in the window (name, title, what it
 * does, asks or is held up by, agent, model, branch, directory, project, group), or says how it is. With statuses, it has
 * one of them.
 */
export function filter(
  text: string,
  statuses: ReadonlySet<Shown>,
  names: Names,
): ((session: Session) => boolean) | undefined {
  const words = plain(text).split(/\s+/).filter(Boolean);
  if (words.length === 0 && statuses.size === 0) return undefined;
  return (session) => {
    if (statuses.size > 0 && !statuses.has(shownStatus(session))) return false;
    if (words.length === 0) return true;
    const found = plain(
      [
        session.name,
        session.title,
        session.activity,
        session.ask && askKind(session.ask).word,
        session.ask && askAbout(session.ask),
        session.ask?.text,
        names.agent(session),
        session.agent,
        session.model,
        session.branch,
        session.cwd,
        names.project(session),
        names.group(session),
        shownStatus(session),
        session.status,
        session.reason,
        session.unseen && 'unseen unread',
        session.pinned && 'pinned',
        session.muted && 'muted',
        session.queued > 0 && 'queued',
        session.private && 'private',
      ]
        .filter(Boolean)
        .join('\n'),
    );
    return words.every((word) => found.includes(word));
  };
}

/** Small letters without accents: who searches for "resume" finds "résumé". */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
