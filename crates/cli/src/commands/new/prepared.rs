//! Waiting for the directory that is made for a new session.

use std::io::{IsTerminal as _, Write as _};

use belfry_protocol::session::Exit;
use belfry_protocol::workspace::WorkspaceState;
use belfry_protocol::{Session, Status};

use crate::commands::watch::Watch;
use crate::context::Context;
use crate::failure::{Exit as Code, Failure};
use crate::print::plain;

/// The session once its directory is there. What it is at is told on a terminal's standard error.
pub(super) async fn wait(context: &Context, session: Session) -> Result<Session, Failure> {
    if step(&session).is_none() {
        return Ok(session);
    }
    let mut watch = Watch::start(context).await?;
    let shown = !context.printer.json && std::io::stderr().is_terminal();
    let mut told = String::new();
    loop {
        let Some(now) = watch.session(session.id) else {
            let text = "The session was removed while its directory was made.";
            return Err(Failure::new(Code::NoSession, "no_such_session", text));
        };
        if now.status == Status::Dead
            && let Some(Exit::LaunchFailed { reason }) = &now.exit
        {
            let reason = crate::context::sentence(reason);
            return Err(Failure::new(Code::Failed, "launch_failed", reason)
                .kept(format!("`belfry rm {}` takes it out of the list.", now.id)));
        }
        match step(now) {
            None => return Ok(now.clone()),
            Some(step) if shown && *step != told => {
                let _ = writeln!(std::io::stderr(), "{}…", plain(step));
                told.clone_from(step);
            }
            Some(_) => {}
        }
        watch.next().await?;
    }
}

/// What the making is at.
fn step(session: &Session) -> Option<&String> {
    match &session.preparing.as_ref()?.state {
        WorkspaceState::Making { step } => Some(step),
        _ => None,
    }
}
