//! Elsewhere on this machine: sessions of agents that Belfry did not start.
//!
//! They are found by their processes, placed by their terminals, and judged by the same arbiter as all others, from what is
//! to be had: the agents' own files, and what tmux shows of their panes. Nothing of them is kept; after a restart they are
//! found again, under the same ids. What is in tmux can be [adopted](mod@adopt): then it is a session like any other, of a
//! keeper whose program carries the pane's output and input.

pub(crate) mod adopt;
mod arguments;
pub(crate) mod bridge;
pub(crate) mod end;
mod ends;
mod finder;
pub(crate) mod front;
mod known;
mod picture;
mod scan;
mod signs;
pub(crate) mod tmux;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use belfry_platform::process::{self, Identity};
use belfry_protocol::explain::Explanation;
use belfry_protocol::{ErrorCode, Session, SessionId, WireError};
use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot};

use crate::Daemon;
use finder::Order;

pub(crate) use finder::follow;

/// How long somebody who asks waits for a look at the machine.
const PATIENCE: Duration = Duration::from_secs(4);

/// What the rest of the daemon has of it.
pub(crate) struct Locals {
    orders: mpsc::UnboundedSender<Order>,
    mailbox: Mutex<Option<mpsc::UnboundedReceiver<Order>>>,
    sessions: Mutex<BTreeMap<SessionId, Session>>,
    servers: Mutex<Vec<Identity>>,
    /// Held while a pane is adopted: it becomes one session and not two.
    adopting: tokio::sync::Mutex<()>,
}

impl Default for Locals {
    fn default() -> Self {
        let (orders, mailbox) = mpsc::unbounded_channel();
        Self {
            orders,
            mailbox: Mutex::new(Some(mailbox)),
            sessions: Mutex::default(),
            servers: Mutex::default(),
            adopting: tokio::sync::Mutex::default(),
        }
    }
}

impl Locals {
    /// The way from here to the task; once.
    pub(crate) fn take_mailbox(&self) -> Option<mpsc::UnboundedReceiver<Order>> {
        self.mailbox.lock().take()
    }

    fn orders(&self) -> mpsc::UnboundedSender<Order> {
        self.orders.clone()
    }

    /// Somebody came who wants to see them.
    pub(crate) fn look(&self) {
        let _ = self.orders.send(Order::Look);
    }

    /// Returns once the machine has been looked at.
    pub(crate) async fn fresh(&self) {
        let (done, looked) = oneshot::channel();
        if self.orders.send(Order::Fresh(done)).is_ok() {
            let _ = tokio::time::timeout(PATIENCE, looked).await;
        }
    }

    /// All that are known, oldest first.
    pub(crate) fn sessions(&self) -> Vec<Session> {
        self.sessions.lock().values().cloned().collect()
    }

    pub(crate) fn get(&self, id: SessionId) -> Option<Session> {
        self.sessions.lock().get(&id).cloned()
    }

    /// The one of that id, unique prefix of one, or name.
    pub(crate) fn find(&self, wanted: &str) -> Option<Session> {
        let sessions = self.sessions.lock();
        let prefix = wanted.to_ascii_lowercase();
        let one = |fits: &dyn Fn(&Session) -> bool| {
            let mut found = sessions.values().filter(|session| fits(session));
            found.next().filter(|_| found.next().is_none()).cloned()
        };
        one(&|session| session.name == wanted)
            .or_else(|| one(&|session| !prefix.is_empty() && session.id.to_string().starts_with(&prefix)))
    }

    /// Whether that is not what everybody was told last.
    fn is_new(&self, session: &Session) -> bool {
        self.sessions.lock().get(&session.id) != Some(session)
    }

    /// True where it was not there before.
    fn keep(&self, session: &Session) -> bool {
        self.sessions.lock().insert(session.id, session.clone()).is_none()
    }

    fn drop(&self, id: SessionId) -> bool {
        self.sessions.lock().remove(&id).is_some()
    }

    fn servers(&self) -> Vec<Identity> {
        self.servers.lock().clone()
    }

    fn set_servers(&self, servers: Vec<Identity>) {
        *self.servers.lock() = servers;
    }

    /// The session, of those found here, that one of these processes is.
    fn of_processes(&self, chain: &[Identity]) -> Option<SessionId> {
        let sessions = self.sessions.lock();
        let is = |session: &&Session| {
            session.pid.is_some_and(|pid| chain.iter().any(|process| process.pid == pid))
        };
        sessions.values().find(is).map(|session| session.id)
    }
}

impl Daemon {
    /// Why its status is what it is, where that is a session that was found here.
    pub(crate) async fn explain_local(&self, wanted: &str) -> Option<Explanation> {
        let session = self.locals.find(wanted)?;
        let (answer, explained) = oneshot::channel();
        self.locals.orders.send(Order::Explain(session.id, answer)).ok()?;
        explained.await.ok()?
    }

    /// What somebody is told who wants more of a session than Belfry can do with it.
    pub(crate) fn cannot(&self, wanted: &str) -> Option<WireError> {
        let session = self.locals.find(wanted)?;
        let local = session.local.as_ref()?;
        let error = |what: String| WireError::new(ErrorCode::Unsupported, what);
        let name = &session.name;
        Some(if local.can.contains(&belfry_protocol::local::Control::Adopt) {
            error(format!("{name} runs in {}, and Belfry does not hold its terminal", local.place))
                .next(format!("`belfry adopt {}` makes it a session of the list", session.id))
        } else {
            error(format!(
                "{name} runs in {}, which Belfry cannot reach: it can be watched, not typed to",
                local.place
            ))
            .next("once it has ended, its conversation can be resumed here")
        })
    }

    /// Whose a peer is that descends from no keeper: of a session that Belfry did not start, where an agent stands above it
    /// that is one, or that runs in an adopted pane. What is above ourselves does not count.
    pub(crate) fn outside(&self, chain: &[Identity]) -> Option<SessionId> {
        let above_us = process::ancestry(std::process::id()).unwrap_or_default();
        let chain: Vec<Identity> = chain.iter().copied().filter(|one| !above_us.contains(one)).collect();
        if let Some(id) = self.locals.of_processes(&chain) {
            return Some(id);
        }
        let adopted = self.entries().into_iter().filter_map(|entry| {
            let bridge = bridge::Bridge::of(&entry.session())?;
            chain.iter().position(|one| one.pid == bridge.pane_pid).map(|at| (entry.id, at))
        });
        let agents = self.agents();
        adopted.into_iter().find_map(|(id, at)| {
            let agent = chain[..=at].iter().any(|one| crate::client::is_agent(*one, &agents));
            agent.then_some(id)
        })
    }
}

/// What an error of tmux's is to a client.
fn refused(error: &tmux::Refused) -> WireError {
    let code = match error {
        tmux::Refused::Missing(_) => ErrorCode::MissingProgram,
        tmux::Refused::Silent | tmux::Refused::Said(_) => ErrorCode::Unsupported,
    };
    WireError::new(code, error.to_string())
}

/// What a session of the list shows of the pane that it is, once that is known again.
pub(crate) async fn place_adopted(daemon: &Arc<Daemon>) {
    for entry in daemon.entries() {
        let Some(bridge) = bridge::Bridge::of(&entry.session()) else { continue };
        if let Ok(Some(reached)) = tmux::look(&bridge.at).await {
            daemon.change(&entry, |session| session.local = Some(Box::new(adopt::local(&reached))));
        }
    }
}
