//! The program of an adopted session: `belfry tmux-bridge`, which carries a pane's output and input. Its arguments name the
//! pane, so that a session's record alone says what it is.

use std::path::Path;

use belfry_protocol::Session;
use belfry_protocol::local::{Local, Place, TmuxPane};

/// The role's name.
pub(crate) const ROLE: &str = "tmux-bridge";

/// What its arguments say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bridge {
    pub(crate) at: TmuxPane,
    /// The pane's first process.
    pub(crate) pane_pid: u32,
}

impl Bridge {
    /// The command that carries that pane.
    pub(crate) fn command(&self, program: &Path) -> Option<Vec<String>> {
        let at = &self.at;
        Some(vec![
            program.to_str()?.to_owned(),
            ROLE.to_owned(),
            at.socket.clone(),
            at.server_pid.to_string(),
            at.server_start.to_string(),
            at.pane.to_string(),
            self.pane_pid.to_string(),
        ])
    }

    /// The pane that a session is; none of a session that Belfry started.
    pub(crate) fn of(session: &Session) -> Option<Self> {
        let [_, role, socket, server_pid, server_start, pane, pane_pid] = session.command.as_slice() else {
            return None;
        };
        if role != ROLE {
            return None;
        }
        let at = TmuxPane {
            socket: socket.clone(),
            server_pid: server_pid.parse().ok()?,
            server_start: server_start.parse().ok()?,
            pane: pane.parse().ok()?,
        };
        Some(Self { at, pane_pid: pane_pid.parse().ok()? })
    }

    /// Where that is, before tmux has been asked.
    pub(crate) fn local(&self) -> Local {
        let server = self.at.socket.rsplit('/').next().unwrap_or_default();
        Local {
            place: format!("tmux {server}:%{}", self.at.pane),
            at: Place::Tmux(self.at.clone()),
            tty: None,
            can: Vec::new(),
        }
    }
}
