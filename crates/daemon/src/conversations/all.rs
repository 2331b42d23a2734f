//! Resuming many sessions, as after a reboot: two at a time, so that the machine is not stormed.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use belfry_protocol::launch::EnvVar;
use belfry_protocol::session::Exit;
use belfry_protocol::{ErrorCode, SessionId, Status};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::Daemon;
use crate::launch::{Again, Meta, run_again};
use crate::session::Entry;

/// How long a program counts as starting before the next one is started all the same. The slowest agent takes ten seconds.
const STARTS: Duration = Duration::from_secs(10);

/// How long the end of a run that did not live through the reboot may take to be found out.
const FOUND: Duration = Duration::from_secs(30);

/// Where the database keeps [`Boots`].
const SETTING: &str = "daemon.boots";

/// This boot of the machine and the one before it in which Belfry ran.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Boots {
    now: String,
    before: Option<String>,
}

impl Boots {
    /// As they are now, given what was kept of them.
    fn at(kept: Option<Self>, now: &str) -> Self {
        match kept {
            Some(kept) if kept.now == now => kept,
            Some(kept) => Self { now: now.to_owned(), before: Some(kept.now) },
            None => Self { now: now.to_owned(), before: None },
        }
    }

    /// Whether a run that was started in that boot and ended so was ended by nobody's wish, lately.
    fn lost(&self, boot: &str, exit: &Exit) -> bool {
        let before = self.before.as_ref().is_none_or(|before| before == boot);
        match exit {
            Exit::MachineRestarted => before,
            Exit::KeeperLost => before || boot == self.now,
            _ => false,
        }
    }
}

/// Finds out whether the machine was restarted since the last daemon, and resumes what was alive then, where that is set.
pub(crate) async fn after_reboot(daemon: Arc<Daemon>) {
    let kept = daemon.store.call(|store| store.setting(SETTING)).await.unwrap_or_default();
    let kept: Option<Boots> = serde_json::from_value(kept).ok();
    let boots = Boots::at(kept.clone(), &daemon.boot_id);
    let restarted = kept.is_some_and(|kept| kept != boots);
    let value = serde_json::to_value(&boots).unwrap_or_default();
    *daemon.boots.lock() = boots;
    daemon.post(move |store| store.put_setting(SETTING, &value));
    if !restarted || !daemon.settings().settings.sessions.resume_after_reboot {
        return;
    }
    // Whether a run lives, its engine finds out; none of another boot does.
    for entry in daemon.entries() {
        let mut changes = entry.changed.subscribe();
        let over = async {
            while entry.record().status == Status::Starting {
                if changes.changed().await.is_err() {
                    return;
                }
            }
        };
        let _ = tokio::time::timeout(FOUND, over).await;
    }
    let lost = lost(&daemon).await;
    tracing::info!(sessions = lost.len(), "what was alive when the machine went down is resumed");
    Box::pin(in_turn(&daemon, lost, None)).await;
}

/// Resumes those sessions, or all that were lost, in the background. Gives them.
pub(crate) async fn resume_all(
    daemon: &Arc<Daemon>,
    which: Option<Vec<SessionId>>,
    base_env: Option<Vec<EnvVar>>,
) -> Vec<Arc<Entry>> {
    let chosen = match which {
        Some(ids) => ids.into_iter().filter_map(|id| daemon.get(id)).filter(|entry| !entry.alive()).collect(),
        None => lost(daemon).await,
    };
    let (daemon, entries) = (Arc::clone(daemon), chosen.clone());
    tokio::spawn(async move { Box::pin(in_turn(&daemon, entries, base_env)).await });
    chosen
}

/// Sessions that were alive when the machine went down, or lost their keepers; those that the person is likely to want first
/// come first.
async fn lost(daemon: &Arc<Daemon>) -> Vec<Arc<Entry>> {
    let (looking, boots) = (Arc::clone(daemon), daemon.boots.lock().clone());
    let found = tokio::task::spawn_blocking(move || {
        let is_lost = |entry: &Arc<Entry>| {
            let session = entry.session();
            let wanted = !session.alive() && session.archived_at.is_none() && session.trashed_at.is_none();
            let Some((exit, run)) = session.exit.as_ref().zip(session.runs.first()).filter(|_| wanted) else {
                return false;
            };
            let meta = entry.run_dir(&looking, run.id).and_then(|dir| Meta::read(&dir));
            meta.is_some_and(|meta| boots.lost(&meta.boot_id, exit))
        };
        looking.entries().into_iter().filter(is_lost).collect::<Vec<_>>()
    });
    let mut lost = found.await.unwrap_or_default();
    lost.sort_by_key(|entry| {
        let session = entry.record();
        (!session.pinned, std::cmp::Reverse(session.last_activity_at))
    });
    lost
}

/// Resumes them, two at a time.
async fn in_turn(daemon: &Arc<Daemon>, entries: Vec<Arc<Entry>>, base_env: Option<Vec<EnvVar>>) {
    let waiting = Mutex::new(VecDeque::from(entries));
    let worker = || async {
        loop {
            let Some(entry) = waiting.lock().pop_front() else { return };
            resume_one(daemon, &entry, base_env.clone()).await;
        }
    };
    tokio::join!(worker(), worker());
}

async fn resume_one(daemon: &Arc<Daemon>, entry: &Arc<Entry>, base_env: Option<Vec<EnvVar>>) {
    if let Err(error) = run_again(daemon, entry, Again::Resume, None, base_env).await {
        // Somebody was quicker.
        if error.code != ErrorCode::StillAlive {
            let notice = format!("it could not be resumed: {}", error.message);
            daemon.change(entry, |session| session.notice = Some(notice));
        }
        return;
    }
    started(entry).await;
}

/// Waits until its program has started, or takes too long for it.
pub(crate) async fn started(entry: &Entry) {
    let mut changes = entry.changed.subscribe();
    let started = async {
        while entry.record().status == Status::Starting {
            if changes.changed().await.is_err() {
                return;
            }
        }
    };
    let _ = tokio::time::timeout(STARTS, started).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_alive_when_the_machine_went_down_is_told_from_what_was_lost_earlier() {
        let first = Boots::at(None, "a");
        assert!(first.lost("x", &Exit::MachineRestarted), "nothing is known of boots yet");
        assert_eq!(Boots::at(Some(first.clone()), "a"), first, "the daemon alone was restarted");
        let third = Boots::at(Some(Boots::at(Some(first), "b")), "c");
        assert!(third.lost("b", &Exit::MachineRestarted) && third.lost("b", &Exit::KeeperLost));
        assert!(third.lost("c", &Exit::KeeperLost));
        assert!(!third.lost("a", &Exit::MachineRestarted), "left as it was by the person");
        assert!(!third.lost("b", &Exit::Code { code: 0 }));
    }
}
