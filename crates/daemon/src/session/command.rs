//! What a session's engine can be told.

use std::sync::Arc;

use belfry_agents::Agents;
use belfry_platform::home::RunDir;
use belfry_protocol::explain::StatusChange;
use belfry_protocol::keeper::{Decoder, KeeperHello};
use belfry_protocol::reply::QueuedMessage;
use belfry_protocol::{MessageId, Reply, RunId};
use belfry_terminal::{BlockId, Colors, Size};
use tokio::sync::oneshot;

use super::engine::Reached;
use super::{Link, LinkError};
use crate::client::{Answer, View, ViewKey};
use crate::hibernate::{By, Held};
use crate::sources::SourceSignal;

/// A run that has just been started, or was found alive.
pub(crate) struct Live {
    pub(crate) run: RunId,
    pub(crate) dir: RunDir,
    /// None when it was over before it could be connected to.
    pub(crate) connected: Option<(Arc<Link>, KeeperHello, Decoder)>,
    /// The first prompt, to be typed when the program is ready.
    pub(crate) prompt: Option<String>,
}

/// How a client answers a question.
pub(crate) struct Given {
    /// A choice's key, else its label.
    pub(crate) choice: Option<String>,
    /// A text.
    pub(crate) text: Option<String>,
    /// The dialog that was seen.
    pub(crate) fingerprint: Option<String>,
    /// Who, for the history.
    pub(crate) by: String,
}

/// One thing to do.
pub(crate) enum Command {
    /// A view opens.
    Open { view: Arc<View>, size: Size, focus: bool, credit: u32, answer: Answer },
    /// A view closes.
    Close { view: ViewKey, answer: Option<Answer> },
    /// A view has another size.
    Resize { view: ViewKey, size: Size, answer: Answer },
    /// A view got or lost the keyboard, or was typed in.
    Focus { view: ViewKey, focused: bool, answer: Option<Answer> },
    /// A view is scrolled up or has a selection, or no longer.
    Hold { view: ViewKey, held: bool, answer: Answer },
    /// A view wants the whole scrollback.
    Fetch { view: ViewKey, answer: Answer },
    /// Bytes for a program whose keeper is not connected yet.
    Input(Vec<u8>),
    /// Keys by name.
    Keys { keys: Vec<String>, answer: Answer },
    /// The screen as text.
    Screen { ansi: bool, scrollback: u32, answer: Answer },
    /// The same without styles, for ourselves.
    Read { scrollback: u32, done: oneshot::Sender<Reply> },
    /// A message was queued.
    Message { id: MessageId, text: String, now: bool, answer: Option<Answer> },
    /// What it says of the messages that wait, after those that the database knows.
    Messages { listed: Vec<QueuedMessage>, answer: Answer },
    /// Takes a message back; whether that could be, none where it is not known here.
    Cancel { id: MessageId, done: oneshot::Sender<Option<bool>> },
    /// Answers the open question.
    Answer { given: Given, answer: Answer },
    /// Why the status is what it is; with the last changes.
    Explain { history: Vec<StatusChange>, answer: Answer },
    /// The agents' rules have changed.
    Agents(Arc<Agents>),
    /// One of the agent's own files or hooks tells something.
    Source(Box<SourceSignal>),
    /// Whether a message that is next may be typed.
    MessageClaimed { id: MessageId, ours: bool },
    /// The keeper of that run was found, or is gone.
    Sought { run: RunId, found: Result<Box<Reached>, LinkError> },
    /// End the run.
    Kill { answer: Option<Answer> },
    /// End the run so that it can be gone on with, unless something would be lost.
    Hibernate { by: By, done: oneshot::Sender<Result<(), Held>> },
    /// A new run of the session.
    Run(Box<Live>),
    /// The window's colours.
    Colors(Arc<Colors>),
    /// A checkpoint of that run was written, or was not.
    Checkpointed { run: RunId, written: Option<Written> },
    /// Write a checkpoint now: the daemon ends.
    Save { done: oneshot::Sender<()> },
    /// Nobody may look any more: the session is removed.
    Remove,
}

impl Command {
    /// What it takes to carry it out, by rough measure: the screen and its scrollback as text are milliseconds of work, the
    /// rest next to nothing.
    pub(crate) fn effort(&self) -> u32 {
        match self {
            Self::Screen { scrollback, .. } | Self::Read { scrollback, .. } => 4 + scrollback / 64,
            _ => 1,
        }
    }
}

/// What is on the disk now.
pub(crate) struct Written {
    pub(crate) offset: u64,
    pub(crate) segment: u64,
    pub(crate) blocks: Vec<BlockId>,
}
