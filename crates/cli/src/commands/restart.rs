//! `belfry restart`.

use belfry_protocol::{ErrorCode, Request};

use super::new::own_environment;
use crate::args::RestartArgs;
use crate::context::{Context, session};
use crate::failure::{Exit, Failure};
use crate::print::plain;

pub(crate) async fn run(context: &Context, args: RestartArgs) -> Result<(), Failure> {
    let connection = context.connect().await?;
    let show = Request::ShowSession { session: args.which.session };
    let before = session(connection.request(show).await?)?;
    let name = plain(&before.name);
    // The daemon would take it out: whoever put it there meant to be rid of it, and a name or a prefix is soon mistaken.
    if before.trashed_at.is_some() {
        return Err(Failure::new(Exit::Refused, "in_the_trash", format!("{name} is in the trash."))
            .kept("It is as it was.")
            .next(format!("`belfry restore {}` takes it out; then it can be started again.", before.id)));
    }
    if args.kill && before.alive() {
        connection.request(Request::KillSession { session: before.id.to_string() }).await?;
    }
    let base_env = Some(own_environment());
    let request = Request::RestartSession { session: before.id.to_string(), anew: args.new, base_env };
    let started = connection.request(request).await.map_err(|error| {
        let failure = Failure::from(error);
        // One that is being started is refused with the same code, and needs no ending.
        let in_the_way = failure.is(ErrorCode::StillAlive) && failure.next.is_some();
        let next = format!("`belfry restart --kill {}` ends it first.", before.id);
        if in_the_way { failure.next(next) } else { failure }
    })?;
    let started = session(started)?;
    let out = before.archived_at.is_some() && started.archived_at.is_none();
    let out = if out { ", and is out of the archive" } else { "" };
    let goes_on = started.conversation_id.is_some() && started.conversation_id == before.conversation_id;
    let where_to = if goes_on { " in its conversation" } else { "" };
    Ok(context.printer.session(&started, |_| format!("{name} runs again{where_to}{out}."))?)
}
