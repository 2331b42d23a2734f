//! `belfry fork`.

use belfry_protocol::Request;
use belfry_protocol::conversation::ForkSession;

use super::new::own_environment;
use crate::args::ForkArgs;
use crate::context::Context;
use crate::failure::Failure;

pub(crate) async fn run(context: &Context, args: ForkArgs) -> Result<(), Failure> {
    let fork = ForkSession {
        session: args.which.session,
        name: args.name,
        at: args.at,
        handover: args.handover,
        base_env: Some(own_environment()),
    };
    let forked = context.ask_session(Request::ForkSession(Box::new(fork))).await?;
    Ok(context.printer.session(&forked, |session| session.id.to_string())?)
}
