//! `belfry send`.

use std::io::Read;

use belfry_protocol::reply::Delivery;
use belfry_protocol::{Reply, Request};

use crate::args::SendArgs;
use crate::context::{Context, unexpected};
use crate::failure::{Exit, Failure};

pub(crate) async fn message(context: &Context, args: SendArgs) -> Result<(), Failure> {
    let text = if args.text == "-" { from_stdin()? } else { args.text };
    let request = Request::SendMessage { session: args.which.session, text, now: args.now };
    let message = match context.ask(request).await? {
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
    Ok(crate::print::line(match message.delivery {
        Delivery::Queued => "Queued; it is typed when the session can take it.",
        Delivery::Sending => "Being typed.",
        Delivery::Delivered => "Typed.",
        Delivery::Failed | Delivery::Unsure => {
            "Whether it was typed is not known; it is not sent again by itself."
        }
    })?)
}

fn from_stdin() -> Result<String, Failure> {
    let mut text = String::new();
    std::io::stdin()
        .lock()
        .take(1 << 20)
        .read_to_string(&mut text)
        .map_err(|error| Failure::failed(format!("The message cannot be read: {error}.")))?;
    Ok(text.trim_end_matches('\n').to_owned())
}
