//! The search index: one thread keeps it up to date, and whoever asks is answered at once from what it knows.
//!
//! It begins when somebody asks for the first time, so that a daemon which nobody asks reads nobody's conversations. From then on
//! it looks for what is new whenever it is asked, at most every two seconds: nobody is kept waiting, and nothing is looked at while
//! nobody looks. Reading takes half of one core at the lowest priority, in steps of some tens of milliseconds. The same goes for
//! what the sessions' terminals showed, which is read from their journals: a session costs nothing for being searched some day.

mod runs;
mod sight;

use std::cell::RefCell;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use belfry_index::{Index, IndexError, Opened};
use belfry_protocol::search::Indexing;
use belfry_protocol::{ErrorCode, SessionId, WireError};
use belfry_terminal::Options;
use belfry_transcripts::{Budget, Homes, found};
use parking_lot::Mutex;

use self::runs::{Course, Known, Runs};
use crate::Daemon;

/// How long what was looked for is taken for all there is.
const FRESH: Duration = Duration::from_secs(2);
/// How long the terminals of runs that go on are kept after the last look, in seconds.
const KEPT: u32 = 60;
/// Read at once.
const STEP: Budget = Budget { bytes: 2 * 1024 * 1024, entries: 1000 };

/// The index's part of the daemon.
#[derive(Default)]
pub(crate) struct Indexer {
    /// Wakes the thread; none before the first question.
    wake: Mutex<Option<SyncSender<()>>>,
    progress: Arc<Mutex<Looked>>,
    /// For questions. The thread has one of its own, and takes this one away when it has made the file anew.
    index: Arc<Mutex<Option<Index>>>,
    /// Held while it is opened, made or set aside.
    opening: Arc<Mutex<()>>,
    /// What the sessions have.
    sessions: Arc<Mutex<Sessions>>,
}

/// What there is of the daemon's own sessions to be read.
#[derive(Default)]
struct Sessions {
    /// Histories that those of Aider have.
    aider: Vec<PathBuf>,
    runs: Vec<Known>,
    options: Options,
}

#[derive(Debug, Default)]
struct Looked {
    indexing: Indexing,
    /// When it was last looked for what is new.
    at: Option<Instant>,
    /// Why it cannot go on.
    failed: Option<String>,
}

impl Indexer {
    /// How far it is.
    pub(crate) fn progress(&self) -> Indexing {
        self.progress.lock().indexing
    }

    /// Has it look for what is new, unless it just did.
    fn refresh(&self, daemon: &Daemon) {
        let mut wake = self.wake.lock();
        let looks =
            |looked: &Looked| looked.indexing.busy || looked.at.is_some_and(|at| at.elapsed() < FRESH);
        if looks(&self.progress.lock()) {
            return;
        }
        *self.sessions.lock() = Sessions::of(daemon);
        let mut looked = self.progress.lock();
        if wake.is_none() {
            let (sender, woken) = sync_channel(1);
            let work = Work {
                file: file(daemon),
                stop: daemon.stop.subscribe(),
                progress: Arc::clone(&self.progress),
                index: Arc::clone(&self.index),
                opening: Arc::clone(&self.opening),
                sessions: Arc::clone(&self.sessions),
                runs: RefCell::default(),
                woken,
            };
            let started = std::thread::Builder::new().name("index".to_owned()).spawn(move || work.run());
            if let Err(error) = started {
                looked.failed = Some(error.to_string());
                return;
            }
            *wake = Some(sender);
        }
        looked.indexing.busy = true;
        if let Some(wake) = &*wake {
            let _ = wake.try_send(());
        }
    }
}

impl Sessions {
    fn of(daemon: &Daemon) -> Self {
        let histories = daemon.entries().into_iter().filter_map(|entry| {
            let record = entry.record();
            let history = record.conversation_id.as_deref().filter(|_| record.agent == "aider");
            history.map(PathBuf::from)
        });
        Self { aider: histories.collect(), runs: runs::known(daemon), options: daemon.terminal_options() }
    }
}

fn file(daemon: &Daemon) -> PathBuf {
    daemon.home.state_dir().join("index.db")
}

/// Asks the index something.
pub(crate) async fn ask<T: Send + 'static>(
    daemon: &Arc<Daemon>,
    question: impl FnOnce(&mut Index) -> belfry_index::Result<T> + Send + 'static,
) -> Result<T, WireError> {
    daemon.indexer.refresh(daemon);
    let asked = tokio::task::spawn_blocking(door(daemon, question));
    let internal = |error: &dyn std::fmt::Display| WireError::new(ErrorCode::Internal, error.to_string());
    asked.await.map_err(|error| internal(&error))?.map_err(|error| internal(&error))
}

/// What a session's terminal showed is in it no more, as it is removed for good.
pub(crate) fn forget(daemon: &Daemon, session: SessionId) {
    if !file(daemon).exists() {
        return;
    }
    let forgetting = door(daemon, move |index| index.forget_session(session));
    tokio::task::spawn_blocking(|| {
        // It is in no list from which the index is brought up to date: the next one forgets it.
        if let Err(error) = forgetting() {
            tracing::warn!(%error, "a removed session is still in the search index");
        }
    });
}

/// Asks the index, which is opened where it is not. Blocks.
fn door<T>(
    daemon: &Daemon,
    question: impl FnOnce(&mut Index) -> belfry_index::Result<T> + Send + 'static,
) -> impl FnOnce() -> belfry_index::Result<T> + Send + 'static {
    let (index, opening) = (Arc::clone(&daemon.indexer.index), Arc::clone(&daemon.indexer.opening));
    let file = file(daemon);
    move || {
        let mut index = index.lock();
        if index.is_none() {
            let _alone = opening.lock();
            *index = Some(Index::open(&file)?.0);
        }
        let outcome = match &mut *index {
            Some(index) => question(index),
            None => return Err(IndexError::Io(std::io::ErrorKind::NotFound.into())),
        };
        if matches!(outcome, Err(IndexError::Damaged(_))) {
            // Made anew by the next question.
            *index = None;
            let _alone = opening.lock();
            Index::set_aside(&file)?;
        }
        outcome
    }
}

/// The thread that keeps it up to date.
struct Work {
    file: PathBuf,
    stop: tokio::sync::watch::Receiver<bool>,
    progress: Arc<Mutex<Looked>>,
    index: Arc<Mutex<Option<Index>>>,
    opening: Arc<Mutex<()>>,
    sessions: Arc<Mutex<Sessions>>,
    runs: RefCell<Runs>,
    woken: Receiver<()>,
}

impl Work {
    fn run(self) {
        lowest_priority();
        let mut seconds = 0;
        loop {
            match self.woken.recv_timeout(Duration::from_secs(1)) {
                Ok(()) => seconds = 0,
                Err(RecvTimeoutError::Timeout) if !*self.stop.borrow() => {
                    seconds += 1;
                    if seconds == KEPT {
                        self.runs.borrow_mut().clear();
                    }
                    continue;
                }
                Err(_) => return,
            }
            // What a conversation has in it must not end this thread: everybody would wait for it for ever.
            let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| self.brought_up_to_date()));
            if !matches!(outcome, Ok(Ok(()))) {
                // What they have told may not be in it.
                self.runs.borrow_mut().clear();
            }
            let mut looked = self.progress.lock();
            looked.indexing.busy = false;
            looked.at = Some(Instant::now());
            looked.failed = match outcome {
                Ok(outcome) => outcome.err().map(|error| error.to_string()),
                Err(_) => Some("a conversation could not be read".to_owned()),
            };
            if let Some(failed) = &looked.failed {
                tracing::warn!("the search index is not up to date: {failed}");
            }
        }
    }

    fn brought_up_to_date(&self) -> belfry_index::Result<()> {
        match self.update() {
            Err(IndexError::Damaged(_)) => self.set_aside().and_then(|()| self.update()),
            outcome => outcome,
        }
    }

    fn update(&self) -> belfry_index::Result<()> {
        let (mut index, opened) = {
            let _alone = self.opening.lock();
            Index::open(&self.file)?
        };
        if opened != Opened::Kept {
            self.runs.borrow_mut().clear();
        }
        if let Opened::SetAside(aside) = opened {
            self.made_anew(&aside);
        }
        self.read_runs(&mut index)?;
        // Aider keeps its conversations in the directories that others' tell of.
        let mut looked = None;
        loop {
            let mut known = index.directories()?;
            known.extend(self.sessions.lock().aider.iter().cloned());
            if looked.as_ref() == Some(&known) || *self.stop.borrow() {
                return Ok(());
            }
            self.read_all(&mut index, known.clone())?;
            looked = Some(known);
        }
    }

    /// What terminals showed comes first: it is far less than what conversations say.
    fn read_runs(&self, index: &mut Index) -> belfry_index::Result<()> {
        let (runs, options) = {
            let mut sessions = self.sessions.lock();
            (std::mem::take(&mut sessions.runs), std::mem::take(&mut sessions.options))
        };
        let told = |done, total| self.tell(done, total);
        let ends = || *self.stop.borrow();
        self.runs.borrow_mut().update(index, &runs, &options, &Course { told: &told, ends: &ends })
    }

    fn tell(&self, done: usize, total: usize) {
        let count = |number| u32::try_from(number).unwrap_or(u32::MAX);
        self.progress.lock().indexing = Indexing { done: count(done), total: count(total), busy: true };
    }

    fn read_all(&self, index: &mut Index, directories: Vec<PathBuf>) -> belfry_index::Result<()> {
        let homes = Homes::of(|name| std::env::var(name).ok()).with_aider(directories);
        let mut update = index.compare(&found(&homes))?;
        while !update.is_done() && !*self.stop.borrow() {
            let began = Instant::now();
            let step = index.step(&mut update, STEP)?;
            self.tell(step.done, step.total);
            // As long again for everybody else.
            std::thread::sleep(began.elapsed().min(Duration::from_millis(200)));
        }
        for (found, why) in update.failed().iter().take(20) {
            tracing::debug!("{} of {} could not be read: {why}", found.file().display(), found.agent);
        }
        Ok(())
    }

    fn set_aside(&self) -> belfry_index::Result<()> {
        let aside = {
            let _alone = self.opening.lock();
            Index::set_aside(&self.file)?
        };
        self.made_anew(&aside);
        Ok(())
    }

    fn made_anew(&self, aside: &std::path::Path) {
        // It has the file open that was set aside.
        *self.index.lock() = None;
        tracing::warn!("the search index was damaged; it is made anew, and lies in {}", aside.display());
    }
}

/// Of this thread alone: elsewhere a thread has its process's.
#[cfg(target_os = "linux")]
fn lowest_priority() {
    let _ = rustix::process::nice(19);
}

/// macOS: `pthread_set_qos_class_self_np` with background; Windows: `SetThreadPriority` with background mode.
#[cfg(not(target_os = "linux"))]
fn lowest_priority() {}
