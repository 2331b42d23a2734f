//! What the agent's own bytes show, and when: the run's journal, followed while it grows.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Result, bail};
use belfry_journal::{Entry, Follower, What};
use belfry_terminal::{EventKind, Options, Scope, Size, Terminal};

use super::super::record::truth::{Place, Sight, place};

/// Between two looks at the journal. What counts are the times in it, not when it is read.
const BETWEEN: Duration = Duration::from_millis(5);

/// From when on the agent showed something, in microseconds of the machine's monotonic clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) at: u64,
    pub(super) place: Place,
}

/// What was seen.
#[derive(Default)]
struct Seen {
    changes: Vec<Change>,
    rows: Vec<String>,
    exit: Option<u64>,
    trouble: Option<String>,
}

/// Follows a run until it is dropped.
pub(super) struct Eyes {
    seen: Arc<Mutex<Seen>>,
    typed: Arc<AtomicBool>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Eyes {
    pub(super) fn open(agent: &str, journal: &Path, began: u64) -> Result<Self> {
        let follower = Follower::open_oldest(journal)?;
        let changes = vec![Change { at: began, place: Place::Starting }];
        let seen = Arc::new(Mutex::new(Seen { changes, ..Seen::default() }));
        let (typed, over) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let mut looks = Look {
            agent: agent.to_owned(),
            terminal: Terminal::new(Size::new(80, 24), Options::default()),
            report: None,
            seen: Arc::clone(&seen),
            typed: Arc::clone(&typed),
        };
        let ends = Arc::clone(&over);
        let thread = std::thread::spawn(move || looks.follow(follower, &ends));
        Ok(Self { seen, typed, over, thread: Some(thread) })
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keys will be pressed: before that, nothing that the agent shows is work.
    pub(super) fn types(&self) {
        self.typed.store(true, Ordering::Relaxed);
    }

    /// What it shows now, and since when.
    pub(super) fn last(&self) -> Result<Change> {
        let seen = self.seen();
        if let Some(trouble) = &seen.trouble {
            bail!("the journal cannot be followed: {trouble}");
        }
        Ok(seen.changes[seen.changes.len() - 1])
    }

    /// All that it showed.
    pub(super) fn changes(&self) -> Vec<Change> {
        self.seen().changes.clone()
    }

    /// When the program ended.
    pub(super) fn exit(&self) -> Option<u64> {
        self.seen().exit
    }

    /// The screen.
    pub(super) fn screen(&self) -> String {
        self.seen().rows.join("\n")
    }
}

impl Drop for Eyes {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The thread's side.
struct Look {
    agent: String,
    terminal: Terminal,
    /// The `state` of the last OSC 7501 without an id.
    report: Option<String>,
    seen: Arc<Mutex<Seen>>,
    typed: Arc<AtomicBool>,
}

impl Look {
    fn follow(&mut self, mut follower: Follower, over: &AtomicBool) {
        let mut scratch = Vec::new();
        while !over.load(Ordering::Relaxed) {
            if let Err(error) = follower.poll(&mut scratch, u64::MAX, |entry| self.take(&entry)) {
                self.with(|seen| seen.trouble = Some(error.to_string()));
                return;
            }
            std::thread::sleep(BETWEEN);
        }
    }

    fn with<T>(&self, act: impl FnOnce(&mut Seen) -> T) -> T {
        act(&mut self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn take(&mut self, entry: &Entry<'_>) {
        let at = entry.stamp.mono;
        match entry.what {
            What::Output(bytes) => self.printed(bytes, at),
            What::Resize { cols, rows } => self.terminal.resize(Size::new(cols, rows)),
            What::Exit(_) => self.with(|seen| seen.exit = Some(at)),
            What::Input { .. } | What::Gap(_) => {}
        }
    }

    fn printed(&mut self, bytes: &[u8], at: u64) {
        let offset = self.terminal.offset();
        for event in self.terminal.feed(bytes, offset).events {
            if let EventKind::ProgramStatus(status) = event.kind
                && status.get("id").is_none()
            {
                self.report = status.get("state").map(str::to_owned);
            }
        }
        if self.terminal.modes().synchronized {
            return;
        }
        let rows = self.terminal.text(Scope::Screen);
        let sight = Sight {
            rows: &rows,
            title: self.terminal.title(),
            report: self.report.as_deref(),
            bracketed_paste: self.terminal.modes().bracketed_paste,
        };
        let mut place = place(&self.agent, &sight);
        if !self.typed.load(Ordering::Relaxed) && place == Place::Working {
            place = Place::Starting;
        }
        self.with(|seen| {
            let last = seen.changes.last().map(|change| change.place);
            // A screen that is being drawn anew tells nothing.
            if last != Some(place) && (place != Place::Starting || last.is_none()) {
                seen.changes.push(Change { at, place });
            }
            seen.rows = rows;
        });
    }
}
