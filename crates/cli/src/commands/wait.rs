//! `belfry wait`.

use std::time::{Duration, Instant};

use belfry_protocol::{Session, SessionId, Status};

use super::watch::Watch;
use crate::args::{Until, WaitArgs};
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::print::{doing, plain, shape};

/// The way to the daemon takes its time, however short the wait is to be: a session that is as wanted already is found.
const FIRST_LOOK: Duration = Duration::from_secs(10);

/// For how long the question of a session that waits is waited for.
const QUESTION: Duration = Duration::from_millis(500);

pub(crate) async fn run(context: &Context, args: WaitArgs) -> Result<(), Failure> {
    let began = Instant::now();
    let late = || {
        let limit = args.timeout.unwrap_or_default();
        let text = format!("The session was not {} within {} s.", words(&args), limit.as_secs_f64());
        Err(Failure::new(Exit::Timeout, "timeout", text).kept("It goes on."))
    };
    let first = async {
        let mut watch = Watch::start(context).await?;
        let id = watch.resolve(&args.which.session).await?;
        Ok::<_, Failure>((judge(watch.session(id), id, &args)?, watch, id))
    };
    let first_look = args.timeout.map(|limit| limit.max(FIRST_LOOK));
    let (found, mut watch, id) = match within(first_look, first).await {
        Some(first) => first?,
        None => return late(),
    };
    let found = if let Some(found) = found {
        found
    } else {
        let left = args.timeout.map(|limit| limit.saturating_sub(began.elapsed()));
        match within(left, until(&mut watch, id, &args)).await {
            Some(found) => found?,
            None => return late(),
        }
    };
    let found = with_question(&mut watch, found, &args).await;
    Ok(context.printer.session(&found, |session| shape(session).1.to_owned())?)
}

/// A session that waits, with its question, which is told a moment after the status; without one where none comes.
async fn with_question(watch: &mut Watch, found: Session, args: &WaitArgs) -> Session {
    if found.status != Status::Waiting || found.ask.is_some() {
        return found;
    }
    let asked = async {
        loop {
            let asking = until(watch, found.id, args).await?;
            if asking.ask.is_some() || asking.status != Status::Waiting {
                return Ok::<_, Failure>(asking);
            }
        }
    };
    within(Some(QUESTION), asked).await.and_then(Result::ok).unwrap_or(found)
}

/// What comes of `work`, unless it takes longer.
async fn within<T>(limit: Option<Duration>, work: impl Future<Output = T>) -> Option<T> {
    match limit {
        Some(limit) => tokio::time::timeout(limit, work).await.ok(),
        None => Some(work.await),
    }
}

async fn until(watch: &mut Watch, id: SessionId, args: &WaitArgs) -> Result<Session, Failure> {
    loop {
        watch.next().await?;
        if let Some(found) = judge(watch.session(id), id, args)? {
            return Ok(found);
        }
    }
}

/// The session where it is as wanted; an error where it never will be.
fn judge(session: Option<&Session>, id: SessionId, args: &WaitArgs) -> Result<Option<Session>, Failure> {
    let Some(session) = session else {
        let text = format!("The session {id} was removed while it was waited for.");
        return Err(Failure::new(Exit::NoSession, "no_such_session", text));
    };
    if args.until.iter().any(|until| fits(*until, session)) {
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

fn fits(until: Until, session: &Session) -> bool {
    match until {
        Until::Is(filter) => filter.fits(session),
        Until::Attention => {
            matches!(session.status, Status::Waiting | Status::Blocked | Status::Idle | Status::Dead)
        }
    }
}

fn words(args: &WaitArgs) -> String {
    let word = |until: &Until| match until {
        Until::Is(filter) => serde_json::to_value(filter).ok()?.as_str().map(str::to_owned),
        Until::Attention => Some("waiting, blocked, idle or dead".to_owned()),
    };
    args.until.iter().filter_map(word).collect::<Vec<_>>().join(" or ")
}
