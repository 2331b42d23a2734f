//! Requests about sessions.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use belfry_protocol::launch::{EnvVar, NewSession};
use belfry_protocol::session::StatusFilter;
use belfry_protocol::{ErrorCode, GroupId, MessageId, ProjectId, Reply, Session, SessionId, WireError};

use super::{Answer, Outcome};
use crate::client::Client;
use crate::daemon::{fitting, no_such};
use crate::hibernate::Letter;
use crate::launch::given_name;
use crate::local::bridge::Bridge;
use crate::session::{Command, Entry};
use crate::{Daemon, clock, launch};

/// Longest message, in bytes; the store refuses more.
const LONGEST_MESSAGE: usize = 1 << 20;

/// How long a session that is removed may take to end: the keeper's ladder takes 5 s at the longest.
const KILL: Duration = Duration::from_secs(15);

fn session(entry: &Entry) -> Reply {
    Reply::Session(Box::new(entry.session()))
}

pub(super) async fn new(daemon: &Arc<Daemon>, new: NewSession) -> Outcome {
    let entry = launch::new_session(daemon, new).await?;
    Ok(session(&entry))
}

pub(super) async fn duplicate(daemon: &Arc<Daemon>, wanted: &str, base_env: Option<Vec<EnvVar>>) -> Outcome {
    let entry = daemon.find(wanted)?;
    let entry = launch::duplicate(daemon, &entry, base_env).await?;
    Ok(session(&entry))
}

pub(super) async fn list(
    daemon: &Daemon,
    status: &[StatusFilter],
    all: bool,
    after: Option<SessionId>,
) -> Reply {
    if all && after.is_none() {
        daemon.locals.fresh().await;
    }
    let wanted = |session: &Session| {
        !session.unspoken
            && (all || (session.archived_at.is_none() && session.trashed_at.is_none()))
            && (status.is_empty() || status.iter().any(|filter| filter.fits(session)))
    };
    let entries = daemon.entries();
    let mut sessions: Vec<Session> = entries.iter().map(|entry| entry.session()).collect();
    if all {
        sessions.extend(daemon.locals.sessions());
        sessions.sort_by_key(|session| session.id);
    }
    sessions.retain(|session| after.is_none_or(|after| session.id > after) && wanted(session));
    // An empty answer would say that there are no more.
    sessions.truncate(fitting(&sessions, 0).max(1));
    Reply::Sessions(sessions)
}

/// A session of the list, else one that Belfry did not start.
pub(super) fn show(daemon: &Daemon, client: &Client, wanted: &str) -> Outcome {
    let entry = match (daemon.find(wanted), daemon.locals.find(wanted)) {
        (Ok(entry), _) => entry,
        (Err(_), Some(session)) => {
            client.authority.reaches(session.id)?;
            return Ok(Reply::Session(Box::new(session)));
        }
        (Err(error), None) => return Err(error),
    };
    client.authority.reaches(entry.id)?;
    Ok(session(&entry))
}

pub(super) fn rename(daemon: &Daemon, wanted: &str, name: &str) -> Outcome {
    let entry = daemon.find(wanted)?;
    let name = given_name(name)?;
    daemon.change(&entry, |session| session.name = name);
    daemon.save_soon(&entry);
    Ok(session(&entry))
}

pub(super) fn kill(daemon: &Arc<Daemon>, wanted: &str, answer: Answer) -> Option<(Answer, Outcome)> {
    match daemon.find(wanted) {
        Ok(entry) if entry.is_being_made() => {
            tokio::spawn(async move {
                entry.stop_making().await;
                answer.give(Ok(session(&entry)));
            });
            None
        }
        Ok(entry) if entry.alive() => {
            crate::workspaces::setup::end_with(daemon, entry.id);
            entry.killed.store(true, Ordering::Relaxed);
            let adopted = Bridge::of(&entry.record());
            match adopted {
                Some(bridge) => kill_pane(daemon, entry, bridge, answer),
                None => entry.tell(daemon, Command::Kill { answer: Some(answer) }),
            }
            None
        }
        Ok(entry) => Some((answer, Ok(session(&entry)))),
        Err(error) => Some((answer, Err(error))),
    }
}

/// Ends an adopted session's pane, and nothing else of tmux's; its bridge then has nothing to carry.
fn kill_pane(daemon: &Arc<Daemon>, entry: Arc<Entry>, bridge: Bridge, answer: Answer) {
    let daemon = Arc::clone(daemon);
    tokio::spawn(async move {
        match crate::local::tmux::kill(&bridge.at).await {
            Ok(()) => entry.tell(&daemon, Command::Kill { answer: Some(answer) }),
            Err(error) => {
                entry.killed.store(false, Ordering::Relaxed);
                answer.fail(ErrorCode::Unsupported, error.to_string());
            }
        }
    });
}

pub(super) async fn remove(daemon: &Arc<Daemon>, wanted: &str, now: bool, kill: bool) -> Outcome {
    let entry = daemon.find(wanted)?;
    // Removing an adopted one only forgets it: its pane goes on in tmux.
    let adopted = Bridge::of(&entry.record()).is_some();
    if entry.alive() {
        if !kill && !adopted {
            let error =
                WireError::new(ErrorCode::StillAlive, "the session is alive, and removing it would end it");
            return Err(error.next("end it first, or say that it may be ended"));
        }
        let mut changes = entry.changed.subscribe();
        if !entry.stop_making().await {
            crate::workspaces::setup::end_with(daemon, entry.id);
            entry.killed.store(true, Ordering::Relaxed);
            entry.tell(daemon, Command::Kill { answer: None });
        }
        let dead = async {
            while entry.alive() {
                if changes.changed().await.is_err() {
                    break;
                }
            }
        };
        if tokio::time::timeout(KILL, dead).await.is_err() {
            return Err(WireError::new(ErrorCode::StillAlive, "the session did not end"));
        }
    }
    // What runs beside it goes with it, for good: a command can be run again.
    for (_, beside) in crate::workspaces::beside(daemon, entry.id) {
        if let Err(error) = Box::pin(remove(daemon, &beside.id.to_string(), true, true)).await {
            tracing::warn!(session = %beside.logged(), %error, "what ran beside a session cannot be removed");
        }
    }
    // A private session has no trash: it would lie in memory for a day.
    let trashed = !(now || entry.private);
    if trashed {
        // One that is there already has its day from when it was put there.
        daemon.change(&entry, |session| {
            session.trashed_at.get_or_insert_with(clock::wall);
        });
        daemon.save_soon(&entry);
        daemon.trash_filled.notify_one();
    } else {
        crate::trash::remove(daemon, &entry).await?;
    }
    Ok(Reply::Removed { trashed })
}

pub(super) fn restore(daemon: &Daemon, id: SessionId) -> Outcome {
    let entry = daemon.get(id).ok_or_else(|| no_such(&id.to_string()))?;
    daemon.change(&entry, |session| session.trashed_at = None);
    daemon.save_soon(&entry);
    Ok(session(&entry))
}

pub(super) fn archive(daemon: &Daemon, wanted: &str, archived: bool) -> Outcome {
    let entry = daemon.find(wanted)?;
    daemon.change(&entry, |session| session.archived_at = archived.then(clock::wall));
    daemon.save_soon(&entry);
    Ok(session(&entry))
}

pub(super) async fn place(
    daemon: &Daemon,
    wanted: &str,
    project: Option<ProjectId>,
    group: Option<GroupId>,
    position: Option<f64>,
) -> Outcome {
    let entry = daemon.find(wanted)?;
    let not_found = |what: &str| WireError::new(ErrorCode::NotFound, format!("there is no such {what}"));
    // Held until the session is there: what it is put in must not be removed meanwhile.
    let tree = daemon.tree.lock().await;
    if project.is_some_and(|id| tree.project(id).is_none()) {
        return Err(not_found("project"));
    }
    let group_fits = |id| tree.group(id).is_some_and(|known| Some(known.project) == project);
    if group.is_some_and(|id| !group_fits(id)) {
        return Err(not_found("group in that project"));
    }
    if position.is_some_and(|position| !position.is_finite()) {
        return Err(WireError::new(ErrorCode::BadRequest, "a position is a finite number"));
    }
    daemon.change(&entry, |session| {
        session.project = project;
        session.group = group;
        session.position = position.unwrap_or(session.position);
    });
    daemon.save_soon(&entry);
    Ok(session(&entry))
}

pub(super) fn seen(daemon: &Daemon, id: SessionId) -> Outcome {
    let entry = daemon.get(id).ok_or_else(|| no_such(&id.to_string()))?;
    daemon.change(&entry, |session| {
        session.last_seen_at = Some(clock::wall());
        session.unseen = false;
    });
    Ok(Reply::Done)
}

/// Queues a message: in the database first, so that it outlives us, and then with the engine, which answers.
pub(crate) async fn message(
    daemon: &Arc<Daemon>,
    wanted: &str,
    text: String,
    now: bool,
    answer: Answer,
) -> Option<(Answer, Outcome)> {
    let fail = |answer, code, what: &str| Some((answer, Err(WireError::new(code, what))));
    let entry = match daemon.find(wanted) {
        Ok(entry) => entry,
        Err(error) => return Some((answer, Err(error))),
    };
    let asleep = entry.record().hibernated() || entry.falls_asleep();
    if !entry.alive() && !asleep {
        return fail(answer, ErrorCode::NotAlive, "the session has ended");
    }
    if text.trim().is_empty() {
        return fail(answer, ErrorCode::BadRequest, "the message is empty");
    }
    if text.len() > LONGEST_MESSAGE {
        return fail(answer, ErrorCode::TooMuch, "the message is longer than 1 MiB");
    }
    let at = clock::wall();
    let id = MessageId::at(u64::try_from(at.as_millisecond()).unwrap_or(0));
    if !entry.private {
        let (session, text) = (entry.id, text.clone());
        let kept = daemon.store.call(move |store| store.queue_message(id, session, &text, None, at)).await;
        if let Err(error) = kept {
            return fail(answer, error.code(), &format!("the message cannot be kept: {error}"));
        }
    }
    if entry.record().unspoken {
        crate::workspaces::graduate(daemon, &entry, Some(&text));
    }
    if asleep {
        let letter = Letter { id, text, now, answer: Some(answer) };
        crate::hibernate::deliver(Arc::clone(daemon), entry, letter).await;
    } else {
        entry.tell(daemon, Command::Message { id, text, now, answer: Some(answer) });
    }
    None
}
