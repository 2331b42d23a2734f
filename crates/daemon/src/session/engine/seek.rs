//! Reaching the keeper of a run that was started before: when the daemon starts, and where the connection was lost.
//!
//! What decides whether a run goes on is its keeper's process, never a connection. A keeper that lives and does not answer
//! (stopped, or its socket's name removed) is waited for as long as it lives, beside, while its session is served.

use std::sync::Arc;

use belfry_platform::process;
use belfry_protocol::keeper::{Decoder, KeeperHello, Kill, ToKeeper};
use belfry_protocol::signal::Source;
use belfry_protocol::{ErrorCode, RunId, Status};
use belfry_status::Arbiter;
use rustix::process::Signal;
use tokio::time::{Duration, Instant, sleep};

use super::{Engine, take_due};
use crate::Daemon;
use crate::client::Answer;
use crate::launch::Meta;
use crate::session::{Command, Entry, Link, LinkError};
use crate::watch::Watch;

/// How long a keeper whose run was being started when the last daemon ended is waited for. It is there within a fraction of
/// a second or not at all.
const BEING_STARTED: Duration = Duration::from_secs(5);

/// A keeper whose socket is not found between attempts so far apart makes its session's status unknown.
const UNKNOWN_AFTER: Duration = Duration::from_millis(300);

/// How long a keeper that cannot be reached may take to end its run when it is told to by a signal, in milliseconds. Its
/// own steps take three seconds.
const END_UNREACHED: u64 = 10_000;

/// A keeper's connection, with what it said of itself.
pub(crate) type Reached = (Arc<Link>, KeeperHello, Decoder);

impl Engine {
    /// Whether the run may go on although there is no connection.
    pub(super) fn keeper_may_live(&self) -> bool {
        let dir = &self.following.dir;
        self.following.exit.is_none()
            && !dir.exit().exists()
            && Meta::read(dir)
                .is_some_and(|meta| meta.running_keeper().is_some() || meta.is_fresh(&self.daemon.boot_id))
    }

    /// Looks for the keeper, beside.
    pub(super) fn seek(&mut self) {
        self.seeking = true;
        let (daemon, entry, run) = (Arc::clone(&self.daemon), Arc::clone(&self.entry), self.following.run);
        tokio::spawn(async move {
            let found = connect(&daemon, &entry, run).await;
            entry.tell_if_running(Command::Sought { run, found: found.map(Box::new) });
        });
    }

    /// The keeper was found, or is gone.
    pub(super) fn sought(&mut self, run: RunId, found: Result<Box<Reached>, LinkError>) {
        if run != self.following.run || !self.seeking {
            return;
        }
        self.seeking = false;
        self.due.unreached = None;
        match found {
            Ok(reached) => {
                self.reached(*reached);
                if !self.killers.is_empty()
                    && let Some(link) = &self.following.link
                {
                    link.send(&ToKeeper::Kill(Kill::default()));
                }
                if std::mem::take(&mut self.resumes) {
                    self.resume_outgoing();
                }
            }
            Err(error) => {
                tracing::info!(session = %self.entry.logged(), %error, "the run is over");
                self.following.rung = true;
                while self.turn() {}
                self.keeper_left();
            }
        }
    }

    /// Goes on with the run where it is now.
    pub(super) fn reached(&mut self, (link, hello, decoder): Reached) {
        let run = self.following.run;
        let now = self.now();
        self.own_rules();
        let (last, source) = self.last_known();
        *self.watch = Watch::new(Arbiter::resumed(self.table(), last, source, now));
        self.watched_front = self.watches_front();
        self.awaits_front = self.watched_front;
        self.resume_meant();
        self.resume_ask(now);
        // The screen as it is, printed or not.
        self.watch.resized(&self.terminal, now);
        self.stir_front(now);
        self.daemon.change(&self.entry, |session| {
            // That it was not reached is over; whatever else it says stands with its status.
            if session.status == Status::Unknown {
                session.reason = None;
            }
            // Where the last daemon ended before it could note them.
            if let Some(known) = session.runs.iter_mut().find(|known| known.id == run) {
                known.keeper_pid = Some(hello.keeper_pid);
                known.pid = Some(hello.program_pid);
            }
        });
        self.connected(link, decoder, (hello.program_pid, hello.version));
        self.following.exit = hello.exit;
        self.due.verdict = Some(now);
        if hello.disk_full {
            self.notice(Some("the disk is full: only the newest output is kept, in memory".to_owned()));
        }
    }

    /// What clients were told last, and by what it was decided.
    pub(super) fn last_known(&self) -> (Status, Source) {
        let session = self.entry.record();
        (session.status, Source::of(&session.source).unwrap_or(Source::Process))
    }

    /// Ends a run whose keeper cannot be asked to: by a signal, which it takes for the end of the machine.
    pub(super) fn end_unreached(&mut self, answer: Option<Answer>) {
        self.killers.extend(answer);
        if let Some(keeper) = Meta::read(&self.following.dir).and_then(|meta| meta.running_keeper()) {
            process::signal(keeper, Signal::TERM);
            // It may have been stopped.
            process::signal(keeper, Signal::CONT);
        }
        let due = self.now() + END_UNREACHED;
        self.due.unreached.get_or_insert(due);
    }

    pub(super) fn tend_unreached(&mut self, now: u64) {
        if take_due(&mut self.due.unreached, now) {
            for answer in self.killers.drain(..) {
                answer.fail(ErrorCode::StillAlive, "the session's keeper does not answer");
            }
        }
    }
}

/// Connects to a run's keeper. One that is not there is waited for where it may be starting just now, and one that lives and
/// does not answer for as long as it lives: its session is not dead.
async fn connect(daemon: &Daemon, entry: &Entry, run: RunId) -> Result<Reached, LinkError> {
    let socket = daemon.home.keeper_socket(run);
    let dir = entry.run_dir(daemon, run);
    let deadline = Instant::now() + BEING_STARTED;
    let mut pause = Duration::from_millis(5);
    loop {
        let error = match Link::connect(&socket).await {
            Ok((link, hello, decoder)) => return Ok((Arc::new(link), hello, decoder)),
            Err(error) => error,
        };
        let Some(dir) = dir.as_ref().filter(|dir| !dir.exit().exists()) else { return Err(error) };
        let Some(meta) = Meta::read(dir) else { return Err(error) };
        if let Some(keeper) = meta.running_keeper() {
            if matches!(error, LinkError::Gone) {
                // It looks whether its socket still has its name.
                process::signal(keeper, Signal::USR1);
            }
            if pause >= UNKNOWN_AFTER || !matches!(error, LinkError::Gone) {
                tracing::warn!(session = %entry.logged(), %error, "the keeper lives and cannot be reached");
                daemon.change(entry, |session| {
                    session.status = Status::Unknown;
                    session.reason = Some(error.to_string());
                });
            }
            sleep(pause).await;
            pause = (pause * 2).min(Duration::from_secs(10));
        } else if meta.is_fresh(&daemon.boot_id) && Instant::now() + pause < deadline {
            sleep(pause).await;
            pause = (pause * 2).min(Duration::from_millis(100));
        } else {
            return Err(error);
        }
    }
}
