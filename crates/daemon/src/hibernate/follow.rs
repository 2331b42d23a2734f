//! Puts sessions to sleep as the settings say. By the daemon's clock, and with no timer but for what is due next.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use belfry_protocol::settings::Hibernate;
use belfry_protocol::{Session, SessionId};
use jiff::Timestamp;
use tokio::time::{Duration, sleep, sleep_until};

use super::decide::{Decision, Tired, decide};
use super::{By, hibernate, tired};
use crate::{Daemon, figures};

/// Time in which changes gather: a busy day has hundreds a second.
const GATHER: Duration = Duration::from_secs(1);

/// The least time between two looks at memory, in milliseconds: each takes about one for each gigabyte.
const MEASURE: u64 = 30_000;

/// How long one that could not be put to sleep is left alone, in milliseconds: a draft or a server in the background stays.
const LEFT_ALONE: u64 = 300_000;

/// What is known of the sessions that are idle, by the daemon's clock.
#[derive(Default)]
struct Known {
    /// Since when, and the status that it is about.
    idle: HashMap<SessionId, (Timestamp, u64)>,
    /// Not to be tried again before then.
    left_alone: HashMap<SessionId, u64>,
    measured_at: Option<u64>,
}

/// Follows all sessions for as long as the daemon runs.
pub(crate) async fn follow(daemon: Arc<Daemon>) {
    let mut known = Known::default();
    loop {
        let limits = daemon.settings().settings.hibernate;
        let on = limits != Hibernate::default();
        daemon.sleeper.on.store(on, Ordering::Relaxed);
        if !on {
            known = Known::default();
            daemon.sleeper.changed.notified().await;
            continue;
        }
        let again_at = known.look(&daemon, &limits).await;
        let due = async {
            match again_at {
                Some(at) => sleep_until(daemon.clock.instant(at)).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = due => {}
            () = daemon.sleeper.changed.notified() => sleep(GATHER).await,
        }
    }
}

impl Known {
    /// Looks at all, and does what is due; when to look again.
    async fn look(&mut self, daemon: &Arc<Daemon>, limits: &Hibernate) -> Option<u64> {
        let sessions: Vec<Session> = daemon.entries().iter().map(|entry| entry.session()).collect();
        let live: Vec<&Session> =
            sessions.iter().filter(|session| session.alive() && !session.unspoken).collect();
        let now = daemon.clock.now();
        let mut tired = self.tired(&live, now);
        let mut decision = decide(tired.clone(), live.len(), None, limits);
        let mut again_at = decision.again_in.map(|ms| now + ms);
        if decision.measure {
            let next = self.measured_at.map_or(now, |at| at + MEASURE);
            if next <= now {
                self.measured_at = Some(now);
                let all = figures::of_sessions(daemon, None).await.sessions;
                for one in &mut tired {
                    one.memory = all.iter().find(|of| of.id == one.id).map_or(0, |of| of.memory);
                }
                let memory = all.iter().map(|of| of.memory).sum();
                decision = decide(tired, live.len(), Some(memory), limits);
            } else {
                again_at = Some(again_at.map_or(next, |at| at.min(next)));
            }
        }
        if self.put_to_sleep(daemon, &decision).await {
            // Another one may take the place of one that stays awake.
            again_at = Some(now);
        }
        let waiting = self.left_alone.values().min().copied();
        [again_at, waiting].into_iter().flatten().min()
    }

    /// Those of them that may be put to sleep, as far as their records tell.
    fn tired(&mut self, live: &[&Session], now: u64) -> Vec<Tired> {
        self.left_alone.retain(|_, until| *until > now);
        let mut idle = HashMap::new();
        for session in live.iter().filter(|session| tired::by_record(session, By::Itself).is_ok()) {
            let known = self.idle.get(&session.id).filter(|(since, _)| *since == session.since);
            idle.insert(session.id, *known.unwrap_or(&(session.since, now)));
        }
        self.idle = idle;
        let left_alone = &self.left_alone;
        let tired = self.idle.iter().filter(|(id, _)| !left_alone.contains_key(id));
        tired
            .map(|(id, (_, from))| Tired { id: *id, idle_ms: now.saturating_sub(*from), memory: 0 })
            .collect()
    }

    /// Says whether one of them stays awake.
    async fn put_to_sleep(&mut self, daemon: &Arc<Daemon>, decision: &Decision) -> bool {
        let mut refused = false;
        for id in &decision.sleep {
            let Some(entry) = daemon.get(*id) else { continue };
            match hibernate(daemon, &entry, By::Itself).await {
                Ok(()) => tracing::info!(session = %entry.logged(), "an idle session was put to sleep"),
                Err(error) => {
                    tracing::debug!(session = %entry.logged(), %error, "an idle session stays awake");
                    self.left_alone.insert(*id, daemon.clock.now() + LEFT_ALONE);
                    refused = true;
                }
            }
        }
        refused
    }
}
