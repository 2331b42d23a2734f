//! Projects from an address: fetched in the background, told of as it goes on, and stopped when the person or the daemon's end
//! says so.

mod left;
mod place;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use belfry_protocol::launch::EnvVar;
use belfry_protocol::workspace::{CloneEnd, Cloning};
use belfry_protocol::{ErrorCode, Event, ProjectId, Reply, WireError};
use belfry_workspace::fetch_project::{Address, Fetch, FetchError, Step, Trouble};
use belfry_workspace::{Git, Stop};
use parking_lot::Mutex;
use tokio::sync::Notify;

use super::Outcome;
use crate::client::Client;
use crate::launch::{cleaned_name, given_name, login_environment};
use crate::{Daemon, clock, places};

pub(crate) use left::sweep;

/// Clones at once: each is a network's and a disk's worth of work.
const AT_ONCE: usize = 8;

/// Between two events of one clone: git tells more often than anybody reads.
const PACE: Duration = Duration::from_millis(100);

/// How long those that are stopped at the daemon's end may take: git is killed at once, and what it wrote is deleted.
const END: Duration = Duration::from_secs(3);

/// The clones that go on.
#[derive(Default)]
pub(crate) struct Clones {
    running: Mutex<HashMap<ProjectId, Running>>,
    fewer: Notify,
}

struct Running {
    cloning: Cloning,
    stop: Stop,
    told: Option<Instant>,
    /// What is new will be told.
    owed: bool,
}

impl Clones {
    fn knows(&self, id: ProjectId) -> bool {
        self.running.lock().contains_key(&id)
    }

    /// Tells a new subscriber of those that go on.
    pub(crate) fn tell(&self, client: &Client) {
        for running in self.running.lock().values() {
            client.tell(Event::Cloning { cloning: Box::new(running.cloning.clone()) });
        }
    }
}

/// What a clone is made of.
struct Clone {
    id: ProjectId,
    fetch: Fetch,
    address: Address,
    name: String,
    git: Git,
    stop: Stop,
}

pub(super) async fn begin(
    daemon: &Arc<Daemon>,
    url: String,
    (path, name): (Option<String>, Option<String>),
    base_env: Option<Vec<EnvVar>>,
) -> Outcome {
    let bad = |why: &dyn std::fmt::Display| WireError::new(ErrorCode::BadRequest, why.to_string());
    let address = Address::read(&url, &daemon.person_home).map_err(|error| {
        bad(&error).next("write it as git does: https://host/owner/name, git@host:owner/name, or a directory")
    })?;
    let name = match name {
        Some(name) => given_name(&name)?,
        None => cleaned_name(address.name()).unwrap_or_else(|| "project".to_owned()),
    };
    let into = match path {
        Some(path) => places::absolute(&path, &daemon.person_home)
            .ok_or_else(|| bad(&"a project's directory is absolute, or starts with ~"))?,
        None => place::new(daemon, address.name()).await,
    };
    if into.to_str().is_none_or(|path| path.contains(char::is_control)) {
        return Err(WireError::new(ErrorCode::BadDirectory, "the directory's name has control characters"));
    }
    let env = match base_env {
        Some(given) => given.into_iter().map(|var| (var.name.into(), var.value.into())).collect(),
        None => login_environment(daemon).await,
    };
    let id = ProjectId::at(u64::try_from(clock::wall().as_millisecond()).unwrap_or(0));
    let cloning = Cloning {
        id,
        url: address.shown(),
        path: into.display().to_string(),
        step: "Connecting".to_owned(),
        percent: None,
        end: None,
    };
    let stop = Stop::default();
    if let Some(known) = take_place(daemon, &cloning, &stop)? {
        return Ok(Reply::Cloning(Box::new(known)));
    }
    let fetch = {
        let id = id.to_string();
        places::looked_at(move || Fetch::begin(&into, &id)).await
    };
    let fetch = match fetch {
        Some(Ok(fetch)) => fetch,
        failed => {
            gone(daemon, id);
            let why = failed.and_then(Result::err).map(|error| refused(&error));
            return Err(why.unwrap_or_else(|| {
                WireError::new(ErrorCode::BadDirectory, "the directory does not answer")
            }));
        }
    };
    let git = Git::with_env(env);
    let clone = Clone { id, fetch, address, name, git, stop };
    tokio::spawn(run(Arc::clone(daemon), clone));
    Ok(Reply::Cloning(Box::new(cloning)))
}

/// Notes that it goes on. The one that does the same already, where there is one.
fn take_place(daemon: &Daemon, cloning: &Cloning, stop: &Stop) -> Result<Option<Cloning>, WireError> {
    let mut running = daemon.clones.running.lock();
    if let Some(known) = running.values().find(|known| known.cloning.path == cloning.path) {
        if known.cloning.url == cloning.url && !known.stop.stopped() {
            return Ok(Some(known.cloning.clone()));
        }
        let why = format!("{} is being fetched into already", cloning.path);
        return Err(WireError::new(ErrorCode::Busy, why).next("wait for it, or choose another directory"));
    }
    if running.len() >= AT_ONCE {
        return Err(WireError::new(ErrorCode::TooMuch, "eight repositories are being fetched already")
            .next("wait for one of them, or stop it"));
    }
    running.insert(
        cloning.id,
        Running { cloning: cloning.clone(), stop: stop.clone(), told: None, owed: false },
    );
    Ok(None)
}

pub(super) fn cancel(daemon: &Arc<Daemon>, id: ProjectId) -> Outcome {
    let running = daemon.clones.running.lock();
    let known = running.get(&id).ok_or_else(|| {
        WireError::new(ErrorCode::NotFound, "nothing is being fetched under that id; it may have ended")
    })?;
    known.stop.now();
    Ok(Reply::Done)
}

/// Fetches, and tells how it ended.
async fn run(daemon: Arc<Daemon>, clone: Clone) {
    let Clone { id, fetch, address, name, git, stop } = clone;
    left::note(&daemon, id, fetch.hidden());
    let shown = address.shown();
    let fetched = {
        let daemon = Arc::clone(&daemon);
        let work = move || {
            let mut seen = |step: Step| follow(&daemon, id, step);
            fetch.run(&git, &address, &stop, &mut seen)
        };
        tokio::task::spawn_blocking(work).await
    };
    left::forget(&daemon, id);
    let end = match fetched {
        Ok(Ok(path)) => add(&daemon, id, path, name).await,
        Ok(Err(FetchError::Stopped)) => CloneEnd::Cancelled,
        Ok(Err(error)) => {
            tracing::warn!(%shown, %error, "a repository cannot be fetched");
            CloneEnd::Failed { error: refused(&error) }
        }
        Err(error) => CloneEnd::Failed { error: WireError::new(ErrorCode::Internal, error.to_string()) },
    };
    if let Some(mut cloning) = gone(&daemon, id) {
        cloning.end = Some(end);
        daemon.tell_all(&Event::Cloning { cloning: Box::new(cloning) });
    }
}

/// Git is so far: told at once, or as soon as the pace allows.
fn follow(daemon: &Arc<Daemon>, id: ProjectId, step: Step) {
    let mut running = daemon.clones.running.lock();
    let Some(known) = running.get_mut(&id) else { return };
    known.cloning.step = step.what;
    known.cloning.percent = step.percent;
    let wait = known.told.map_or(Duration::ZERO, |told| PACE.saturating_sub(told.elapsed()));
    if wait.is_zero() && !known.owed {
        drop(running);
        tell(daemon, id);
    } else if !known.owed {
        known.owed = true;
        drop(running);
        let daemon = Arc::clone(daemon);
        tokio::runtime::Handle::current().spawn(async move {
            tokio::time::sleep(wait).await;
            tell(&daemon, id);
        });
    }
}

/// Tells everybody how far it is, while it goes on.
fn tell(daemon: &Daemon, id: ProjectId) {
    let cloning = {
        let mut running = daemon.clones.running.lock();
        let Some(known) = running.get_mut(&id) else { return };
        (known.told, known.owed) = (Some(Instant::now()), false);
        known.cloning.clone()
    };
    daemon.tell_all(&Event::Cloning { cloning: Box::new(cloning) });
}

async fn add(daemon: &Arc<Daemon>, id: ProjectId, path: PathBuf, name: String) -> CloneEnd {
    let shown = path.display().to_string();
    match crate::client::add_project(daemon, Some(id), shown.clone(), Some(name)).await {
        Ok(_) => CloneEnd::Done,
        Err(error) => CloneEnd::Failed { error: error.kept(format!("the repository is in {shown}")) },
    }
}

/// It does not go on any more.
fn gone(daemon: &Daemon, id: ProjectId) -> Option<Cloning> {
    let known = daemon.clones.running.lock().remove(&id);
    daemon.clones.fewer.notify_waiters();
    known.map(|known| known.cloning)
}

/// Stops them all, at the daemon's end, and waits until they have cleaned up.
pub(crate) async fn end(daemon: &Daemon) {
    for running in daemon.clones.running.lock().values() {
        running.stop.now();
    }
    let ended = async {
        loop {
            let fewer = daemon.clones.fewer.notified();
            if daemon.clones.running.lock().is_empty() {
                return;
            }
            fewer.await;
        }
    };
    if tokio::time::timeout(END, ended).await.is_err() {
        tracing::warn!("a repository that was being fetched did not stop in time");
    }
}

fn refused(error: &FetchError) -> WireError {
    match error {
        FetchError::Directory { .. } => WireError::new(ErrorCode::BadDirectory, error.to_string())
            .next("choose a directory that is not there yet, or an empty one"),
        FetchError::Stopped => WireError::new(ErrorCode::Git, "it was stopped"),
        FetchError::Git { trouble, said } => {
            let code = match trouble {
                Trouble::DiskFull => ErrorCode::DiskFull,
                Trouble::NoGit => ErrorCode::MissingProgram,
                _ => ErrorCode::Git,
            };
            let error = WireError::new(code, format!("{trouble}; git says: {said}"));
            match trouble.next() {
                Some(next) => error.next(next),
                None => error,
            }
        }
    }
}
