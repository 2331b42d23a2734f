//! Sessions that Belfry did not start: `adopt`, `end`.

use belfry_protocol::session::Kind;
use belfry_protocol::{Request, Session};

use super::change;
use crate::args::{AdoptArgs, EndArgs};
use crate::context::Context;
use crate::failure::Failure;
use crate::print::plain;

pub(super) async fn adopt(context: &Context, args: AdoptArgs) -> Result<(), Failure> {
    change(context, Request::AdoptSession { target: args.target }, |session| session.id.to_string()).await
}

pub(super) async fn end(context: &Context, args: EndArgs) -> Result<(), Failure> {
    let session = args.which.session;
    let found = context.ask_session(Request::ShowSession { session }).await?;
    if found.kind != Kind::Local {
        let name = plain(&found.name);
        let next = format!("`belfry kill {}` ends it.", found.id);
        return Err(Failure::failed(format!("{name} is one of Belfry's own sessions.")).next(next));
    }
    let pid = args.pid.or(found.pid).unwrap_or(0);
    let ended = |session: &Session| {
        let name = plain(&session.name);
        match &session.conversation_id {
            Some(_) => format!("{name} has ended. Its conversation can go on here."),
            None => format!("{name} has ended."),
        }
    };
    change(context, Request::EndLocal { session: found.id.to_string(), pid }, ended).await
}
