//! `belfry show`.

use belfry_protocol::{Request, Session};

use crate::args::OneSession;
use crate::context::Context;
use crate::failure::Failure;
use crate::print::{Color, Style, at, ended, plain, shape};

pub(crate) async fn run(context: &Context, args: OneSession) -> Result<(), Failure> {
    let session = context.ask_session(Request::ShowSession { session: args.session }).await?;
    Ok(context.printer.session(&session, |session| text(session, context.printer.style))?)
}

fn text(session: &Session, style: Style) -> String {
    let (shape, word, color) = shape(session);
    let mut lines =
        vec![format!("{}  {}", style.paint(shape, color), style.paint(&plain(&session.name), Color::Bold))];
    let mut line = |label: &str, text: String| {
        if !text.is_empty() {
            lines.push(format!("   {} {}", style.paint(&format!("{label:<13}"), Color::Faint), text));
        }
    };
    let more = ended(session);
    let mut status = if more.is_empty() { word.to_owned() } else { format!("{word}, {more}") };
    if session.trashed_at.is_some() {
        status.push_str("; in the trash, `belfry restore` takes it out");
    }
    line("status", status);
    line("since", format!("{} ({})", at(session.since), plain(&session.source)));
    line("id", session.id.to_string());
    line("agent", plain(&session.agent));
    line("command", session.command.iter().map(|word| plain(word)).collect::<Vec<_>>().join(" "));
    line("model", optional(session.model.as_deref()));
    line("directory", plain(&session.cwd));
    line("branch", optional(session.branch.as_deref()));
    line("conversation", optional(session.conversation_id.as_deref()));
    line("title", optional(session.title.as_deref()));
    line("pid", session.pid.map(|pid| pid.to_string()).unwrap_or_default());
    line("size", format!("{}x{}", session.cols, session.rows));
    line("views", session.views.to_string());
    line("queued", if session.queued == 0 { String::new() } else { session.queued.to_string() });
    line("environment", session.env_names.iter().map(|name| plain(name)).collect::<Vec<_>>().join(" "));
    line("private", if session.private { "yes, nothing of it is on disk".to_owned() } else { String::new() });
    line("started by", session.started_by.map(|id| id.to_string()).unwrap_or_default());
    line("runs", session.runs.len().to_string());
    line("created", at(session.created_at));
    line("last activity", at(session.last_activity_at));
    line("archived", session.archived_at.map(at).unwrap_or_default());
    line("in the trash", session.trashed_at.map(at).unwrap_or_default());
    line("notice", optional(session.notice.as_deref()));
    lines.join("\n")
}

fn optional(text: Option<&str>) -> String {
    text.map(plain).unwrap_or_default()
}
