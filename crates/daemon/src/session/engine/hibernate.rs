//! Putting the program to sleep: it is asked to end as a person asks it, and ended by the keeper where it does not.

use std::sync::atomic::Ordering;

use belfry_protocol::keeper::{Kill, ToKeeper};
use jiff::Timestamp;

use super::deliver::DRAWN;
use super::{Engine, take_due};
use crate::hibernate::{self, By, Held, Letter};

/// What ends each agent that can be resumed, pressed at its empty prompt: Claude Code and Gemini CLI want it twice, Codex,
/// OpenCode and Aider once. In an empty input box it does nothing else in any of them.
const LEAVE: &[u8] = b"\x04";

/// The pause between two of them, in milliseconds: Claude Code wants the second within 800, and takes the first to its screen
/// before.
const PAUSE: u64 = 350;

/// How often it is pressed.
const PRESSED: u8 = 3;

/// How long the program may take to end after that, in milliseconds, before the keeper ends it: it writes its transcript to
/// the end, and calls the hooks for that.
const LEAVES: u64 = 4_000;

/// The end of a program that is being put to sleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ending {
    /// How often it was asked.
    asked: u8,
    /// How much the person had typed when that began.
    keystrokes: u64,
    /// The keeper ends it.
    killed: bool,
}

impl Engine {
    /// Begins to end the program, unless something would be lost by it.
    pub(super) fn hibernate(&mut self, by: By) -> Result<(), Held> {
        if self.ending.is_some() {
            return Ok(());
        }
        let now = self.now();
        let by_name = |why: &str| Held::By(why.to_owned());
        if by == By::Itself && !self.views.is_empty() {
            return Err(by_name("somebody looks at it"));
        }
        if !self.messages.waiting.is_empty() {
            return Err(by_name("a message waits for it"));
        }
        if self.entry.keystrokes_are_young(now) {
            return Err(Held::ForAMoment);
        }
        match self.held(now) {
            None => {}
            Some(why) if why == DRAWN => return Err(Held::ForAMoment),
            Some(why) => return Err(Held::By(why)),
        }
        if !self.subagents.is_empty() {
            return Err(by_name("subagents of it work"));
        }
        // The next daemon is to know why it ended, should this one not live to see it.
        if let Err(error) = hibernate::mark(self.following.dir.path()) {
            return Err(Held::By(format!("its directory cannot be written: {error}")));
        }
        tracing::info!(session = %self.entry.logged(), ?by, "the session is put to sleep");
        self.entry.hibernating.store(true, Ordering::SeqCst);
        let keystrokes = self.entry.keystrokes.load(Ordering::SeqCst);
        self.ask_to_leave(Ending { asked: 0, keystrokes, killed: false }, now);
        Ok(())
    }

    fn ask_to_leave(&mut self, ending: Ending, now: u64) {
        if let Some(link) = &self.following.link {
            link.input(LEAVE);
        }
        let asked = ending.asked + 1;
        self.ending = Some(Ending { asked, ..ending });
        self.due.ending = Some(now + if asked < PRESSED { PAUSE } else { LEAVES });
    }

    pub(super) fn tend_ending(&mut self, now: u64) {
        if !take_due(&mut self.due.ending, now) {
            return;
        }
        let Some(ending) = self.ending.filter(|ending| !ending.killed) else { return };
        if self.entry.keystrokes.load(Ordering::SeqCst) != ending.keystrokes {
            // Somebody wants it after all.
            tracing::info!(session = %self.entry.logged(), "the session is not put to sleep: somebody types in it");
            hibernate::unmark(self.following.dir.path());
            self.stays_awake();
            self.due.verdict = Some(now);
            self.daemon.publish(&self.entry);
        } else if ending.asked < PRESSED {
            self.ask_to_leave(ending, now);
        } else {
            self.ending = Some(Ending { killed: true, ..ending });
            if let Some(link) = &self.following.link {
                link.send(&ToKeeper::Kill(Kill::default()));
            }
        }
    }

    /// What was begun is nothing any more: the person ends the program, or types in it.
    pub(super) fn stays_awake(&mut self) {
        self.ending = None;
        self.due.ending = None;
        self.entry.hibernating.store(false, Ordering::SeqCst);
    }

    /// Whether the run that ended then was put to sleep, by us or by the daemon before.
    pub(super) fn fell_asleep(&mut self, at: Timestamp) -> bool {
        let ours = self.ending.take().is_some();
        let marked = || hibernate::was_marked(self.following.dir.path(), at);
        (ours || marked()) && !self.entry.killed.load(Ordering::Relaxed)
    }

    /// A message came when the session was about to sleep, or sleeps already: it is woken for it.
    pub(super) fn wake_for(&self, letter: Letter) {
        let (daemon, entry) = (std::sync::Arc::clone(&self.daemon), std::sync::Arc::clone(&self.entry));
        tokio::spawn(hibernate::deliver(daemon, entry, letter));
    }
}
