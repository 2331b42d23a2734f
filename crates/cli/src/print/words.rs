//! A session in a few words.

use belfry_protocol::session::Exit;
use belfry_protocol::{Session, Status};

use super::{Color, ask, brief, plain};

/// More of an activity or a question is not read in a list.
const MOST: usize = 120;

/// The status's shape and word, and its colour. Shapes differ, so that colour is never the only cue.
pub(crate) fn shape(session: &Session) -> (&'static str, &'static str, Color) {
    match session.status {
        Status::Idle if session.unseen => ("●", "done", Color::Blue),
        status => word(status),
    }
}

/// The same for a status alone.
pub(crate) fn word(status: Status) -> (&'static str, &'static str, Color) {
    let (shape, color) = match status {
        Status::Starting => ("◌", Color::Blue),
        Status::Running => ("◔", Color::Green),
        Status::Waiting => ("◆", Color::Yellow),
        Status::Blocked => ("■", Color::Red),
        Status::Idle => ("○", Color::Faint),
        Status::Dead => ("✕", Color::Faint),
        Status::Unknown => ("?", Color::Faint),
    };
    (shape, status.word(), color)
}

/// What a session does, wants, cannot go on for or came to.
pub(crate) fn doing(session: &Session) -> String {
    let (activity, reason) = (session.activity.as_deref(), session.reason.as_deref());
    let text = match (session.status, &session.exit, &session.ask) {
        (Status::Dead, Some(exit), _) => return exit_words(exit),
        (Status::Waiting, _, Some(ask)) => return ask::wanted(ask),
        (Status::Waiting | Status::Blocked | Status::Dead, ..) => reason.or(activity),
        _ => activity.or(reason),
    };
    // An error is told whole: the daemon bounds it.
    let most = if session.status == Status::Blocked { 2 * MOST } else { MOST };
    brief(text.unwrap_or_default(), most)
}

fn exit_words(exit: &Exit) -> String {
    match exit {
        Exit::Code { code } => format!("exit {code}"),
        Exit::Signal { name, .. } => plain(name),
        Exit::MachineRestarted => "machine restarted".to_owned(),
        Exit::KeeperLost => "its keeper was killed".to_owned(),
        Exit::LaunchFailed { reason } => format!("not started: {}", brief(reason, MOST)),
    }
}
