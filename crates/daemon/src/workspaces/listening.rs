//! The ports on which the commands of workspaces listen.
//!
//! Nothing tells that a process begins to listen, so it is looked after signs: something was printed, a process was started.
//! Looks follow on one sign at growing distances and then end, as a server says that it starts before it listens; a command that
//! prints all the time is looked at every ten seconds. What does nothing costs nothing.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use belfry_platform::process;
use belfry_protocol::SessionId;
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::sleep_until;

use crate::Daemon;
use crate::session::Entry;

/// From a sign to the first look, in milliseconds: the program may be about to listen.
const SOON: u64 = 150;
/// Least and greatest distance of two looks, in milliseconds.
const LEAST: u64 = 1000;
/// See [`LEAST`].
const MOST: u64 = 10_000;
/// Looks after a sign. Their distances double: the last is about 15 s after it.
const LOOKS: u32 = 5;

/// Sessions that run a command of a workspace and have shown a sign.
#[derive(Debug, Default)]
pub(crate) struct Signs {
    noted: Mutex<HashSet<SessionId>>,
    wake: Notify,
}

impl Signs {
    /// That session has printed something, or changed.
    pub(crate) fn note(&self, session: SessionId) {
        if self.noted.lock().insert(session) {
            self.wake.notify_one();
        }
    }
}

/// When one session is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pace {
    next: Option<u64>,
    last: Option<u64>,
    gap: u64,
    left: u32,
}

impl Pace {
    fn new() -> Self {
        Self { next: None, last: None, gap: LEAST, left: 0 }
    }

    fn sign(&mut self, now: u64) {
        if self.next.is_none() {
            self.gap = LEAST;
        }
        let at = self.last.map_or(0, |last| last + self.gap).max(now + SOON);
        self.next = Some(self.next.map_or(at, |next| next.min(at)));
        self.left = LOOKS;
    }

    /// It was looked at; `shown` where somebody watches it.
    fn looked(&mut self, now: u64, changed: bool, shown: bool) {
        self.last = Some(now);
        self.gap = if changed { LEAST } else { (self.gap * 2).min(MOST) };
        self.left = self.left.saturating_sub(1);
        self.next = (self.left > 0 || shown).then_some(now + self.gap);
    }
}

/// Looks, for as long as the daemon runs.
pub(crate) async fn follow(daemon: Arc<Daemon>) {
    let mut paces: HashMap<SessionId, Pace> = HashMap::new();
    for entry in daemon.entries().into_iter().filter(|entry| entry.beside && entry.alive()) {
        daemon.runs.signs.note(entry.id);
    }
    loop {
        let now = daemon.clock.now();
        for id in std::mem::take(&mut *daemon.runs.signs.noted.lock()) {
            match daemon.get(id) {
                Some(entry) if entry.alive() => paces.entry(id).or_insert_with(Pace::new).sign(now),
                ended => {
                    paces.remove(&id);
                    if let Some(entry) = ended {
                        daemon.change(&entry, |session| session.listening.clear());
                    }
                }
            }
        }
        let due = |pace: &Pace| pace.next.is_some_and(|at| at <= now);
        let ids: Vec<SessionId> = paces.iter().filter(|(_, pace)| due(pace)).map(|(id, _)| *id).collect();
        for id in ids {
            let looked = match daemon.get(id) {
                Some(entry) if entry.alive() => Some(look(&daemon, &entry).await),
                _ => None,
            };
            match (looked, paces.get_mut(&id)) {
                (Some((changed, shown)), Some(pace)) => pace.looked(daemon.clock.now(), changed, shown),
                _ => {
                    paces.remove(&id);
                }
            }
        }
        let next = paces.values().filter_map(|pace| pace.next).min();
        let timer = async {
            match next {
                Some(at) => sleep_until(daemon.clock.instant(at)).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = daemon.runs.signs.wake.notified() => {}
            () = timer => {}
        }
    }
}

/// Whether the ports are others than before, and whether somebody watches the session.
async fn look(daemon: &Arc<Daemon>, entry: &Arc<Entry>) -> (bool, bool) {
    let (keeper, shown, before) = {
        let session = entry.record();
        let keeper = session.runs.first().and_then(|run| run.keeper_pid);
        (keeper, session.views > 0, session.listening.clone())
    };
    let Some(keeper) = keeper else { return (false, shown) };
    let found = tokio::task::spawn_blocking(move || {
        // All that the command has started, also in the background: the keeper is its subreaper.
        let pids: Vec<u32> = process::descendants(keeper).iter().map(|one| one.identity.pid).collect();
        process::listening(&pids)
    });
    let Ok(found) = found.await else { return (false, shown) };
    let changed = found != before;
    if changed && entry.alive() {
        daemon.change(entry, |session| session.listening = found);
    }
    (changed, shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_after_one_sign_grow_apart_and_end() {
        let mut pace = Pace::new();
        pace.sign(1000);
        let mut looks = Vec::new();
        while let Some(at) = pace.next {
            looks.push(at);
            pace.looked(at, false, false);
        }
        assert_eq!(looks, [1150, 3150, 7150, 15_150, 25_150]);
        // And begin anew with the next one, at once.
        pace.sign(60_000);
        assert_eq!(pace.next, Some(60_150));
    }

    #[test]
    fn what_prints_all_the_time_is_looked_at_now_and_then() {
        let mut pace = Pace::new();
        let mut looks = 0;
        for now in (0..100_000).step_by(50) {
            pace.sign(now);
            if pace.next.is_some_and(|at| at <= now) {
                pace.looked(now, false, false);
                looks += 1;
            }
        }
        assert!((10..=14).contains(&looks), "{looks}");
    }

    #[test]
    fn what_is_watched_is_looked_at_on() {
        let mut pace = Pace::new();
        pace.sign(0);
        for _ in 0..10 {
            pace.looked(100, false, true);
        }
        assert_eq!(pace.next, Some(100 + MOST));
        pace.looked(200, true, false);
        assert_eq!(pace.next, None, "another port is news, and no sign of one more");
    }
}
