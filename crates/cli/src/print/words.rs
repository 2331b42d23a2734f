//! A session in a few words.

use belfry_protocol::session::Exit;
use belfry_protocol::{Session, Status};

use super::{Color, plain};

/// The status's shape and word, and its colour. Shapes differ, so that colour is never the only cue.
pub(crate) fn shape(session: &Session) -> (&'static str, &'static str, Color) {
    match session.status {
        Status::Starting => ("◌", "starting", Color::Blue),
        Status::Running => ("◔", "running", Color::Green),
        Status::Waiting => ("◆", "waiting", Color::Yellow),
        Status::Blocked => ("■", "blocked", Color::Red),
        Status::Idle if session.unseen => ("●", "done", Color::Blue),
        Status::Idle => ("○", "idle", Color::Faint),
        Status::Dead => ("✕", "dead", Color::Faint),
        Status::Unknown => ("?", "unknown", Color::Faint),
    }
}

/// How the newest run ended, for a dead session; else what it does.
pub(crate) fn ended(session: &Session) -> String {
    match (&session.exit, session.status) {
        (Some(exit), Status::Dead) => exit_words(exit),
        _ => plain(session.activity.as_deref().or(session.reason.as_deref()).unwrap_or_default()),
    }
}

fn exit_words(exit: &Exit) -> String {
    match exit {
        Exit::Code { code } => format!("exit {code}"),
        Exit::Signal { name, .. } => plain(name),
        Exit::MachineRestarted => "machine restarted".to_owned(),
        Exit::KeeperLost => "its keeper was killed".to_owned(),
        Exit::LaunchFailed { reason } => format!("not started: {}", plain(reason)),
    }
}
