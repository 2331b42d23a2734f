//! A session's record in memory, and the way to its engine.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use belfry_platform::home::RunDir;
use belfry_protocol::history::Happened;
use belfry_protocol::launch::EnvVar;
use belfry_protocol::session::LearntConversation;
use belfry_protocol::{RunId, Session, SessionId};
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::{Notify, mpsc, watch};

use super::engine::{self, Start};
use super::{Command, Link, Live, reports};
use crate::Daemon;
use crate::client::View;

/// How much of what happened to a private session is remembered.
const REMEMBERED: usize = 100;

/// How long what was typed may take to show, in milliseconds.
const JUST_TYPED: u64 = 500;

/// One session.
pub(crate) struct Entry {
    /// Its id.
    pub(crate) id: SessionId,
    /// It was made ahead and is nobody's yet: no client hears of it.
    pub(crate) hidden: AtomicBool,
    /// Nothing of it is on disk.
    pub(crate) private: bool,
    /// It runs a command of a workspace beside an agent.
    pub(crate) beside: bool,
    /// Wakes the engine: credit was granted.
    pub(crate) wake: Notify,
    /// Counts changes of the record.
    pub(crate) changed: watch::Sender<u64>,
    /// The view that has the keyboard, as [`crate::client::ViewKey::number`]; 0 for none.
    pub(crate) focus: AtomicU64,
    /// When something was last typed, when Enter, when what interrupts a program, and when the terminal last reported
    /// something by itself (the mouse); by the daemon's clock.
    pub(crate) typed_at: AtomicU64,
    pub(crate) entered_at: AtomicU64,
    pub(crate) interrupted_at: AtomicU64,
    pub(crate) touched_at: AtomicU64,
    /// Counts what the person has typed: an answer that is being given gives way to it. Counted before it is sent.
    pub(crate) keystrokes: AtomicU64,
    /// Something was typed after the last Enter.
    pub(crate) draft: AtomicBool,
    /// A message that was being typed when the last daemon ended: it may lie where it was typed, submitted or not.
    pub(crate) cut_off: Mutex<Option<String>>,
    /// The branch of its directory is being looked for.
    pub(crate) looking_for_branch: AtomicBool,
    /// The person has ended its program, or is about to.
    pub(crate) killed: AtomicBool,
    /// Its program is being put to sleep.
    pub(crate) hibernating: AtomicBool,
    /// The environment of the program that was put to sleep, for the one that it is woken with. In memory alone: what is in it
    /// can be secret. A daemon that comes next takes the login shell's.
    pub(crate) slept_with: Mutex<Option<Vec<EnvVar>>>,
    /// The last question went away without an answer.
    pub(crate) ask_vanished: AtomicBool,
    /// It is being removed: nothing of it is saved any more.
    pub(crate) removed: AtomicBool,
    /// Its workspace is being made, and its program starts after that; ends the making.
    pub(crate) making: Mutex<Option<belfry_workspace::Stop>>,
    /// Held while a new run is being started, and while it is removed.
    pub(crate) starting: tokio::sync::Mutex<()>,
    /// What happened to a private session, newest first: its history is nowhere else.
    remembered: Mutex<VecDeque<Happened>>,
    /// The conversations of a private session, newest first: its ledger is nowhere else.
    pub(crate) ledger: Mutex<Vec<LearntConversation>>,
    record: Mutex<Session>,
    link: Mutex<Option<Arc<Link>>>,
    mailbox: Mutex<Option<mpsc::UnboundedSender<Command>>>,
}

/// A session's id in the log, which is on a disk: nothing there names a private session.
pub(crate) struct Logged(Option<SessionId>);

impl Logged {
    pub(crate) fn new(id: SessionId, private: bool) -> Self {
        Self((!private).then_some(id))
    }
}

impl std::fmt::Display for Logged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(id) => id.fmt(f),
            None => f.write_str("private"),
        }
    }
}

/// What the record of a private session says of the conversation that it is in.
fn known_conversation(record: &Session) -> Vec<LearntConversation> {
    let id = record.conversation_id.clone().filter(|_| record.private);
    let known = id.map(|id| LearntConversation { id, learnt_at: record.since, how: "launch".to_owned() });
    known.into_iter().collect()
}

impl Entry {
    pub(crate) fn new(record: Session) -> Self {
        Self {
            id: record.id,
            hidden: AtomicBool::new(record.unspoken),
            private: record.private,
            beside: record.runs_for.is_some(),
            wake: Notify::new(),
            changed: watch::Sender::new(0),
            focus: AtomicU64::new(0),
            typed_at: AtomicU64::new(0),
            entered_at: AtomicU64::new(0),
            interrupted_at: AtomicU64::new(0),
            touched_at: AtomicU64::new(0),
            keystrokes: AtomicU64::new(0),
            draft: AtomicBool::new(false),
            cut_off: Mutex::new(None),
            looking_for_branch: AtomicBool::new(false),
            killed: AtomicBool::new(false),
            hibernating: AtomicBool::new(false),
            slept_with: Mutex::default(),
            ask_vanished: AtomicBool::new(false),
            removed: AtomicBool::new(false),
            making: Mutex::default(),
            starting: tokio::sync::Mutex::new(()),
            remembered: Mutex::default(),
            ledger: Mutex::new(known_conversation(&record)),
            record: Mutex::new(record),
            link: Mutex::new(None),
            mailbox: Mutex::new(None),
        }
    }

    /// The record. Held for moments only, and never across another lock.
    pub(crate) fn record(&self) -> MutexGuard<'_, Session> {
        self.record.lock()
    }

    /// A copy of the record.
    pub(crate) fn session(&self) -> Session {
        self.record.lock().clone()
    }

    /// Whether it was made ahead and is nobody's yet.
    pub(crate) fn is_hidden(&self) -> bool {
        self.hidden.load(Ordering::SeqCst)
    }

    /// Something was submitted to it: where it was made ahead it is one like any other from here on.
    pub(crate) fn spoken_to(self: &Arc<Self>, daemon: &Arc<Daemon>, bytes: &[u8]) {
        if bytes.ends_with(b"\r") && self.record().unspoken {
            crate::workspaces::graduate(daemon, self, None);
        }
    }

    /// What the log calls it.
    pub(crate) fn logged(&self) -> Logged {
        Logged::new(self.id, self.private)
    }

    /// Keeps in memory what happened; of a question that is known already, what became of it.
    pub(crate) fn remember(&self, happened: Happened) {
        let mut remembered = self.remembered.lock();
        let known = |one: &&mut Happened| match (one, &happened) {
            (Happened::Ask(one), Happened::Ask(ask)) => one.ask == ask.ask,
            _ => false,
        };
        if let Some(known) = remembered.iter_mut().find(known) {
            *known = happened;
            return;
        }
        remembered.truncate(REMEMBERED - 1);
        remembered.push_front(happened);
    }

    /// What happened to a private session, newest first.
    pub(crate) fn remembered(&self) -> Vec<Happened> {
        self.remembered.lock().iter().cloned().collect()
    }

    pub(crate) fn alive(&self) -> bool {
        self.record.lock().alive()
    }

    /// Whether its workspace is being made, and it has no program yet.
    pub(crate) fn is_being_made(&self) -> bool {
        self.making.lock().is_some()
    }

    /// Ends the making of its workspace, where that goes on; completes once that is over. Whether it did.
    pub(crate) async fn stop_making(&self) -> bool {
        let mut changes = self.changed.subscribe();
        match &*self.making.lock() {
            Some(stop) => stop.now(),
            None => return false,
        }
        while self.is_being_made() || self.alive() {
            if changes.changed().await.is_err() {
                break;
            }
        }
        true
    }

    /// Whether its program is being put to sleep.
    pub(crate) fn falls_asleep(&self) -> bool {
        self.hibernating.load(Ordering::SeqCst)
    }

    /// Whether something was typed just now, which may not show yet.
    pub(crate) fn keystrokes_are_young(&self, now: u64) -> bool {
        let typed_at = self.typed_at.load(Ordering::Relaxed);
        typed_at > 0 && now < typed_at + JUST_TYPED
    }

    pub(crate) fn newest_run(&self) -> Option<RunId> {
        self.record.lock().runs.first().map(|run| run.id)
    }

    pub(crate) fn set_link(&self, link: Option<Arc<Link>>) {
        *self.link.lock() = link;
    }

    /// Types or pastes, by the shortest way. `now` is the daemon's clock.
    pub(crate) fn input(self: &Arc<Self>, daemon: &Arc<Daemon>, view: &View, bytes: Vec<u8>, now: u64) {
        // xterm.js answers mode 1004 itself; focus is told by requests, and a program must not hear it twice.
        if bytes == b"\x1b[I" || bytes == b"\x1b[O" {
            return;
        }
        // Nor may what the mouse does by merely being there allow a program what a key press does.
        if !reports::only(&bytes) {
            view.typed_at.store(now, Ordering::Relaxed);
            self.keystrokes.fetch_add(1, Ordering::SeqCst);
        }
        self.typed(&bytes, now);
        self.spoken_to(daemon, &bytes);
        if self.focus.load(Ordering::Relaxed) != view.key().number() {
            self.tell(daemon, Command::Focus { view: view.key(), focused: true, answer: None });
        }
        let link = self.link.lock().clone();
        match link {
            Some(link) => {
                if !link.input(&bytes) {
                    tracing::warn!(session = %self.logged(), "input was dropped: the keeper does not read");
                }
            }
            None => self.tell(daemon, Command::Input(bytes)),
        }
    }

    /// Notes that something was typed. A carriage return submits, as does nothing else; bytes that begin with an escape are
    /// keys or reports of the mouse and leave no draft.
    pub(crate) fn typed(&self, bytes: &[u8], now: u64) {
        if reports::only(bytes) {
            self.touched_at.store(now, Ordering::Relaxed);
            return;
        }
        self.typed_at.store(now, Ordering::Relaxed);
        if bytes == b"\x1b" || bytes == b"\x03" {
            self.interrupted_at.store(now, Ordering::Relaxed);
            self.wake.notify_one();
        }
        if bytes.ends_with(b"\r") {
            self.entered_at.store(now, Ordering::Relaxed);
            self.draft.store(false, Ordering::Relaxed);
        } else if bytes == b"\x03" || bytes == b"\x15" {
            // Ctrl-C and Ctrl-U clear what was typed.
            self.draft.store(false, Ordering::Relaxed);
        } else if bytes.first().is_some_and(|first| *first >= b' ' && *first != 0x7f)
            || bytes.starts_with(b"\x1b[200~")
        {
            self.draft.store(true, Ordering::Relaxed);
        }
    }

    /// Tells the engine something; starts one where none runs.
    pub(crate) fn tell(self: &Arc<Self>, daemon: &Arc<Daemon>, command: Command) {
        let mut mailbox = self.mailbox.lock();
        let command = match mailbox.as_ref() {
            Some(sender) => match sender.send(command) {
                Ok(()) => return,
                Err(returned) => returned.0,
            },
            None => command,
        };
        // There is nothing to find while the directory for it is made.
        let start = if self.alive() && !self.is_being_made() { Start::Find } else { Start::Show };
        let sender = engine::spawn(Arc::clone(daemon), Arc::clone(self), start);
        let _ = sender.send(command);
        *mailbox = Some(sender);
    }

    /// Gives a new run to the engine; starts one with it where none runs.
    pub(crate) fn take_up(self: &Arc<Self>, daemon: &Arc<Daemon>, live: Live) {
        self.hibernating.store(false, Ordering::SeqCst);
        *self.slept_with.lock() = None;
        self.killed.store(false, Ordering::Relaxed);
        let mut mailbox = self.mailbox.lock();
        let mut command = Command::Run(Box::new(live));
        if let Some(sender) = mailbox.as_ref() {
            match sender.send(command) {
                Ok(()) => return,
                Err(returned) => command = returned.0,
            }
        }
        if let Command::Run(live) = command {
            *mailbox = Some(engine::spawn(Arc::clone(daemon), Arc::clone(self), Start::Live(live)));
        }
    }

    /// Starts the engine, where none runs.
    pub(crate) fn start(self: &Arc<Self>, daemon: &Arc<Daemon>, start: Start) {
        let mut mailbox = self.mailbox.lock();
        if mailbox.as_ref().is_none_or(mpsc::UnboundedSender::is_closed) {
            *mailbox = Some(engine::spawn(Arc::clone(daemon), Arc::clone(self), start));
        }
    }

    /// Tells the engine something only if there is one; says whether.
    pub(crate) fn tell_if_running(&self, command: Command) -> bool {
        self.mailbox.lock().as_ref().is_some_and(|sender| sender.send(command).is_ok())
    }

    /// Lets the engine end: false when something arrived for it in the meantime.
    pub(super) fn leave(&self, mailbox: &mpsc::UnboundedReceiver<Command>) -> bool {
        // Under the lock nobody can add to the mailbox between the look and the end.
        let mut sender = self.mailbox.lock();
        if !mailbox.is_empty() {
            return false;
        }
        *sender = None;
        true
    }

    /// Where a run's files are.
    pub(crate) fn run_dir(&self, daemon: &Daemon, run: RunId) -> Option<RunDir> {
        if self.private {
            daemon.home.private_run(self.id, run).ok()
        } else {
            Some(daemon.home.run(self.id, run))
        }
    }
}
