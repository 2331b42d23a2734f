//! Keeps what rows show of pull requests fresh.
//!
//! A repository's forge is asked after a sign: a turn is over (the agent may have pushed, or made one itself), the person has
//! looked, a window has come, a branch is another one. Then once for all sessions of that repository, and not again within
//! [`APART`]. Without signs it is asked ever more rarely, and not at all while no window is open.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use belfry_protocol::pull_request::PullState;
use belfry_protocol::{Session, SessionId, Status};
use belfry_workspace::Git;
use belfry_workspace::changes::Checkout;
use belfry_workspace::forge::{Depth, Forge, ForgeError, Tools};
use jiff::Timestamp;

use super::place::{at, forge_of};
use super::{apart, note};
use crate::launch::login_environment;
use crate::session::Entry;
use crate::{Daemon, clock};

/// Time in which signs gather.
const GATHER: Duration = Duration::from_secs(2);
/// The least time between two calls for one repository.
const APART: Duration = Duration::from_secs(20);
/// Without a sign: first while checks run, else; and at the longest.
const CHECKS_RUN: Duration = Duration::from_mins(1);
const QUIET: Duration = Duration::from_mins(5);
const LONGEST: Duration = Duration::from_hours(1);
/// After the forge's limit was reached, and after the program or its login was missing.
const LIMITED: Duration = Duration::from_hours(1);
const MISSING: Duration = Duration::from_mins(10);
/// How long an address of a remote holds.
const HOLDS: Duration = Duration::from_mins(10);

/// What is told apart by: as long as it is the same, nothing has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sign {
    branch: Option<String>,
    /// Since when it waits for the person, where it does.
    over: Option<Timestamp>,
    seen: Option<Timestamp>,
}

impl Sign {
    fn of(session: &Session) -> Self {
        let over = matches!(session.status, Status::Idle | Status::Waiting | Status::Blocked | Status::Dead);
        Self {
            branch: session.branch.clone(),
            over: over.then_some(session.since),
            seen: session.last_seen_at,
        }
    }
}

/// A repository at a forge.
struct Asked {
    /// Not before then.
    next: Instant,
    /// Without a sign, then.
    again: Instant,
    wait: Duration,
}

#[derive(Default)]
struct Known {
    signs: HashMap<SessionId, Sign>,
    asked: HashMap<Forge, Asked>,
    /// Sessions with a branch at a forge, from the last look.
    shared: HashMap<SessionId, (Forge, String)>,
    /// Repositories with something new.
    due: HashSet<Forge>,
    addresses: HashMap<(PathBuf, String), (Option<Forge>, Instant)>,
}

/// Follows all sessions for as long as the daemon runs.
pub(crate) async fn follow(daemon: Arc<Daemon>) {
    let mut known = Known::default();
    loop {
        if !daemon.has_windows() {
            // What happened meanwhile is a sign when one comes.
            daemon.forges.changed.notified().await;
            if !daemon.has_windows() {
                continue;
            }
        }
        known.gather(&daemon).await;
        known.ask(&daemon).await;
        let next = known.next();
        let due = async {
            match next {
                Some(at) => tokio::time::sleep_until(at.into()).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = due => {}
            () = daemon.forges.changed.notified() => tokio::time::sleep(GATHER).await,
        }
    }
}

impl Known {
    /// Looks for signs, and for which repositories they are of. Git is run once for a remote that is not known yet.
    async fn gather(&mut self, daemon: &Arc<Daemon>) {
        let entries = daemon.entries();
        let there: HashSet<SessionId> = entries.iter().map(|entry| entry.id).collect();
        self.signs.retain(|id, _| there.contains(id));
        self.shared.retain(|id, _| there.contains(id));
        for id in std::mem::take(&mut *daemon.forges.pushed.lock()) {
            self.signs.remove(&id);
        }
        let mut news: Vec<(SessionId, PathBuf, String)> = Vec::new();
        for entry in entries.iter().filter(|entry| !entry.beside) {
            let record = entry.record();
            let sign = Sign::of(&record);
            if record.trashed_at.is_some() || record.archived_at.is_some() || record.unspoken {
                self.signs.remove(&entry.id);
                self.shared.remove(&entry.id);
                continue;
            }
            if self.signs.get(&entry.id) == Some(&sign) {
                continue;
            }
            self.shared.remove(&entry.id);
            if let Some(branch) = &sign.branch {
                news.push((entry.id, record.cwd.clone().into(), branch.clone()));
            }
            drop(record);
            self.signs.insert(entry.id, sign);
        }
        if news.is_empty() {
            return;
        }
        let env = login_environment(daemon).await;
        let tools = Tools::with_env(env.clone(), at(daemon));
        let mut addresses = std::mem::take(&mut self.addresses);
        let of = Arc::clone(daemon);
        let placed = apart(move || {
            let git = Git::with_env(env);
            let mut placed = Vec::new();
            for (id, cwd, branch) in news {
                let Some(checkout) = Checkout::containing(&cwd, git.clone()) else { continue };
                let Some(remote) = checkout.pushed_to(&branch) else { continue };
                let key = (checkout.common_dir().to_owned(), remote);
                let forge = match addresses.get(&key) {
                    Some((forge, at)) if at.elapsed() < HOLDS => forge.clone(),
                    _ => {
                        let address = checkout.address_of(&key.1);
                        let forge = address.and_then(|address| forge_of(&of, &tools, &address));
                        addresses.insert(key, (forge.clone(), Instant::now()));
                        forge
                    }
                };
                placed.extend(forge.map(|forge| (id, forge, branch)));
            }
            (placed, addresses)
        });
        let Ok((placed, addresses)) = placed.await else { return };
        self.addresses = addresses;
        for (id, forge, branch) in placed {
            self.due.insert(forge.clone());
            self.shared.insert(id, (forge, branch));
        }
    }

    /// Asks those whose time has come.
    async fn ask(&mut self, daemon: &Arc<Daemon>) {
        let now = Instant::now();
        let live: HashSet<&Forge> = self.shared.values().map(|(forge, _)| forge).collect();
        self.asked.retain(|forge, _| live.contains(forge));
        self.due.retain(|forge| live.contains(forge));
        let ready = |forge: &&Forge| match self.asked.get(*forge) {
            Some(asked) => asked.again <= now || (self.due.contains(*forge) && asked.next <= now),
            None => self.due.contains(*forge),
        };
        let ready: Vec<Forge> = live.iter().copied().filter(ready).cloned().collect();
        for forge in ready {
            let signed = self.due.remove(&forge);
            let of = self.shared.iter().filter(|(_, (at, _))| *at == forge);
            let of: Vec<(SessionId, String)> = of.map(|(id, (_, branch))| (*id, branch.clone())).collect();
            let (wait, next) = look(daemon, &forge, &of).await;
            let before = self.asked.get(&forge).map(|asked| asked.wait).filter(|_| !signed);
            let wait = match (wait, before) {
                // Nothing happens: ever more rarely.
                (wait, Some(before)) if wait == QUIET => (before * 2).clamp(QUIET, LONGEST),
                (wait, _) => wait,
            };
            let now = Instant::now();
            self.asked.insert(forge, Asked { next: now + next, again: now + wait, wait });
        }
    }

    fn next(&self) -> Option<Instant> {
        let times = self.asked.iter().map(|(forge, asked)| {
            if self.due.contains(forge) { asked.next.min(asked.again) } else { asked.again }
        });
        times.min()
    }
}

/// Asks for all branches at once; when to ask again without a sign, and not before which time even with one.
async fn look(daemon: &Arc<Daemon>, forge: &Forge, of: &[(SessionId, String)]) -> (Duration, Duration) {
    let tools = Tools::with_env(login_environment(daemon).await, at(daemon));
    let mut branches: Vec<String> = of.iter().map(|(_, branch)| branch.clone()).collect();
    branches.sort_unstable();
    branches.dedup();
    let (at_forge, asked) = (forge.clone(), branches.clone());
    let looked = apart(move || at_forge.look(&tools, &asked, Depth::Row, clock::wall())).await;
    let looked = match looked {
        Ok(Ok(looked)) => looked,
        Ok(Err(ForgeError::Limited { .. })) => return (LIMITED, LIMITED),
        Ok(Err(ForgeError::Missing(_) | ForgeError::NoProgram | ForgeError::LoggedOut { .. })) => {
            return (LONGEST, MISSING);
        }
        Ok(Err(error)) => {
            tracing::info!(host = %forge.host, %error, "pull requests cannot be asked for");
            return (QUIET, APART);
        }
        Err(_) => return (QUIET, APART),
    };
    let (mut pending, mut open) = (false, false);
    for (id, branch) in of {
        let found = branches.iter().position(|known| known == branch);
        let found = found.and_then(|at| looked.found.get(at).cloned().flatten());
        if let Some(found) = &found {
            pending |= found.pull.checks_pending > 0;
            open |= matches!(found.pull.state, PullState::Open | PullState::Draft);
        }
        let Some(entry) = daemon.get(*id) else { continue };
        if is_on(&entry, branch) {
            note(daemon, &entry, found, false);
        }
    }
    let wait = match (pending, open) {
        (true, _) => CHECKS_RUN,
        (false, true) => QUIET,
        // One can only come by a sign, or by somebody else's hand.
        (false, false) => LONGEST,
    };
    (wait, APART)
}

/// Whether it is on that branch still.
fn is_on(entry: &Entry, branch: &str) -> bool {
    entry.record().branch.as_deref() == Some(branch)
}
