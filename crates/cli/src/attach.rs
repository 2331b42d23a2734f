//! `belfry attach`: this terminal becomes a view of a session.
//!
//! The outer terminal stays on its alternate screen all the time, so that the shell's own screen and scrollback are
//! untouched. A program's switches between screens are played on that one screen ([`output`]): going to the alternate
//! screen clears, and coming back asks the daemon for a fresh snapshot. The same happens after each change of size, since
//! no outer terminal reflows its alternate screen.

mod end;
mod foot;
mod input;
mod key;
mod outer;
mod output;
mod person;
mod picture;
pub(crate) mod replay;
mod signals;
mod typing;
mod view;
mod writer;

use std::io::IsTerminal;

use belfry_protocol::{Request, Session};

use crate::args::AttachArgs;
use crate::context::{Context, session};
use crate::failure::{Exit, Failure};
use crate::print::{doing, plain};

use end::End;
pub(crate) use key::DetachKey;

/// Draws the session until it ends or the person detaches.
pub(crate) async fn run(context: &Context, args: AttachArgs) -> Result<(), Failure> {
    if context.printer.json {
        return Err(Failure::usage("A view is a terminal and has no JSON.")
            .next("`belfry screen --json` prints the screen once; `belfry events` what happens."));
    }
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return Err(Failure::usage("Attaching needs a terminal, and this is none.")
            .next("`belfry screen` prints the screen; `belfry keys` and `belfry send` type."));
    }
    let connection = context.connect().await?;
    let show = Request::ShowSession { session: args.which.session };
    let session = session(connection.request(show).await?)?;
    refuse(&session)?;
    let end = {
        let _outer = outer::Outer::enter()
            .map_err(|error| Failure::failed(format!("The terminal cannot be set up: {error}.")))?;
        view::run(context, connection, &session, args.detach_key).await
        // The outer terminal is as it was from here on, also after an error.
    }?;
    let name = plain(&session.name);
    match end {
        End::Detached { unsure } => {
            crate::print::line(&format!("[detached from {name}; it goes on]"))?;
            if unsure > 0 {
                let bytes = typing::bytes(unsure);
                let text =
                    format!("[the daemon does not answer: the last {bytes} typed may not have arrived]");
                crate::print::line(&text)?;
            }
            Ok(())
        }
        End::Session(dead) => Ok(crate::print::line(&format!("[session ended: {}]", doing(&dead)))?),
        End::Removed => Ok(crate::print::line(&format!("[{name} was removed]"))?),
        End::TerminalGone => Ok(()),
        End::Signal(signal) => {
            Err(Failure::failed(format!("Detached by {signal}.")).kept(format!("{name} goes on.")))
        }
    }
}

fn refuse(session: &Session) -> Result<(), Failure> {
    let name = plain(&session.name);
    if session.hibernated() {
        let text = format!("{name} sleeps.");
        return Err(Failure::new(Exit::Failed, "not_alive", text)
            .next(format!("`belfry resume {}` wakes it.", session.id)));
    }
    if !session.alive() {
        let text = format!("{name} has ended ({}).", doing(session));
        return Err(Failure::new(Exit::Failed, "not_alive", text).next(format!(
            "`belfry screen {0}` shows its last screen; `belfry restart {0}` starts it again.",
            session.id
        )));
    }
    // A view of a session within itself would print what it prints, for ever.
    if std::env::var("BELFRY_SESSION").is_ok_and(|inside| inside == session.id.to_string()) {
        return Err(Failure::new(Exit::Refused, "inside", format!("This terminal is {name} itself.")));
    }
    Ok(())
}
