//! `belfry show`.

use belfry_client::Connection;
use belfry_protocol::reply::QueuedMessage;
use belfry_protocol::session::LearntConversation;
use belfry_protocol::{Reply, Request, Session};
use jiff::ZonedDateTime;

use super::messages;
use super::place::Tree;
use crate::args::OneSession;
use crate::context::Context;
use crate::failure::Failure;
use crate::print::{Color, Sheet, Style, at, brief, describe, doing, moment, plain, shape};

/// Arguments can be as long as the system allows.
const MOST_COMMAND: usize = 2000;

pub(crate) async fn run(context: &Context, args: OneSession) -> Result<(), Failure> {
    let connection = context.connect().await?;
    let show = Request::ShowSession { session: args.session };
    let session = crate::context::session(connection.request(show).await?)?;
    let ledger = ledger(&connection, &session).await;
    if context.printer.json {
        return Ok(crate::print::value(&whole(&session, &ledger))?);
    }
    let waiting = waiting(&connection, &session).await;
    let place = place(&connection, &session).await;
    let more = More { place, waiting, ledger };
    Ok(crate::print::line(&text(&session, &more, context.printer.style, &ZonedDateTime::now()))?)
}

/// What is shown of a session beside its record.
struct More {
    /// The names of its project and group.
    place: (String, String),
    waiting: Vec<QueuedMessage>,
    ledger: Vec<LearntConversation>,
}

/// The record, with the conversations that the session has been in.
fn whole(session: &Session, ledger: &[LearntConversation]) -> serde_json::Value {
    let mut whole = serde_json::to_value(session).unwrap_or_default();
    whole["conversations"] = serde_json::to_value(ledger).unwrap_or_default();
    whole
}

/// The conversations that it has been in. That they cannot be listed is no reason to show nothing: the newest is known.
async fn ledger(connection: &Connection, session: &Session) -> Vec<LearntConversation> {
    match connection.request(Request::ListLedger { session: session.id.to_string() }).await {
        Ok(Reply::Ledger(ledger)) => ledger,
        _ => Vec::new(),
    }
}

/// The names of its project and group. That they cannot be had is no reason to show nothing.
async fn place(connection: &Connection, session: &Session) -> (String, String) {
    let Some(id) = session.project else { return Default::default() };
    let Ok(tree) = Tree::read(connection).await else { return Default::default() };
    let project = tree.projects.iter().find(|project| project.id == id);
    let group = tree.groups.iter().find(|group| Some(group.id) == session.group);
    (
        project.map(|project| plain(&project.name)).unwrap_or_default(),
        group.map(|group| plain(&tree.path(group))).unwrap_or_default(),
    )
}

/// The messages that wait. That they cannot be listed is no reason to show nothing: their number is known.
async fn waiting(connection: &Connection, session: &Session) -> Vec<QueuedMessage> {
    if session.queued == 0 {
        return Vec::new();
    }
    match connection.request(Request::ListMessages { session: session.id.to_string() }).await {
        Ok(Reply::Messages(all)) => all.into_iter().filter(messages::waits).collect(),
        _ => Vec::new(),
    }
}

fn text(session: &Session, more: &More, style: Style, here: &ZonedDateTime) -> String {
    let More { place: (project, group), waiting, ledger } = more;
    let now = here.timestamp();
    let (shape, word, color) = shape(session);
    let mut sheet = Sheet::new(style);
    let name = style.paint(&plain(&session.name), Color::Bold);
    sheet.head(format!("{}  {name}", style.paint(shape, color)));
    let more = doing(session);
    let mut status = with_more(word, &more);
    if session.trashed_at.is_some() {
        status.push_str("; in the trash, `belfry restore` takes it out");
    }
    sheet.add("status", status);
    if let Some(ask) = &session.ask {
        describe(&mut sheet, ask, style, now, &format!("belfry answer {}", session.id));
    }
    sheet.add("since", format!("{} ({})", at(session.since), plain(&session.source)));
    sheet.add("id", session.id.to_string());
    sheet.add("agent", plain(&session.agent));
    sheet.add(
        "with",
        session
            .guest
            .as_deref()
            .map(|guest| format!("{}, started by hand", plain(guest)))
            .unwrap_or_default(),
    );
    sheet.add("runs in", session.local.as_ref().map(|local| plain(&local.place)).unwrap_or_default());
    let command = session.command.iter().map(|word| plain(word)).collect::<Vec<_>>().join(" ");
    sheet.add("command", brief(&command, MOST_COMMAND));
    sheet.add("model", optional(session.model.as_deref()));
    sheet.add("directory", plain(&session.cwd));
    sheet.add("project", project.clone());
    sheet.add("group", group.clone());
    sheet.add("branch", optional(session.branch.as_deref()));
    sheet.add("conversation", optional(session.conversation_id.as_deref()));
    let learnt = |line: &LearntConversation| {
        format!("{} since {}, by {}", plain(&line.id), at(line.learnt_at), plain(&line.how))
    };
    sheet.add_all("", ledger.iter().map(learnt));
    sheet.add("forked from", session.forked_from.map(|id| id.to_string()).unwrap_or_default());
    sheet.add("title", optional(session.title.as_deref()));
    sheet.add("pid", session.pid.map(|pid| pid.to_string()).unwrap_or_default());
    sheet.add("size", format!("{}x{}", session.cols, session.rows));
    sheet.add("views", session.views.to_string());
    sheet.add("queued", if session.queued == 0 { String::new() } else { session.queued.to_string() });
    sheet.add_all("", waiting.iter().map(|message| messages::line(message, now)));
    let names = session.env_names.iter().map(|name| plain(name)).collect::<Vec<_>>().join(" ");
    sheet.add("environment", brief(&names, MOST_COMMAND));
    sheet.add("private", if session.private { "yes, nothing of it is on disk" } else { "" });
    sheet.add("pinned", if session.pinned { "yes, kept at the top" } else { "" });
    sheet.add("muted", if session.muted { "yes, calls nobody" } else { "" });
    let snoozed = session.snoozed_until.filter(|until| now < *until);
    sheet.add("snoozed", snoozed.map(|until| format!("until {}", moment(until, here))).unwrap_or_default());
    sheet.add("started by", session.started_by.map(|id| id.to_string()).unwrap_or_default());
    sheet.add("runs", session.runs.len().to_string());
    sheet.add("created", at(session.created_at));
    sheet.add("last activity", at(session.last_activity_at));
    sheet.add("archived", session.archived_at.map(at).unwrap_or_default());
    sheet.add("in the trash", session.trashed_at.map(at).unwrap_or_default());
    sheet.add("notice", optional(session.notice.as_deref()));
    sheet.text()
}

/// A status with what is known of it. `Running npm test` says by itself that it runs.
fn with_more(word: &str, more: &str) -> String {
    match more.split_once([' ', ':']) {
        _ if more.is_empty() => word.to_owned(),
        Some((first, rest)) if first.eq_ignore_ascii_case(word) => format!("{word} {}", rest.trim_start()),
        _ if more.eq_ignore_ascii_case(word) => word.to_owned(),
        _ => format!("{word}, {more}"),
    }
}

fn optional(text: Option<&str>) -> String {
    text.map(plain).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_not_said_twice() {
        assert_eq!(with_more("running", "Running npm test"), "running npm test");
        assert_eq!(with_more("running", "npm test"), "running, npm test");
        assert_eq!(with_more("idle", ""), "idle");
        assert_eq!(with_more("running", "Running"), "running");
    }
}
