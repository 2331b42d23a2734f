//! What a piece of output did besides changing the screen.

/// Something that a program said through an escape sequence. All text is stripped of control characters and bounded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermEvent {
    /// Source offset just after the sequence's last byte.
    pub offset: u64,
    /// What it was.
    pub kind: EventKind,
}

/// The kinds of [`TermEvent`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventKind {
    /// OSC 0 or 2, also when a saved title comes back (`CSI 23 t`). Empty means that the program took it away.
    Title(String),
    /// BEL outside a sequence.
    Bell,
    /// OSC 7 (or OSC 9;9): a path on this or another machine, percent-decoded. Only a hint: any file that is printed can claim one.
    Cwd {
        /// Host part of the URL, empty when there was none.
        host: String,
        /// The path.
        path: String,
    },
    /// OSC 9, 777 or 99.
    Notify {
        /// Empty for OSC 9.
        title: String,
        /// The text.
        body: String,
    },
    /// OSC 9;4.
    Progress(Progress),
    /// OSC 7501.
    ProgramStatus(ProgramStatus),
    /// OSC 133 (FinalTerm shell integration).
    PromptMark(PromptMark),
    /// OSC 52 write. Reading is never answered.
    ClipboardWrite {
        /// `true` for the primary selection, else the clipboard.
        primary: bool,
        /// Decoded text, at most 100 KB, control characters other than tab and newline removed.
        text: String,
    },
    /// One or more of [`Modes`](crate::Modes) changed; read them with [`Terminal::modes`](crate::Terminal::modes) or here.
    ModeChange(crate::Modes),
    /// The engine failed on this input and was started again with an empty screen.
    EngineReset,
}

/// State of a progress bar (OSC 9;4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// No bar.
    None,
    /// Percent done.
    Normal(u8),
    /// Stopped by an error, at this percentage.
    Error(u8),
    /// Busy without a known end.
    Indeterminate,
    /// Paused or warning, at this percentage.
    Paused(u8),
}

/// Key/value pairs of OSC 7501 (program status) as they were sent, `title` and `msg` already decoded from base64.
///
/// At most 16 pairs, keys up to 32 bytes, values up to 4 KB. Nothing is checked: any file that is printed can say this.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramStatus {
    /// In the order sent.
    pub pairs: Vec<(String, String)>,
}

impl ProgramStatus {
    /// Value of the first pair with this key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.pairs.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }
}

/// A mark of OSC 133.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptMark {
    /// `A`: the prompt starts.
    PromptStart,
    /// `B`: the prompt ends, what follows is typed.
    CommandStart,
    /// `C`: the command runs.
    OutputStart,
    /// `D`: the command ended, with its exit code when told.
    CommandEnd(Option<i32>),
}
