//! `belfry send`.

use std::io::Read;

use belfry_protocol::reply::Delivery;
use belfry_protocol::{Reply, Request};

use super::messages;
use crate::args::SendArgs;
use crate::context::{Context, unexpected};
use crate::failure::{Exit, Failure};
use crate::print::plain;

/// The daemon takes no longer one, in bytes.
const LONGEST: u64 = 1 << 20;

pub(crate) async fn run(context: &Context, args: SendArgs) -> Result<(), Failure> {
    let SendArgs { session, text, now, list, cancel } = args;
    // Which of them are there together is the grammar's to say.
    match (session, text, cancel) {
        (session, _, Some(message)) => messages::cancel(context, session, &message).await,
        (Some(session), _, None) if list => messages::list(context, session).await,
        (Some(session), Some(text), None) => message(context, session, text, now).await,
        _ => Err(Failure::usage("What is to be sent, and where?").next("`belfry send SESSION TEXT`")),
    }
}

async fn message(context: &Context, session: String, text: String, now: bool) -> Result<(), Failure> {
    let text = if text == "-" { from_stdin()? } else { text };
    told(context, context.ask(Request::SendMessage { session, text, now }).await?)
}

/// Says what became of a message.
pub(super) fn told(context: &Context, reply: Reply) -> Result<(), Failure> {
    let message = match reply {
        Reply::Message(message) => message,
        other => return Err(unexpected(&other)),
    };
    if message.delivery == Delivery::Failed {
        let why = message.why.unwrap_or_else(|| "the session did not take it".to_owned());
        return Err(Failure::new(
            Exit::Failed,
            "not_delivered",
            format!("The message was not typed: {why}."),
        ));
    }
    if context.printer.json {
        return Ok(crate::print::value(&message)?);
    }
    let why = message.why.as_deref().map(|why| format!(" ({})", plain(why))).unwrap_or_default();
    Ok(crate::print::line(&match message.delivery {
        Delivery::Queued => format!(
            "Queued; it is typed when the session can take it{why}. `belfry send --cancel {}` takes it back.",
            message.id
        ),
        Delivery::Sending => "Being typed.".to_owned(),
        Delivery::Delivered => "Typed.".to_owned(),
        Delivery::Failed | Delivery::Unsure => {
            "Whether it was typed is not known; it is not sent again by itself.".to_owned()
        }
    })?)
}

fn from_stdin() -> Result<String, Failure> {
    let failed = |error: std::io::Error| Failure::failed(format!("The message cannot be read: {error}."));
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(LONGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    // A part of it would say something else than the whole.
    if bytes.len() as u64 > LONGEST {
        return Err(Failure::new(Exit::Failed, "too_much", "The message is longer than 1 MiB.")
            .kept("Nothing was sent."));
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::failed("The message is not UTF-8.").kept("Nothing was sent."))?;
    Ok(text.trim_end_matches('\n').to_owned())
}
