//! Putting idle sessions to sleep, and waking them.
//!
//! A session that sleeps is `idle` with the reason `hibernated`: its program has ended in good order, its record, screen and
//! conversation are as they were, and a new run goes on in that conversation as soon as somebody wants it: by resuming it, or
//! by a message, which is typed once the agent is at its prompt. Nothing is put to sleep that could lose something by it: what
//! is looked at in [`tired`], in [`background`], and by the session's engine in the moment in which it ends the program.

mod background;
mod decide;
mod follow;
mod tired;
mod wake;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use belfry_protocol::{ErrorCode, Status, WireError};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::{Notify, oneshot};

use crate::Daemon;
use crate::session::{Command, Entry};

pub(crate) use follow::follow;
pub(crate) use wake::{Letter, deliver, wake_awaited};

/// How long a program may take to end: it is asked first, and the keeper's ladder takes five seconds.
const END: Duration = Duration::from_secs(20);

/// How often, and how far apart, a screen that is just being drawn is looked at again for a person who waits.
const LOOKS: u32 = 40;
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// The file in a run's directory that says that its program is being put to sleep: a daemon that comes next is to know why the
/// run ended.
const MARK: &str = "hibernate";

/// How long after the mark a run may have ended of it.
const MARK_HOLDS: SignedDuration = SignedDuration::from_secs(60);

/// Who wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// The person, who may look at the session meanwhile.
    Person,
    /// The settings.
    Itself,
}

/// Wakes the one who follows idle sessions, while there is something to follow.
#[derive(Debug, Default)]
pub(crate) struct Sleeper {
    on: AtomicBool,
    changed: Notify,
}

impl Sleeper {
    /// A session has changed.
    pub(crate) fn changed(&self) {
        if self.on.load(Ordering::Relaxed) {
            self.changed.notify_one();
        }
    }

    /// The settings have changed.
    pub(crate) fn settings_changed(&self) {
        self.changed.notify_one();
    }
}

/// Puts a session to sleep, and waits until it sleeps.
pub(crate) async fn hibernate(daemon: &Arc<Daemon>, entry: &Arc<Entry>, by: By) -> Result<(), WireError> {
    if entry.record().hibernated() {
        return Ok(());
    }
    if !entry.alive() {
        return Err(WireError::new(ErrorCode::NotAlive, "the session has ended"));
    }
    let session = entry.session();
    tired::by_table(daemon, &session)?;
    tired::by_record(&session, by).map_err(|why| refused(&why))?;
    let env = session.pid.and_then(crate::sources::environ).map(|environ| environ.all());
    let env = env.ok_or_else(|| refused("its program cannot be looked into"))?;
    tired::by_agent(daemon, entry, &session, env.clone()).await?;
    let agents = daemon.agents();
    let runs = tokio::task::spawn_blocking(move || background::runs(&session, &agents)).await;
    if let Some(name) = runs.map_err(|error| WireError::new(ErrorCode::Internal, error.to_string()))? {
        return Err(refused(&format!("{name} runs in its background")));
    }
    let mut changes = entry.changed.subscribe();
    let run = entry.newest_run();
    *entry.slept_with.lock() = Some(env);
    if let Err(error) = begin(daemon, entry, by).await {
        *entry.slept_with.lock() = None;
        return Err(error);
    }
    // A message may have woken it before we see that it slept.
    let same = || entry.alive() && entry.newest_run() == run;
    let over = async {
        while same() && entry.falls_asleep() {
            if changes.changed().await.is_err() {
                return;
            }
        }
    };
    if tokio::time::timeout(END, over).await.is_err() {
        return Err(WireError::new(ErrorCode::StillAlive, "its program does not end"));
    }
    if same() {
        *entry.slept_with.lock() = None;
        return Err(refused("somebody types in it"));
    }
    if entry.record().status == Status::Dead {
        return Err(WireError::new(ErrorCode::NotAlive, "somebody has ended the session"));
    }
    Ok(())
}

/// Has its engine begin to end the program.
async fn begin(daemon: &Arc<Daemon>, entry: &Arc<Entry>, by: By) -> Result<(), WireError> {
    for _ in 0..LOOKS {
        let (done, begun) = oneshot::channel();
        entry.tell(daemon, Command::Hibernate { by, done });
        match begun.await {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(Held::ForAMoment)) => tokio::time::sleep(LOOK_AGAIN).await,
            Ok(Err(Held::By(why))) => return Err(refused(&why)),
            Err(_) => return Err(WireError::new(ErrorCode::NotAlive, "the session has ended")),
        }
    }
    Err(refused("its screen does not stand still"))
}

/// What keeps an engine from ending the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// Its screen is just being drawn.
    ForAMoment,
    /// Something that would be lost.
    By(String),
}

fn refused(why: &str) -> WireError {
    WireError::new(ErrorCode::StillAlive, format!("it cannot be put to sleep now: {why}"))
        .kept("the session goes on")
}

/// Notes in the run's directory that it is put to sleep.
pub(crate) fn mark(run: &Path) -> std::io::Result<()> {
    std::fs::write(run.join(MARK), [])
}

/// It is not put to sleep after all.
pub(crate) fn unmark(run: &Path) {
    if let Err(error) = std::fs::remove_file(run.join(MARK)) {
        tracing::warn!(%error, "a run's mark cannot be removed");
    }
}

/// Whether the run, which ended then, ended because it was put to sleep.
pub(crate) fn was_marked(run: &Path, ended_at: Timestamp) -> bool {
    let marked = std::fs::metadata(run.join(MARK)).and_then(|meta| meta.modified()).ok();
    let marked = marked.and_then(|at| Timestamp::try_from(at).ok());
    marked.is_some_and(|marked| {
        let after = ended_at.duration_since(marked);
        // A record's time is cut to milliseconds, and the clock may have been set.
        after >= SignedDuration::from_secs(-1) && after <= MARK_HOLDS
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_ends_long_after_it_was_marked_has_ended_of_something_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let now = Timestamp::now();
        assert!(!was_marked(folder.path(), now));
        mark(folder.path()).expect("it is marked");
        let after = |seconds| now.checked_add(SignedDuration::from_secs(seconds)).expect("a time");
        assert!(was_marked(folder.path(), after(1)));
        assert!(!was_marked(folder.path(), after(600)));
        assert!(!was_marked(folder.path(), after(-600)));
    }
}
