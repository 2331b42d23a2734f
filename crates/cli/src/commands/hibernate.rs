//! `belfry hibernate`.

use belfry_protocol::Request;

use crate::args::HibernateArgs;
use crate::context::{Context, session};
use crate::failure::Failure;
use crate::print::plain;

pub(crate) async fn run(context: &Context, args: HibernateArgs) -> Result<(), Failure> {
    let connection = context.connect().await?;
    let several = args.sessions.len() > 1;
    let (mut asleep, mut failed) = (Vec::new(), None);
    for wanted in args.sessions {
        let outcome = connection.request(Request::HibernateSession { session: wanted.clone() }).await;
        let outcome = outcome
            .map_err(Failure::from)
            .map_err(|failure| if several { failure.of(&wanted) } else { failure });
        match outcome.and_then(session) {
            Ok(session) => {
                if !context.printer.json {
                    let name = plain(&session.name);
                    crate::print::line(&format!("{name} sleeps; `belfry resume {}` wakes it.", session.id))?;
                }
                asleep.push(session);
            }
            // The others are tried all the same; the last one's failure is that of the command.
            Err(failure) => {
                if let Some(before) = failed.replace(failure) {
                    before.report(context.printer.json);
                }
            }
        }
    }
    if context.printer.json && several {
        crate::print::value(&asleep)?;
    } else if let (true, Some(session)) = (context.printer.json, asleep.first()) {
        crate::print::value(session)?;
    }
    failed.map_or(Ok(()), Err)
}
