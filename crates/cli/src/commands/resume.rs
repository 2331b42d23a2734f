//! `belfry resume`.

use belfry_client::Connection;
use belfry_protocol::conversation::ResumeConversation;
use belfry_protocol::{Reply, Request, Session};

use super::new::{directory, own_environment};
use crate::args::ResumeArgs;
use crate::context::{Context, session, unexpected};
use crate::failure::{Exit, Failure};
use crate::print::plain;

pub(crate) async fn run(context: &Context, args: ResumeArgs) -> Result<(), Failure> {
    let cwd = args.cwd.as_deref().map(|cwd| directory(Some(cwd))).transpose()?;
    let connection = context.connect().await?;
    if args.all {
        return all(context, &connection).await;
    }
    if let Some(agent) = args.agent {
        // One, as the grammar has it.
        let id = args.sessions.into_iter().next().unwrap_or_default();
        let base_env = Some(own_environment());
        let (name, handover) = (args.name, args.handover);
        let wanted = ResumeConversation { agent, id, cwd, name, fork: false, handover, base_env };
        let request = Request::ResumeConversation(Box::new(wanted));
        let resumed = session(connection.request(request).await?)?;
        return Ok(context.printer.session(&resumed, |session| session.id.to_string())?);
    }
    let (mut resumed, mut failed) = (Vec::new(), None);
    let several = args.sessions.len() > 1;
    for wanted in args.sessions {
        match one(&connection, &wanted, cwd.clone()).await {
            Ok((session, said)) => {
                if !context.printer.json {
                    crate::print::line(&said)?;
                }
                resumed.push(session);
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
        crate::print::value(&resumed)?;
    } else if let (true, Some(session)) = (context.printer.json, resumed.first()) {
        crate::print::value(session)?;
    }
    failed.map_or(Ok(()), Err)
}

/// Resumes one session, and what is said of that.
async fn one(
    connection: &Connection,
    wanted: &str,
    cwd: Option<String>,
) -> Result<(Session, String), Failure> {
    let before = session(connection.request(Request::ShowSession { session: wanted.to_owned() }).await?)?;
    let name = plain(&before.name);
    // The daemon would take it out: whoever put it there meant to be rid of it, and a name or a prefix is soon mistaken.
    if before.trashed_at.is_some() {
        return Err(Failure::new(Exit::Refused, "in_the_trash", format!("{name} is in the trash."))
            .kept("It is as it was.")
            .next(format!("`belfry restore {}` takes it out; then it can be resumed.", before.id)));
    }
    let base_env = Some(own_environment());
    let request = Request::ResumeSession { session: before.id.to_string(), cwd, base_env };
    let after = session(connection.request(request).await?)?;
    let said = match (&before.conversation_id, &after.conversation_id) {
        (Some(was), Some(is)) if was == is => format!("{name} goes on in its conversation."),
        _ if after.agent == "shell" => format!("{name} has no conversation: its program was started again."),
        _ => format!("{name} runs again; nothing had been said in it yet."),
    };
    Ok((after, said))
}

async fn all(context: &Context, connection: &Connection) -> Result<(), Failure> {
    let request = Request::ResumeAll { sessions: None, base_env: Some(own_environment()) };
    let sessions = match connection.request(request).await? {
        Reply::Sessions(sessions) => sessions,
        other => return Err(unexpected(&other)),
    };
    if context.printer.json {
        return Ok(crate::print::value(&sessions)?);
    }
    if sessions.is_empty() {
        return Ok(crate::print::line("No session was alive when the machine went down.")?);
    }
    for session in &sessions {
        crate::print::line(&format!("{}  {}", session.id, plain(&session.name)))?;
    }
    let what = match sessions.len() {
        1 => "It is resumed".to_owned(),
        count => format!("These {count} are resumed, two at a time"),
    };
    Ok(crate::print::line(&format!("{what}; `belfry ls` shows how far that is."))?)
}
