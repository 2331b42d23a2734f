//! Files of agents, followed by one thread for all sessions. It sleeps until something changes.

mod beneath;
mod claude;
mod codex;
mod dirs;
pub(super) mod environ;
mod gemini;
mod tail;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::os::fd::OwnedFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use belfry_agents::{Activity, Told};
use belfry_protocol::Source;
use parking_lot::Mutex;
use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};

use self::claude::ClaudeFiles;
use self::codex::CodexFiles;
use self::dirs::{Dirs, Happened, Want};
use self::gemini::GeminiFiles;
use super::{SourceSignal, Subject, Tell, dated};
use crate::clock::Clock;

/// One who follows something.
type Key = u64;

/// Least time between two readings of what has changed: writes come in bunches, and a file that is written to without end
/// must not keep a core busy.
const PACE: Duration = Duration::from_millis(5);

/// Looks until a look finds no other directories than the one before. They differ once or twice.
const LOOKS: usize = 4;

/// After a sign that something is about to be there, it is looked for now and after each of these, in milliseconds.
const AGAIN: [u64; 3] = [60, 250, 1000];

/// What a look or a change has brought.
type Findings = Vec<Finding>;

/// One thing told.
struct Finding {
    source: Source,
    told: Told,
    /// It has just come; otherwise it was there already, and may be old.
    fresh: bool,
}

/// What is to follow on a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    Nothing,
    /// All is to be looked at anew.
    Look,
    /// The same, and again a little later: what is to be there may not be there yet.
    Expect,
}

/// Follows the files of one run.
trait Follow: Send {
    /// Looks at everything anew, and says which directories are of interest.
    fn look(&mut self, found: &mut Findings) -> Vec<Want>;

    /// Something in one of them has changed.
    fn touched(&mut self, tag: u8, name: &OsStr, created: bool, found: &mut Findings) -> Then;
}

fn follow(subject: Subject) -> Option<Box<dyn Follow>> {
    match subject.agent.as_str() {
        "claude" => ClaudeFiles::new(subject).map(|files| Box::new(files) as Box<dyn Follow>),
        "codex" => CodexFiles::new(&subject).map(|files| Box::new(files) as Box<dyn Follow>),
        "gemini" => GeminiFiles::new(subject).map(|files| Box::new(files) as Box<dyn Follow>),
        _ => None,
    }
}

enum Order {
    Add(Key, Subject, Listener),
    Remove(Key),
}

/// The way to the thread. It ends when this and all that is followed are dropped.
#[derive(Debug)]
pub(super) struct Files {
    orders: Orders,
    next: AtomicU64,
}

#[derive(Clone, Debug)]
struct Orders {
    orders: mpsc::Sender<Order>,
    wake: Arc<OwnedFd>,
}

impl Orders {
    fn give(&self, order: Order) {
        if self.orders.send(order).is_ok() {
            let _ = rustix::io::write(&self.wake, &1_u64.to_ne_bytes());
        }
    }
}

/// Who is told, until that is over. Held while somebody is told, so that nothing is told any more once it is over.
type Listener = Arc<Mutex<Option<Tell>>>;

/// Files of one run that are followed.
pub(super) struct Followed {
    orders: Orders,
    key: Key,
    listener: Listener,
}

impl std::fmt::Debug for Followed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Followed({})", self.key)
    }
}

impl Drop for Followed {
    fn drop(&mut self) {
        *self.listener.lock() = None;
        self.orders.give(Order::Remove(self.key));
    }
}

impl Files {
    pub(super) fn start(clock: Clock) -> io::Result<Self> {
        let dirs = Dirs::new()?;
        let wake = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?);
        let (orders, mailbox) = mpsc::channel();
        let thread = Thread { dirs, mailbox, wake: Arc::clone(&wake), clock, followed: BTreeMap::new() };
        std::thread::Builder::new().name("belfry-sources".to_owned()).spawn(move || thread.run())?;
        Ok(Self { orders: Orders { orders, wake }, next: AtomicU64::new(0) })
    }

    pub(super) fn watch(&self, subject: Subject, tell: Tell) -> Option<Followed> {
        if !matches!(subject.agent.as_str(), "claude" | "codex" | "gemini") {
            return None;
        }
        let key = self.next.fetch_add(1, Ordering::Relaxed);
        let listener = Arc::new(Mutex::new(Some(tell)));
        self.orders.give(Order::Add(key, subject, Arc::clone(&listener)));
        Some(Followed { orders: self.orders.clone(), key, listener })
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        // The thread finds its mailbox closed once this is dropped as well.
        let (closed, _) = mpsc::channel();
        self.orders.orders = closed;
        let _ = rustix::io::write(&self.orders.wake, &1_u64.to_ne_bytes());
    }
}

struct Thread {
    dirs: Dirs,
    mailbox: mpsc::Receiver<Order>,
    wake: Arc<OwnedFd>,
    clock: Clock,
    followed: BTreeMap<Key, Following>,
}

struct Following {
    files: Box<dyn Follow>,
    listener: Listener,
    /// When it is looked at again, the next one last.
    again: Vec<Instant>,
}

impl Thread {
    fn run(mut self) {
        loop {
            let mut counter = [0; 8];
            let _ = rustix::io::read(&*self.wake, &mut counter);
            loop {
                match self.mailbox.try_recv() {
                    Ok(order) => self.obey(order),
                    Err(mpsc::TryRecvError::Empty) => break,
                    Err(mpsc::TryRecvError::Disconnected) => return,
                }
            }
            self.look_again();
            let next = self.followed.values().filter_map(|following| following.again.last()).min();
            let patience = next.map(|at| Timespec::try_from(at.saturating_duration_since(Instant::now())));
            let patience = patience.and_then(Result::ok);
            let mut fds = [PollFd::new(&self.dirs, PollFlags::IN), PollFd::new(&self.wake, PollFlags::IN)];
            match poll(&mut fds, patience.as_ref()) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => {
                    tracing::warn!(%error, "agents' files are no longer followed");
                    return;
                }
            }
            if fds[0].revents().is_empty() {
                continue;
            }
            std::thread::sleep(PACE);
            for happened in self.dirs.happened() {
                match happened {
                    Happened::Touched { key, tag, name, created } => {
                        match self.with(key, |files, found| files.touched(tag, &name, created, found)) {
                            None | Some(Then::Nothing) => {}
                            Some(Then::Look) => self.look(key),
                            Some(Then::Expect) => self.look_soon(key),
                        }
                    }
                    // What comes in several steps is not whole yet.
                    Happened::Look(key) => self.look_soon(key),
                    // The system has lost count of what happened.
                    Happened::Lost => {
                        let all: Vec<Key> = self.followed.keys().copied().collect();
                        for key in all {
                            self.look(key);
                        }
                    }
                }
            }
        }
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Add(key, subject, listener) => {
                if let Some(files) = follow(subject) {
                    self.followed.insert(key, Following { files, listener, again: Vec::new() });
                    self.look(key);
                }
            }
            Order::Remove(key) => self.forget(key),
        }
    }

    /// Looks until what is watched is what was looked at: something may have come between the look and the watch.
    fn look(&mut self, key: Key) {
        let mut watched = None;
        for _ in 0..LOOKS {
            let Some(wants) = self.with(key, |files, found| files.look(found)) else { return };
            if watched.as_ref() == Some(&wants) {
                return;
            }
            self.dirs.set(key, wants.clone());
            watched = Some(wants);
        }
    }

    fn look_soon(&mut self, key: Key) {
        self.look(key);
        if let Some(following) = self.followed.get_mut(&key) {
            let now = Instant::now();
            following.again = AGAIN.iter().rev().map(|after| now + Duration::from_millis(*after)).collect();
        }
    }

    fn look_again(&mut self) {
        let now = Instant::now();
        let mut due = Vec::new();
        for (key, following) in &mut self.followed {
            if following.again.last().is_some_and(|at| *at <= now) {
                following.again.pop();
                due.push(*key);
            }
        }
        for key in due {
            self.look(key);
        }
    }

    /// Lets one follow, and tells what it has found. A fault in the reading of one agent's files ends that and nothing else.
    fn with<T>(&mut self, key: Key, work: impl FnOnce(&mut dyn Follow, &mut Findings) -> T) -> Option<T> {
        let following = self.followed.get_mut(&key)?;
        let mut found = Findings::new();
        let done = catch_unwind(AssertUnwindSafe(|| work(following.files.as_mut(), &mut found)));
        for Finding { source, told, fresh } in found {
            let at = dated(self.clock, told.at_ms, fresh);
            if let Some(tell) = following.listener.lock().as_ref() {
                tell(SourceSignal { source, told, at });
            }
        }
        if done.is_err() {
            tracing::error!("an agent's files cannot be followed: a fault of our own");
            self.forget(key);
        }
        done.ok()
    }

    fn forget(&mut self, key: Key) {
        self.followed.remove(&key);
        self.dirs.set(key, Vec::new());
    }
}

/// Of several things told one after the other, what holds now.
fn newest(told: Vec<Told>) -> Option<Told> {
    told.into_iter().reduce(|before, mut now| {
        if now.activity == Activity::Same {
            now.activity = before.activity;
        }
        if now.says.is_none() {
            (now.says, now.what) = (before.says, before.what);
            (now.reason, now.until, now.at_ms) = (before.reason, before.until, before.at_ms);
        }
        now
    })
}
