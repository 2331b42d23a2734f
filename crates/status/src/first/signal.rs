//! What can be observed.

/// One observation of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// The program was started.
    Started,
    /// The program printed that many bytes.
    Output(usize),
    /// Something was typed or pasted, or the terminal was resized, focused or repainted: output that follows at once is an
    /// echo and no work.
    Touched,
    /// The person pressed keys. Echoes as with [`Signal::Touched`]; in a dialog it is an answer.
    Typed,
    /// Enter was among what was typed: what follows the echo is work.
    Submitted,
    /// What the screen and the modes say of the prompt.
    Prompt(Prompt),
    /// Whether another program than the session's own is in the terminal's foreground (a shell runs a command).
    Foreground {
        /// Another one is.
        other: bool,
    },
    /// The program says so itself (OSC 7501); none takes back what it said.
    Program(Option<ProgramState>),
    /// All that was printed before the daemon was there has been read.
    CaughtUp,
    /// The program is gone.
    Ended,
}

/// Whether the agent waits at its prompt, as far as its screen tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prompt {
    /// It can be typed to.
    Ready,
    /// It starts or works.
    Busy,
    /// A dialog is open.
    Dialog,
}

/// What a program reports of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramState {
    /// It works.
    Working,
    /// It waits for the person.
    Blocked,
    /// It is done, or has nothing to do.
    Idle,
    /// The turn ended with an error.
    Failed,
}

/// Where a verdict comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The process itself.
    Process,
    /// The terminal's foreground process.
    Foreground,
    /// The rate of output.
    Output,
    /// The program's own report.
    Program,
    /// What is on the screen.
    Screen,
}

impl Source {
    /// The word that clients see.
    pub fn word(self) -> &'static str {
        match self {
            Self::Process => "process",
            Self::Foreground => "foreground",
            Self::Output => "output",
            Self::Program => "program",
            Self::Screen => "screen",
        }
    }
}
