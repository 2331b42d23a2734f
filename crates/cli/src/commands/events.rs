//! `belfry events`.

use belfry_protocol::{Event, SessionId};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use super::watch::Watch;
use crate::args::EventsArgs;
use crate::context::Context;
use crate::failure::Failure;

pub(crate) async fn run(context: &Context, args: EventsArgs) -> Result<(), Failure> {
    let mut watch = Watch::start(context).await?;
    let only = match &args.session {
        Some(session) => Some(watch.resolve(session).await?),
        None => None,
    };
    let reader = Reader::new();
    loop {
        let event = tokio::select! {
            event = watch.next() => event?,
            () = reader.gone() => return Ok(()),
        };
        if only.is_none_or(|id| is_about(&event, id)) {
            let line = serde_json::to_string(&event).map_err(std::io::Error::other)?;
            crate::print::line(&crate::print::harmless(&line))?;
        }
        if only.is_some_and(|id| matches!(event, Event::SessionRemoved { id: removed } if removed == id)) {
            return Ok(());
        }
    }
}

fn is_about(event: &Event, id: SessionId) -> bool {
    match event {
        Event::Session { session } => session.id == id,
        Event::Notification { notification } => notification.session == Some(id),
        Event::SessionRemoved { id: other }
        | Event::Bell { session: other }
        | Event::Message { session: other, .. } => *other == id,
        _ => false,
    }
}

/// Whoever reads our output, where that is a pipe: when they leave, so do we, even if nothing more happens.
struct Reader(Option<AsyncFd<std::io::Stdout>>);

impl Reader {
    fn new() -> Self {
        // A file cannot be waited for, and does not go away.
        // SAFETY: nothing here closes the standard output, so the descriptor is the same as long as the process lives.
        let registered = unsafe { AsyncFd::register_with_interest(std::io::stdout(), Interest::ERROR) };
        Self(registered.ok())
    }

    async fn gone(&self) {
        loop {
            let Some(stdout) = &self.0 else { return std::future::pending().await };
            match stdout.ready(Interest::ERROR).await {
                Ok(mut guard) if !guard.ready().is_error() => guard.clear_ready(),
                _ => return,
            }
        }
    }
}
