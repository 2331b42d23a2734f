//! Whether a turn has ended in a way that the person wants to know of.

use belfry_protocol::Status;
use belfry_protocol::signal::Says;

use crate::opinion::Class;

/// What is known of the present turn.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Turn {
    /// The person has given it something to do.
    asked: bool,
    /// It worked when it was last seen, before the daemon was there, and has not been seen at work since.
    presumed: bool,
    /// The agent calls it done.
    done: bool,
    /// The agent calls it over and not done, though it has a word for that.
    cut: bool,
    /// The person has typed the keys of an interruption.
    interrupted: bool,
}

impl Turn {
    /// Goes on from what was last said of it.
    pub(crate) fn resumed(last: Status) -> Self {
        Self { asked: last != Status::Starting, presumed: last == Status::Running, ..Self::default() }
    }

    /// A structured source says something.
    pub(crate) fn said(
        &mut self,
        before: Option<Says>,
        says: Option<Says>,
        in_background: bool,
        tells: bool,
    ) {
        let before = before.map(Class::of);
        match says {
            Some(Says::Working) => {
                self.presumed = false;
                if before != Some(Class::Work) {
                    (self.done, self.cut, self.interrupted) = (false, false, false);
                }
            }
            // With a shell that goes on, some agents have no word for done.
            Some(Says::Done) => self.done = true,
            Some(Says::Idle) if in_background => self.done = true,
            Some(Says::Idle) if tells && matches!(before, Some(Class::Work | Class::Ask)) => self.cut = true,
            _ => {}
        }
    }

    /// The screen was read, and showed work last then.
    pub(crate) fn screen(&mut self, worked: Option<u64>, replays: bool) {
        self.presumed &= worked.is_none() || replays;
    }

    /// Output that counts as work.
    pub(crate) fn output(&mut self) {
        self.presumed = false;
    }

    /// Whether another process has the terminal.
    pub(crate) fn foreground(&mut self, other: bool) {
        self.presumed &= !other;
    }

    /// The person typed, perhaps giving it something to do.
    pub(crate) fn typed(&mut self, asked: bool) {
        self.asked |= asked;
        if asked {
            self.interrupted = false;
        }
    }

    /// The person interrupts it.
    pub(crate) fn interrupted(&mut self) {
        self.interrupted = true;
    }

    /// Whether that change is the end of a turn that the person wants to know of.
    pub(crate) fn over(self, from: Status, to: Status) -> bool {
        let ends = to == Status::Idle && matches!(from, Status::Running | Status::Waiting);
        let seen = from == Status::Running && self.asked && !self.presumed;
        ends && (self.done || (seen && !self.cut && !self.interrupted))
    }
}
