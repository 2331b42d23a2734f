//! What can be observed.

use belfry_protocol::ask::AskKind;
use belfry_protocol::signal::{Says, Source};

use crate::activity::Doing;

/// One observation of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observation {
    /// The program was started.
    Started,
    /// The program is gone.
    Ended,
    /// A source says something.
    Word(Word),
    /// The screen was read.
    Screen(ScreenSays),
    /// The screen was read again, after more output, and says the same.
    Looked,
    /// A subagent or a background shell begins or ends.
    Task(Task),
    /// Which process has the terminal. Only for programs whose table trusts [`Source::Foreground`].
    Foreground(Foreground),
    /// The program printed that many bytes.
    Output(usize),
    /// The person pressed keys. Output that follows at once is an echo; in a dialog it is an answer.
    Typed,
    /// Enter was among what was typed, or a text was delivered: what follows the echo is work. Right after
    /// [`Observation::Started`]: the program was started with something to do.
    Submitted,
    /// The keys by which this agent is interrupted were typed.
    Interrupted,
    /// The terminal was resized, focused or repainted: output that follows at once is no work.
    Touched,
    /// A source spoke and cannot be heard any more.
    Lost(Silence),
    /// A source could speak and does not.
    Missing(Silence),
    /// All that was printed before the daemon was there has been read.
    CaughtUp,
}

/// What a source says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Who says it.
    pub source: Source,
    /// What it says of the session; none takes back what it said before.
    pub says: Option<Says>,
    /// What was seen, in a few words, for `explain`: `state=blocked`, `PermissionRequest`.
    pub what: String,
    /// What the agent does, as far as it says so.
    pub doing: Option<Doing>,
    /// The question, the error or why it cannot go on, in the source's words.
    pub detail: Option<String>,
    /// When what blocks it ends, in the source's words: `15:30`.
    pub until: Option<String>,
}

impl Word {
    /// What a source says, and what was seen.
    pub fn new(source: Source, says: impl Into<Option<Says>>, what: impl Into<String>) -> Self {
        Self { source, says: says.into(), what: what.into(), doing: None, detail: None, until: None }
    }

    /// With what the agent does.
    #[must_use]
    pub fn doing(mut self, doing: impl Into<Option<Doing>>) -> Self {
        self.doing = doing.into();
        self
    }

    /// With the question, the error or why it cannot go on.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<Option<String>>) -> Self {
        self.detail = detail.into();
        self
    }

    /// With when what blocks it ends.
    #[must_use]
    pub fn until(mut self, until: impl Into<Option<String>>) -> Self {
        self.until = until.into();
        self
    }
}

/// Where the program is, as its screen shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// No rule fits: start-up, or a screen that nobody has described.
    #[default]
    Unknown,
    /// Its input box is there and nothing says that it works.
    Prompt,
    /// Something says that it works.
    Working,
    /// A question is open.
    Dialog,
}

impl Place {
    /// The word, for `explain`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Unknown => "nothing that is known",
            Self::Prompt => "the prompt",
            Self::Working => "work",
            Self::Dialog => "a dialog",
        }
    }
}

/// A question that is on the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DialogSeen {
    /// The same for as long as the same dialog is open.
    pub fingerprint: String,
    /// What kind it is.
    pub kind: AskKind,
    /// It in a few words, to be shown as the reason: ``approve `cargo test` ``.
    pub summary: String,
}

/// Why a program cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// In a few words: `usage limit`.
    pub reason: String,
    /// When that ends, in the program's own words: `15:30`.
    pub until: Option<String>,
}

/// What a screen says, read by the agent's rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScreenSays {
    /// It was read at a frame's end, or in quiet; one that may be half drawn does not count.
    pub settled: bool,
    /// Where the program is.
    pub place: Place,
    /// With [`Place::Prompt`]: something says that the last turn is over, not merely nothing that one goes on.
    pub over: bool,
    /// With [`Place::Working`]: it is taken to work because nothing says that it does not. Too weak against what another
    /// source says.
    pub guessed: bool,
    /// The open question, with [`Place::Dialog`].
    pub dialog: Option<DialogSeen>,
    /// What it does, in the words to be shown: `Running npm test`.
    pub activity: Option<String>,
    /// It tries again after an error of its model: what it says of that.
    pub retrying: Option<String>,
    /// Subagents at work.
    pub subagents: u32,
    /// Shells in the background.
    pub background: u32,
    /// Why it cannot go on, where it says so at its prompt.
    pub blocked: Option<Trouble>,
    /// The last turn ended with that error.
    pub failed: Option<String>,
    /// The rules that matched, in a few words, for `explain`.
    pub rules: String,
}

/// What goes on beside the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskKind {
    /// A subagent: the turn is not over while it lives.
    Agent,
    /// A shell in the background: the session is idle beside it.
    Shell,
    /// One or the other: it is counted by none.
    Unknown,
}

/// Something that goes on beside the turn begins or ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Who says so.
    pub source: Source,
    /// What the source calls it.
    pub id: String,
    /// What it is.
    pub kind: TaskKind,
    /// It begins or goes on; else it has ended.
    pub lives: bool,
}

/// Which process has the terminal, and what it does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Foreground {
    /// It runs: it stands at no prompt that takes a line.
    pub runs: bool,
    /// While it runs, it takes single keys or has the whole screen: an editor, a pager, a monitor, a remote shell.
    pub keys: bool,
    /// Its name or command, to be shown.
    pub command: Option<String>,
    /// It sleeps in a read of the terminal.
    pub reads_terminal: bool,
    /// The cursor's line, where it looks like a question.
    pub question: Option<String>,
    /// It has switched the echo off, as for a password.
    pub echo_off: bool,
}

/// A source that is not heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Silence {
    /// Which.
    pub source: Source,
    /// Why, as far as is known.
    pub why: String,
    /// What that costs.
    pub costs: String,
}
