//! The one function from signals to status.

use belfry_protocol::Status;

use super::output::{Output, QUIET};
use super::signal::{ProgramState, Prompt, Signal, Source};

/// Quiet after which a prompt that looks ready is believed while starting, in milliseconds: start-up screens are drawn in
/// several writes.
const SETTLED: u64 = 300;

/// Output without a pause for this long is work and no start-up, in milliseconds.
const STEADY: u64 = 2000;

/// The same where the agent's own rules say that it still starts: the slowest takes some seconds on a loaded machine.
const STEADY_STARTING: u64 = 10_000;

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
    /// What the program said with its state.
    message: Option<String>,
    /// When the screen was last looked at.
    prompt_at: u64,
    /// The person has given it something to do.
    asked: bool,
    /// Until then what is read was printed before: it is no sign of work.
    replay_until: Option<u64>,
    /// It worked when it was last seen, and nothing has been printed since.
    presumed: bool,
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

    /// A run that was found alive, with what was last said of it: it goes on from there.
    pub fn resumed(last: Status, source: &str, now: u64) -> Self {
        let mut resumed = Self {
            started: Some(now),
            reached_prompt: last != Status::Starting,
            asked: last != Status::Starting,
            ..Self::default()
        };
        match last {
            Status::Running => {
                resumed.output.worked = Some(now);
                resumed.presumed = true;
            }
            Status::Waiting if source != Source::Program.word() => {
                (resumed.prompt, resumed.prompt_at) = (Some(Prompt::Dialog), now);
            }
            _ => {}
        }
        if last != Status::Running {
            resumed.replay_until = Some(now + QUIET);
        }
        if source == Source::Program.word() {
            // Whatever it has said since is read again.
            resumed.program = match last {
                Status::Running => Some(ProgramState::Working),
                Status::Waiting => Some(ProgramState::Blocked),
                Status::Idle => Some(ProgramState::Idle),
                _ => None,
            };
        }
        resumed
    }

    /// Takes an observation in.
    pub fn observe(&mut self, signal: Signal, now: u64) {
        match signal {
            Signal::Started => *self = Self { started: Some(now), ..Self::default() },
            Signal::Output(_) if self.replay_until.is_some_and(|until| now < until) => {}
            Signal::Output(bytes) => {
                self.presumed = false;
                self.output.printed(bytes, now);
            }
            Signal::CaughtUp => self.replay_until = None,
            Signal::Typed => {
                self.asked |= self.reached_prompt && self.waits(now);
                self.output.touched(now);
            }
            Signal::Touched => self.output.touched(now),
            Signal::Submitted => {
                // A dialog of the start-up (whether to trust the folder) asks the person, not the other way round.
                self.asked |= self.reached_prompt || !self.dialog(now);
                self.output.touched(now);
                self.output.submitted();
            }
            Signal::Prompt(prompt) => (self.prompt, self.prompt_at) = (Some(prompt), now),
            Signal::Foreground { other } => self.foreground = Some(other),
            Signal::Program(state) => {
                self.program = state;
                self.message = None;
                self.presumed = false;
                // What was open before is not any more; the next look tells.
                if state == Some(ProgramState::Working) && self.prompt == Some(Prompt::Dialog) {
                    self.prompt = None;
                }
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
            if self.dialog(now) {
                return Verdict { status: Status::Waiting, source: Source::Screen, again_at: None };
            }
            if let Some(again_at) = self.starting(now) {
                return Verdict {
                    status: Status::Starting,
                    source: Source::Process,
                    again_at: Some(again_at),
                };
            }
            self.reached_prompt = true;
            if !self.steady(now) {
                // What it drew to begin with is no work.
                self.output.settle();
            }
        }
        let program = self.program;
        // A program that says of itself that it works, or runs another one, shows no dialog, whatever the screen looks like.
        let silent = !matches!(program, Some(ProgramState::Working | ProgramState::Blocked));
        if silent && self.foreground != Some(true) && self.dialog(now) {
            return Verdict { status: Status::Waiting, source: Source::Screen, again_at: None };
        }
        if let Some(state) = program {
            let status = match state {
                ProgramState::Working => Status::Running,
                ProgramState::Blocked => Status::Waiting,
                ProgramState::Idle | ProgramState::Failed => Status::Idle,
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
        if self.steady(now) {
            return None;
        }
        let needed = match self.prompt {
            Some(Prompt::Ready) => SETTLED,
            Some(Prompt::Busy | Prompt::Dialog) | None => QUIET,
        };
        (quiet < needed).then(|| now + (needed - quiet))
    }

    /// Whether it works though it never showed a prompt.
    fn steady(&self, now: u64) -> bool {
        let long = if self.prompt == Some(Prompt::Busy) { STEADY_STARTING } else { STEADY };
        self.output.steady(now, long)
    }

    /// Whether a dialog is open. One that was answered is over once it works again, before the next look.
    fn dialog(&self, now: u64) -> bool {
        self.prompt == Some(Prompt::Dialog)
            && !(self.output.touched_after(self.prompt_at) && self.output.busy(now).is_some())
    }

    fn waits(&self, now: u64) -> bool {
        self.program == Some(ProgramState::Blocked) || self.dialog(now)
    }

    /// What the program says of the state that it has just reported.
    pub fn explain(&mut self, message: Option<String>) {
        self.message = message;
    }

    /// Why it is as it is, where a verdict's status has reasons.
    pub fn reason(&mut self, now: u64) -> Option<String> {
        let verdict = self.verdict(now);
        match (verdict.status, verdict.source, self.program) {
            (Status::Waiting, Source::Program, _) => {
                Some(self.message.clone().unwrap_or_else(|| "a question is open".to_owned()))
            }
            (Status::Waiting, ..) => Some("a question is open".to_owned()),
            (Status::Idle, Source::Program, Some(ProgramState::Failed)) => {
                Some(self.message.clone().unwrap_or_else(|| "the turn ended with an error".to_owned()))
            }
            _ => None,
        }
    }

    /// Whether going from one status to another is a turn's end that the person wants to know of: they gave it something to
    /// do, and its work was seen.
    pub fn turn_over(&self, from: Status, to: Status) -> bool {
        from == Status::Running && to == Status::Idle && self.asked && !self.presumed
    }

    /// Whether text can be typed now without falling into the start-up, a turn or a dialog.
    pub fn takes_text(&mut self, now: u64) -> bool {
        self.verdict(now).status == Status::Idle && self.prompt != Some(Prompt::Dialog)
    }
}
