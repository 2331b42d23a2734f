//! Messages that wait: `belfry send SESSION --list` and `--cancel`.

use belfry_client::Connection;
use belfry_protocol::reply::{Delivery, QueuedMessage};
use belfry_protocol::{ErrorCode, MessageId, Reply, Request};
use jiff::Timestamp;

use crate::context::{Context, unexpected};
use crate::failure::{Exit, Failure};
use crate::print::{Color, Table, ago, brief};

/// More of a text is not read in a list.
const MOST: usize = 200;

/// Whether a message is still to be typed.
pub(crate) fn waits(message: &QueuedMessage) -> bool {
    matches!(message.delivery, Delivery::Queued | Delivery::Sending)
}

/// A message in a line.
pub(crate) fn line(message: &QueuedMessage, now: Timestamp) -> String {
    let why = message.why.as_deref().map(|why| format!(" ({})", brief(why, MOST))).unwrap_or_default();
    format!(
        "“{}”, {} for {}{why}",
        brief(&message.text, 60),
        word(message.delivery),
        ago(message.queued_at, now)
    )
}

fn word(delivery: Delivery) -> &'static str {
    match delivery {
        Delivery::Queued => "queued",
        Delivery::Sending => "sending",
        Delivery::Delivered => "delivered",
        Delivery::Failed => "failed",
        Delivery::Unsure => "unsure",
    }
}

pub(crate) async fn list(context: &Context, session: String) -> Result<(), Failure> {
    let connection = context.connect().await?;
    let messages = of(&connection, session).await?;
    if context.printer.json {
        return Ok(crate::print::value(&messages)?);
    }
    if messages.is_empty() {
        return Ok(crate::print::line("No messages.")?);
    }
    let now = Timestamp::now();
    let ids: Vec<String> = messages.iter().map(|message| message.id.to_string()).collect();
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    let mut table = Table::new(&["MESSAGE", "IS", "AGE", "TEXT", ""], &[(3, 20), (4, 20)]).wrapping();
    for (message, id) in messages.iter().zip(&ids) {
        let color = match message.delivery {
            Delivery::Queued | Delivery::Sending => Color::Blue,
            Delivery::Delivered => Color::Faint,
            Delivery::Failed | Delivery::Unsure => Color::Red,
        };
        table.row(vec![
            (super::list::shortest(id, &sorted).to_owned(), None),
            (word(message.delivery).to_owned(), Some(color)),
            (ago(message.queued_at, now), None),
            (brief(&message.text, MOST), None),
            (brief(message.why.as_deref().unwrap_or_default(), MOST), Some(Color::Faint)),
        ]);
    }
    for line in table.lines(context.printer.style, crate::print::width()) {
        crate::print::line(&line)?;
    }
    Ok(())
}

/// Takes a message back. Its id is enough; of a session's own ones a unique prefix is.
pub(crate) async fn cancel(context: &Context, session: Option<String>, wanted: &str) -> Result<(), Failure> {
    let whole = wanted.parse::<MessageId>().ok();
    if whole.is_none() && session.is_none() {
        return Err(Failure::usage(format!("{wanted} is no message's id."))
            .next("`belfry send SESSION --cancel MESSAGE` takes the beginning of one."));
    }
    let connection = context.connect().await?;
    let message = match (whole, session) {
        (Some(id), None) => id,
        (whole, session) => {
            let messages = of(&connection, session.unwrap_or_default()).await?;
            found(&messages, whole, &wanted.to_ascii_lowercase())?
        }
    };
    let cancelled = match connection.request(Request::CancelMessage { message }).await {
        Ok(Reply::Message(cancelled)) => cancelled,
        Ok(other) => return Err(unexpected(&other)),
        Err(error) => {
            let failure = Failure::from(error);
            let late = failure.is(ErrorCode::Changed);
            return Err(if late { failure.kept("Nothing was taken back.") } else { failure });
        }
    };
    if context.printer.json {
        return Ok(crate::print::value(&cancelled)?);
    }
    Ok(crate::print::line("Taken back; it is not typed.")?)
}

async fn of(connection: &Connection, session: String) -> Result<Vec<QueuedMessage>, Failure> {
    match connection.request(Request::ListMessages { session }).await? {
        Reply::Messages(messages) => Ok(messages),
        other => Err(unexpected(&other)),
    }
}

fn found(messages: &[QueuedMessage], whole: Option<MessageId>, prefix: &str) -> Result<MessageId, Failure> {
    let fits = |message: &&QueuedMessage| match whole {
        Some(id) => message.id == id,
        None => !prefix.is_empty() && message.id.to_string().starts_with(prefix),
    };
    let mut fitting = messages.iter().filter(fits);
    match (fitting.next(), fitting.next()) {
        (Some(one), None) => Ok(one.id),
        (Some(_), Some(_)) => Err(Failure::new(
            Exit::Usage,
            "ambiguous",
            format!("More than one message begins with {prefix}."),
        )),
        (None, _) => Err(Failure::new(Exit::Failed, "not_found", format!("There is no message {prefix}."))
            .next("`belfry send SESSION --list` shows a session's messages.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(id: MessageId, text: &str) -> QueuedMessage {
        let queued_at = Timestamp::from_second(100).unwrap();
        QueuedMessage { id, text: text.to_owned(), delivery: Delivery::Queued, why: None, queued_at }
    }

    #[test]
    fn messages_are_found_by_a_unique_prefix() {
        let (one, two) = (MessageId::at(1_000_000), MessageId::at(9_000_000_000_000));
        let messages = [message(one, "a"), message(two, "b")];
        let prefix = one.to_string()[..10].to_owned();
        assert_eq!(found(&messages, None, &prefix).unwrap(), one);
        assert_eq!(found(&messages, Some(two), "").unwrap(), two);
        assert_eq!(found(&messages, None, "0").unwrap_err().exit, Exit::Usage);
        assert_eq!(found(&messages, None, "x").unwrap_err().exit, Exit::Failed);
        assert_eq!(found(&messages, None, "").unwrap_err().exit, Exit::Failed);
    }

    #[test]
    fn a_message_is_one_harmless_line() {
        let mut message = message(MessageId::at(1), "a\x1b[2J\nb");
        message.why = Some("a dialog\nis open".to_owned());
        let line = line(&message, Timestamp::from_second(160).unwrap());
        assert_eq!(line, "“a[2J b”, queued for 1 min (a dialog is open)");
    }
}
