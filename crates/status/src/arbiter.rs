//! The one function from signals to status.

use belfry_protocol::Status;

use crate::output::{Output, QUIET};
use crate::signal::{ProgramState, Prompt, Signal, Source};

/// Quiet after which a prompt that looks ready is believed while starting, in milliseconds: start-up screens are drawn in
/// several writes.
const SETTLED: u64 = 300;

/// All that is known of one run.
#[derive(Clone, Debug, Default)]
pub struct Arbiter {
    started: Option<u64>,
    ended: bool,
    reached_prompt: bool,
    output: Output,
    prompt: Option<Prompt>,
    foreground: Option<bool>,
    program: Option<ProgramState>,
}

/// What follows from the signals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The one word.
    pub status: Status,
    /// What it rests on.
    pub source: Source,
    /// When it could be another one although nothing was observed; none means that it stands.
    pub again_at: Option<u64>,
}

impl Arbiter {
    /// Nothing is known yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A run that was found alive: its start-up is over as far as anybody can tell.
    pub fn resumed() -> Self {
        Self { started: Some(0), reached_prompt: true, ..Self::default() }
    }

    /// Takes an observation in.
    pub fn observe(&mut self, signal: Signal, now: u64) {
        match signal {
            Signal::Started => *self = Self { started: Some(now), ..Self::default() },
            Signal::Output(bytes) => self.output.printed(bytes, now),
            Signal::Touched => self.output.touched(now),
            Signal::Submitted => {
                self.output.touched(now);
                self.output.submitted();
            }
            Signal::Prompt(prompt) => self.prompt = Some(prompt),
            Signal::Foreground { other } => self.foreground = Some(other),
            Signal::Program(state) => {
                self.program = state;
                self.reached_prompt |= state.is_some();
            }
            Signal::Ended => self.ended = true,
        }
    }

    /// What follows at this moment.
    pub fn verdict(&mut self, now: u64) -> Verdict {
        if self.ended {
            return Verdict { status: Status::Dead, source: Source::Process, again_at: None };
        }
        if !self.reached_prompt {
            match self.starting(now) {
                Some(again_at) => {
                    return Verdict {
                        status: Status::Starting,
                        source: Source::Process,
                        again_at: Some(again_at),
                    };
                }
                None => self.reached_prompt = true,
            }
        }
        if let Some(state) = self.program {
            let status = match state {
                ProgramState::Working => Status::Running,
                // An ask needs the dialog itself, which is not read yet: until then the session is not at work.
                ProgramState::Blocked | ProgramState::Idle => Status::Idle,
            };
            return Verdict { status, source: Source::Program, again_at: None };
        }
        if self.foreground == Some(true) {
            return Verdict { status: Status::Running, source: Source::Foreground, again_at: None };
        }
        match self.output.busy(now) {
            Some(until) => Verdict { status: Status::Running, source: Source::Output, again_at: Some(until) },
            None => Verdict { status: Status::Idle, source: Source::Output, again_at: None },
        }
    }

    /// While it starts: when to look again. None: it has reached its prompt, or has been silent for so long that it will
    /// not show one.
    fn starting(&self, now: u64) -> Option<u64> {
        let Some(quiet) = self.output.quiet(now) else {
            let silent_until = self.started.unwrap_or(now) + QUIET;
            return (now < silent_until).then_some(silent_until);
        };
        let needed = match self.prompt {
            Some(Prompt::Ready) => SETTLED,
            Some(Prompt::Busy | Prompt::Dialog) | None => QUIET,
        };
        (quiet < needed).then(|| now + (needed - quiet))
    }

    /// Whether text can be typed now without falling into the start-up, a turn or a dialog.
    pub fn takes_text(&mut self, now: u64) -> bool {
        self.verdict(now).status == Status::Idle && self.prompt != Some(Prompt::Dialog)
    }
}
