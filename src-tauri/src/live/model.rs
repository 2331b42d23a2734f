//! What the shell knows of the sessions: enough for an icon, a few counts and the list of who needs the person.

use std::collections::HashMap;

use belfry_protocol::session::Kind;
use belfry_protocol::{Session, SessionId, Status};
use jiff::Timestamp;

use super::words;

/// The sessions, each cut down to what is shown outside the page.
#[derive(Debug, Default)]
pub(crate) struct Model {
    sessions: HashMap<SessionId, Brief>,
}

/// One session. Two that are equal look the same from outside the page.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Brief {
    name: String,
    status: Status,
    unseen: bool,
    /// What it asks, or why it cannot go on.
    why: Option<String>,
    /// Since when it needs the person, where it does.
    needs_since: Option<Timestamp>,
    /// It is in the list, not in the archive or the trash.
    listed: bool,
    /// Its program runs, and Belfry started it.
    ours: bool,
}

/// A session that needs the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Need {
    /// Which.
    pub(crate) session: SessionId,
    /// Its name, in one line.
    pub(crate) name: String,
    /// What it asks, or why it cannot go on, in one line.
    pub(crate) why: Option<String>,
    /// Its status: waiting or blocked.
    pub(crate) status: Status,
}

/// How many listed sessions are how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Ask something.
    pub(crate) waiting: usize,
    /// Cannot go on.
    pub(crate) blocked: usize,
    /// Work, or start.
    pub(crate) running: usize,
    /// Idle and not looked at.
    pub(crate) done: usize,
    /// Idle.
    pub(crate) idle: usize,
}

impl Model {
    /// Begins anew.
    pub(crate) fn reset<'a>(&mut self, sessions: impl IntoIterator<Item = &'a Session>) {
        self.sessions = sessions.into_iter().map(|session| (session.id, Brief::of(session))).collect();
    }

    /// Takes a session as it is now. Whether anything that is shown has changed.
    pub(crate) fn put(&mut self, session: &Session) -> bool {
        let brief = Brief::of(session);
        if self.sessions.get(&session.id) == Some(&brief) {
            return false;
        }
        self.sessions.insert(session.id, brief);
        true
    }

    /// A session is gone for good. Whether it was known.
    pub(crate) fn remove(&mut self, session: SessionId) -> bool {
        self.sessions.remove(&session).is_some()
    }

    /// Those that need the person: questions first, each oldest first, as in the window.
    pub(crate) fn needs(&self) -> Vec<Need> {
        let mut needs: Vec<_> = self
            .listed()
            .filter_map(|(id, brief)| Some((brief.status != Status::Waiting, brief.needs_since?, *id, brief)))
            .collect();
        needs.sort_by_key(|(blocked, since, id, _)| (*blocked, *since, *id));
        let need = |(_, _, session, brief): (bool, Timestamp, SessionId, &Brief)| Need {
            session,
            name: brief.name.clone(),
            why: brief.why.clone(),
            status: brief.status,
        };
        needs.into_iter().map(need).collect()
    }

    /// Counts of the listed ones. What has ended is not counted.
    pub(crate) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for (_, brief) in self.listed() {
            match brief.status {
                Status::Waiting => counts.waiting += 1,
                Status::Blocked => counts.blocked += 1,
                Status::Running | Status::Starting => counts.running += 1,
                Status::Idle if brief.unseen => counts.done += 1,
                Status::Idle => counts.idle += 1,
                Status::Dead | Status::Unknown => {}
            }
        }
        counts
    }

    /// All sessions of ours whose programs run, listed or not.
    pub(crate) fn alive(&self) -> Vec<SessionId> {
        self.sessions.iter().filter(|(_, brief)| brief.ours).map(|(id, _)| *id).collect()
    }

    fn listed(&self) -> impl Iterator<Item = (&SessionId, &Brief)> {
        self.sessions.iter().filter(|(_, brief)| brief.listed)
    }
}

impl Brief {
    fn of(session: &Session) -> Self {
        let needs_since = match session.status {
            Status::Waiting => Some(session.ask.as_ref().map_or(session.since, |ask| ask.opened_at)),
            Status::Blocked => Some(session.since),
            _ => None,
        };
        let why = match session.status {
            Status::Waiting => session.ask.as_ref().map(|ask| words::question(ask)),
            Status::Blocked => session.reason.as_deref().map(words::one_line),
            _ => None,
        };
        Self {
            name: words::one_line(&session.name),
            status: session.status,
            unseen: session.unseen,
            why: why.filter(|why| !why.is_empty()),
            needs_since,
            listed: session.trashed_at.is_none()
                && session.archived_at.is_none()
                && !session.unspoken
                && session.runs_for.is_none(),
            ours: session.kind == Kind::Managed && session.alive(),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::json;

    use super::*;

    /// A session of that name and status, which it has had since that second.
    pub(crate) fn session(number: u64, name: &str, status: &str, since: i64) -> Session {
        let since = Timestamp::from_second(since).expect("a time").to_string();
        let made = json!({
            "id": SessionId::at(number), "name": name, "agent": "shell", "kind": "managed", "status": status,
            "reason": null, "activity": null, "source": "process", "since": since, "unseen": false, "ask": null,
            "cwd": "/", "project": null, "group": null, "position": 1.0, "branch": null, "workspace": "directory",
            "conversation_id": null, "started_by": null, "views": 0, "pid": null, "exit": null, "cols": 80, "rows": 24,
            "title": null, "command": ["sh"], "model": null, "env_names": [], "private": false, "runs": [], "queued": 0,
            "notice": null, "created_at": since, "last_activity_at": since, "last_seen_at": null, "archived_at": null,
            "trashed_at": null,
        });
        serde_json::from_value(made).expect("a session")
    }

    fn model(sessions: &[Session]) -> Model {
        let mut model = Model::default();
        model.reset(sessions);
        model
    }

    #[test]
    fn who_needs_the_person_comes_oldest_first_and_questions_before_the_rest() {
        let needs = model(&[
            session(1, "late", "waiting", 30),
            session(2, "stuck", "blocked", 1),
            session(3, "busy", "running", 2),
            session(4, "early", "waiting", 20),
        ])
        .needs();
        let names: Vec<_> = needs.iter().map(|need| need.name.as_str()).collect();
        assert_eq!(names, ["early", "late", "stuck"]);
    }

    #[test]
    fn what_is_archived_calls_nobody_and_still_runs() {
        let mut away = session(1, "away", "waiting", 1);
        away.archived_at = Some(Timestamp::UNIX_EPOCH);
        let model = model(&[away, session(2, "ended", "dead", 1)]);
        assert!(model.needs().is_empty());
        assert_eq!(model.counts(), Counts::default());
        assert_eq!(model.alive().len(), 1);
    }

    #[test]
    fn counts_what_the_window_counts() {
        let mut done = session(4, "done", "idle", 1);
        done.unseen = true;
        let counted = model(&[
            session(1, "a", "waiting", 1),
            session(2, "b", "starting", 1),
            session(3, "c", "idle", 1),
            done,
        ])
        .counts();
        assert_eq!(counted, Counts { waiting: 1, blocked: 0, running: 1, done: 1, idle: 1 });
    }

    #[test]
    fn only_what_is_shown_is_a_change() {
        let mut one = session(1, "one", "running", 1);
        let mut model = model(std::slice::from_ref(&one));
        one.activity = Some("writing".to_owned());
        assert!(!model.put(&one), "an activity is not shown");
        one.status = Status::Waiting;
        assert!(model.put(&one));
        assert!(model.remove(one.id) && !model.remove(one.id));
    }
}
