//! What an agent does, beside its status.

/// What an agent does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Runs a tool; in the words to be shown: `Running npm test`.
    Tool(String),
    /// Runs a command of a shell.
    Command(String),
    /// A program is open that is worked in, or looked at: an editor, a pager, a monitor.
    Open(String),
    /// The model thinks.
    Thinking,
    /// Text comes in.
    Writing,
    /// It shortens its conversation.
    Compacting,
    /// It tries again after an error of its model; what it says of that.
    Retrying(String),
    /// So many subagents work, and nothing else is known.
    Subagents(u32),
    /// So many shells go on in the background of an idle session.
    Background(u32),
}

impl Doing {
    /// The words to be shown; they stay the same while the activity does.
    pub fn words(&self) -> String {
        match self {
            Self::Tool(text) => text.clone(),
            Self::Command(command) => format!("Running {command}"),
            Self::Open(command) => format!("{command} is open"),
            Self::Thinking => "Thinking".to_owned(),
            Self::Writing => "Writing".to_owned(),
            Self::Compacting => "Compacting".to_owned(),
            Self::Retrying(text) => format!("Retrying: {text}"),
            Self::Subagents(1) => "1 subagent".to_owned(),
            Self::Subagents(n) => format!("{n} subagents"),
            Self::Background(1) => "1 shell in the background".to_owned(),
            Self::Background(n) => format!("{n} shells in the background"),
        }
    }
}

/// What an agent does, and since when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    /// What.
    pub doing: Doing,
    /// For how long, in milliseconds. Kept apart, so that the text need not change every second.
    pub for_ms: u64,
}
