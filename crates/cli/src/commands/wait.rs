//! `belfry wait`.

use belfry_protocol::{Session, SessionId, Status};

use super::watch::Watch;
use crate::args::WaitArgs;
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::print::{doing, plain, shape};

pub(crate) async fn run(context: &Context, args: WaitArgs) -> Result<(), Failure> {
    let found = match args.timeout {
        None => until(context, &args).await?,
        Some(limit) => tokio::time::timeout(limit, until(context, &args)).await.unwrap_or_else(|_| {
            let text = format!("The session was not {} within {} s.", words(&args), limit.as_secs_f64());
            Err(Failure::new(Exit::Timeout, "timeout", text).kept("It goes on."))
        })?,
    };
    Ok(context.printer.session(&found, |session| shape(session).1.to_owned())?)
}

async fn until(context: &Context, args: &WaitArgs) -> Result<Session, Failure> {
    let mut watch = Watch::start(context).await?;
    let id = watch.resolve(&args.which.session).await?;
    loop {
        if let Some(found) = judge(watch.session(id), id, args)? {
            return Ok(found);
        }
        watch.next().await?;
    }
}

/// The session where it is as wanted; an error where it never will be.
fn judge(session: Option<&Session>, id: SessionId, args: &WaitArgs) -> Result<Option<Session>, Failure> {
    let Some(session) = session else {
        let text = format!("The session {id} was removed while it was waited for.");
        return Err(Failure::new(Exit::NoSession, "no_such_session", text));
    };
    if args.until.iter().any(|filter| filter.fits(session)) {
        return Ok(Some(session.clone()));
    }
    if session.status == Status::Dead {
        let text =
            format!("{} has ended ({}) and was not {}.", plain(&session.name), doing(session), words(args));
        return Err(Failure::new(Exit::Failed, "not_alive", text)
            .next(format!("`belfry restart {id}` starts it again; `--until dead` waits for the end.")));
    }
    Ok(None)
}

fn words(args: &WaitArgs) -> String {
    let words: Vec<String> = args
        .until
        .iter()
        .filter_map(|filter| serde_json::to_value(filter).ok()?.as_str().map(str::to_owned))
        .collect();
    words.join(" or ")
}
