//! Sessions that Belfry did not start: where they are, and what can safely be done with them.

use serde::{Deserialize, Serialize};

/// Where a session is that Belfry did not start. An adopted one keeps it: its pane is still somebody else's terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Local {
    /// Where, for a person: `tmux main:1.0`, `another terminal (pts/4)`, `editor: code`.
    pub place: String,
    /// Where, for a program.
    pub at: Place,
    /// Its terminal, as in `pts/4`; none where it has none.
    pub tty: Option<String>,
    /// What can be done with it from here.
    pub can: Vec<Control>,
}

/// Where a session is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "in", rename_all = "snake_case")]
pub enum Place {
    /// In a pane of tmux.
    Tmux(TmuxPane),
    /// In a terminal that Belfry cannot reach.
    Terminal,
    /// In an editor.
    Editor {
        /// The editor's process, by name.
        name: String,
    },
    /// Without a terminal.
    Background,
}

/// A pane of a tmux server, which cannot be taken for a later one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct TmuxPane {
    /// Path of the server's socket.
    pub socket: String,
    /// The server's process id.
    pub server_pid: u32,
    /// When the server started, as the system counts it.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub server_start: u64,
    /// The pane's number: what follows `%` in its id.
    pub pane: u32,
}

/// What can be done with a session that Belfry did not start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Control {
    /// Its screen can be read.
    Screen,
    /// It can be made a session of the list, to be looked at and typed to.
    Adopt,
    /// Its process can be ended.
    End,
}

impl Local {
    /// The pane, where it is in one.
    pub fn pane(&self) -> Option<&TmuxPane> {
        match &self.at {
            Place::Tmux(pane) => Some(pane),
            _ => None,
        }
    }
}
