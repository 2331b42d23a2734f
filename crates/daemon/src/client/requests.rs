//! What each request comes to.
//!
//! Requests about a view go to its session's engine at once, in the order in which they came and among the keystrokes; the
//! others are worked on beside, so that one that takes time keeps nothing waiting.

pub(crate) mod asks;

mod agents;
mod attachments;
mod conversations;
pub(crate) mod history;
mod hooks;
pub(crate) mod library;
mod local;
mod places;
mod prompt;
pub(crate) mod sessions;
mod sleep;
pub(crate) mod tree;
mod window;

use std::pin::Pin;
use std::sync::Arc;

use belfry_protocol::reply::DaemonInfo;
use belfry_protocol::settings::SettingsState;
use belfry_protocol::{ErrorCode, Reply, Request, ViewId, WireError};

use super::{Answer, Client, View};
use crate::Daemon;
use crate::session::Command;
use crate::sources::Call;

/// What has become of a request.
pub(super) enum Asked {
    /// It is answered, or somebody has it who will.
    Answered,
    /// Its answer takes time.
    Later(Pin<Box<dyn Future<Output = ()> + Send>>),
}

type Outcome = Result<Reply, WireError>;

/// Takes a request.
pub(super) fn ask(daemon: &Arc<Daemon>, client: &Arc<Client>, answer: Answer, request: Request) -> Asked {
    if let Err(error) = client.authority.allows(&request) {
        answer.give(Err(error));
        return Asked::Answered;
    }
    let (answer, request) = match view(daemon, client, answer, request) {
        Ok(()) => return Asked::Answered,
        Err(other) => *other,
    };
    let (daemon, client) = (Arc::clone(daemon), Arc::clone(client));
    Asked::Later(Box::pin(async move {
        if let Request::Subscribe = request {
            daemon.subscribe(&client, answer).await;
            return;
        }
        if let Some((answer, outcome)) = answered(&daemon, &client, answer, request).await {
            answer.give(outcome);
        }
    }))
}

/// Requests about views, and those that a session's engine answers itself. Gives back what is none.
fn view(
    daemon: &Arc<Daemon>,
    client: &Arc<Client>,
    answer: Answer,
    request: Request,
) -> Result<(), Box<(Answer, Request)>> {
    let known = |view: ViewId, answer: Answer, command: &dyn Fn(Arc<View>, Answer) -> Command| match client
        .view(view)
    {
        Some(view) => {
            let entry = Arc::clone(&view.entry);
            entry.tell(daemon, command(view, answer));
        }
        None => answer.fail(ErrorCode::NotFound, "there is no such view"),
    };
    match request {
        Request::OpenView { session, view, size, focus, credit } => {
            let entry = match daemon.find(&session) {
                Ok(entry) => entry,
                Err(error) => {
                    answer.give(Err(error));
                    return Ok(());
                }
            };
            let view = Arc::new(View::new(view, Arc::clone(client), Arc::clone(&entry)));
            if !client.add_view(&view) {
                answer.fail(ErrorCode::TooMuch, "that view is open already, or too many are");
                return Ok(());
            }
            let size = size.clamped();
            let size = belfry_terminal::Size::new(size.cols, size.rows);
            entry.tell(daemon, Command::Open { view, size, focus, credit, answer });
        }
        Request::CloseView { view } => {
            known(view, answer, &|view, answer| Command::Close { view: view.key(), answer: Some(answer) });
        }
        Request::ResizeView { view, size } => {
            let size = size.clamped();
            let size = belfry_terminal::Size::new(size.cols, size.rows);
            known(view, answer, &|view, answer| Command::Resize { view: view.key(), size, answer });
        }
        Request::FocusView { view, focused } => {
            known(view, answer, &|view, answer| Command::Focus {
                view: view.key(),
                focused,
                answer: Some(answer),
            });
        }
        Request::HoldView { view, held } => {
            known(view, answer, &|view, answer| Command::Hold { view: view.key(), held, answer });
        }
        Request::FetchScrollback { view } => {
            known(view, answer, &|view, answer| Command::Fetch { view: view.key(), answer });
        }
        Request::SendKeys { session, keys } => match daemon.find(&session) {
            Ok(entry) => entry.tell(daemon, Command::Keys { keys, answer }),
            Err(error) => answer.give(Err(error)),
        },
        Request::ReadScreen { session, ansi, scrollback } => {
            let entry = daemon.find(&session).and_then(|entry| {
                client.authority.reaches(entry.id)?;
                Ok(entry)
            });
            match entry {
                Ok(entry) => entry.tell(daemon, Command::Screen { ansi, scrollback, answer }),
                Err(error) => local::screen(daemon, client, &session, (ansi, scrollback), (answer, error)),
            }
        }
        other => return Err(Box::new((answer, other))),
    }
    Ok(())
}

/// The outcome, with the answer that is owed; none where somebody else has taken the answer on.
async fn answered(
    daemon: &Arc<Daemon>,
    client: &Arc<Client>,
    answer: Answer,
    request: Request,
) -> Option<(Answer, Outcome)> {
    let outcome = match request {
        Request::Ping => Ok(Reply::Done),
        Request::KillSession { session } => return sessions::kill(daemon, &session, answer),
        Request::SendMessage { session, text, now } => {
            return sessions::message(daemon, &session, text, now, answer).await;
        }
        Request::HibernateSession { session } => sleep::hibernate(daemon, &session).await,
        Request::MeasureSessions { sessions } => {
            Ok(Reply::Figures(crate::figures::of_sessions(daemon, sessions.as_deref()).await))
        }
        Request::ReadUsage(wanted) => crate::usage::read(daemon, *wanted).await,
        Request::ExportAsciicast { session, stream } => {
            return crate::export::asciicast(daemon, client, &session, stream, answer).await;
        }
        Request::ExportMarkdown { session, stream } => {
            return crate::export::session(daemon, client, &session, stream, answer).await;
        }
        Request::ExportConversation { agent, id, stream } => {
            return crate::export::conversation(daemon, client, (agent, id), stream, answer).await;
        }
        Request::ReadRecording { session, from, picture, bytes, stream } => {
            let wanted = (session.as_str(), from, picture, bytes);
            return crate::replay::read(daemon, client, wanted, stream, answer).await;
        }
        Request::ShowRecording { session } => crate::replay::show(daemon, client, &session).await,
        Request::NewSession(new) => sessions::new(daemon, *new).await,
        Request::ListSessions { status, all, after } => Ok(sessions::list(daemon, &status, all, after).await),
        Request::AdoptSession { target } => local::adopt(daemon, &target).await,
        Request::EndLocal { session, pid } => crate::local::end::session(daemon, &session, pid).await,
        Request::ShowSession { session } => sessions::show(daemon, client, &session),
        Request::RenameSession { session, name } => sessions::rename(daemon, &session, &name),
        Request::DuplicateSession { session, base_env } => {
            sessions::duplicate(daemon, &session, base_env).await
        }
        Request::RestartSession { session, anew, base_env } => {
            conversations::restart(daemon, &session, anew, base_env).await
        }
        Request::ResumeSession { session, cwd, base_env } => {
            conversations::resume(daemon, &session, cwd.as_deref(), base_env).await
        }
        Request::ResumeAll { sessions, base_env } => {
            conversations::resume_all(daemon, sessions, base_env).await
        }
        Request::ResumeConversation(wanted) => conversations::resume_any(daemon, *wanted).await,
        Request::ForkSession(fork) => conversations::fork(daemon, *fork).await,
        Request::ListConversations(list) => library::list(daemon, *list).await,
        Request::SearchText(search) => library::search(daemon, *search).await,
        Request::HideConversation { agent, id, hidden } => library::hide(daemon, agent, id, hidden).await,
        Request::ReadTranscript(wanted) => library::read(daemon, *wanted).await,
        Request::ListLedger { session } => conversations::ledger(daemon, client, &session).await,
        Request::RemoveSession { session, now, kill } => sessions::remove(daemon, &session, now, kill).await,
        Request::RestoreSession { session } => sessions::restore(daemon, session),
        Request::ArchiveSession { session, archived } => sessions::archive(daemon, &session, archived),
        Request::MoveSession { session, project, group, position } => {
            sessions::place(daemon, &session, project, group, position).await
        }
        Request::MarkSession { session, pinned, muted, snooze_seconds } => {
            tree::mark(daemon, &session, (pinned, muted, snooze_seconds))
        }
        Request::AddProject { path, name } => tree::add_project(daemon, None, path, name).await,
        Request::ChangeProject { project, name, position, defaults } => {
            tree::change_project(daemon, project, (name, position, defaults)).await
        }
        Request::RemoveProject { project } => tree::remove_project(daemon, project).await,
        Request::AddGroup { project, parent, name, color } => {
            tree::add_group(daemon, project, parent, &name, color).await
        }
        Request::ChangeGroup { group, parent, name, color, position } => {
            tree::change_group(daemon, group, parent, (&name, color, position)).await
        }
        Request::RemoveGroup { group } => tree::remove_group(daemon, group).await,
        Request::Workspace(wanted) => crate::workspaces::answered(daemon, *wanted).await,
        Request::Changes(wanted) => return crate::review::answered(daemon, client, *wanted, answer).await,
        Request::PullRequest(wanted) => return crate::forge::answered(daemon, *wanted, answer).await,
        Request::MarkSeen { session } => sessions::seen(daemon, session),
        Request::ListAgents { refresh } => agents::list(daemon, refresh).await,
        Request::CompleteDirectory { prefix } => places::complete(daemon, prefix).await,
        Request::RecentDirectories => places::recent(daemon).await,
        Request::LaunchDefaults { cwd } => places::defaults(daemon, cwd).await,
        Request::GetSetting { name } => places::setting(daemon, name).await,
        Request::PutSetting { name, value } => places::put_setting(daemon, name, value).await,
        Request::GetSettings => Ok(Reply::Settings(Box::new((*daemon.settings()).clone()))),
        Request::MakeSettingsFile => settings_reply(daemon.make_settings().await),
        Request::ChangeSetting { path, value } => settings_reply(daemon.change_setting(&path, &value).await),
        Request::ListNotifications => Ok(Reply::Notifications(daemon.notifications())),
        Request::MarkNotificationsRead { up_to } => {
            daemon.notifications_read(up_to);
            Ok(Reply::Done)
        }
        Request::TestNotification { kind } => {
            daemon.test_notification(kind);
            Ok(Reply::Done)
        }
        Request::ReadPrompt { session } => prompt::read(daemon, &session).await,
        Request::SaveAttachment { session, name, file, offset, data } => {
            attachments::save(daemon, &session, attachments::Piece { name, file, offset, data }).await
        }
        Request::SetColors { foreground, background, cursor, ansi, dark } => {
            agents::colors(daemon, [&foreground, &background, &cursor], &ansi, dark)
        }
        Request::AnswerAsk { session, choice, text, fingerprint } => {
            return asks::answer(daemon, client, &session, (choice, text, fingerprint), answer);
        }
        Request::ExplainSession { session } => return asks::explain(daemon, &session, answer).await,
        Request::ListMessages { session } => return asks::messages(daemon, &session, answer).await,
        Request::ListHistory { session, limit } => history::list(daemon, &session, limit).await,
        Request::FocusWindow { session, next } => window::focus(daemon, session.as_deref(), next),
        Request::CancelMessage { message } => asks::cancel(daemon, message).await,
        Request::HookEvent { session, secret, name, at_ms, payload } => {
            let call = Call { secret: &secret, name: &name, at_ms, payload: &payload };
            hooks::event(daemon, client, session, &call)
        }
        Request::DaemonStatus => Ok(status(daemon)),
        Request::CheckDatabase => check_database(daemon).await,
        Request::StopDaemon => {
            answer.done();
            let _ = daemon.stop.send(true);
            return None;
        }
        // Taken before.
        Request::Subscribe
        | Request::OpenView { .. }
        | Request::CloseView { .. }
        | Request::ResizeView { .. }
        | Request::FocusView { .. }
        | Request::HoldView { .. }
        | Request::FetchScrollback { .. }
        | Request::SendKeys { .. }
        | Request::ReadScreen { .. } => Err(WireError::new(ErrorCode::Internal, "the request went astray")),
    };
    Some((answer, outcome))
}

fn settings_reply(state: Result<Arc<SettingsState>, WireError>) -> Outcome {
    state.map(|state| Reply::Settings(Box::new((*state).clone())))
}

async fn check_database(daemon: &Arc<Daemon>) -> Outcome {
    match daemon.store.call(|store| store.integrity_check()).await {
        Ok(faults) => Ok(Reply::Faults(faults)),
        Err(error) => {
            Err(WireError::new(ErrorCode::Storage, format!("The database cannot be checked: {error}.")))
        }
    }
}

fn status(daemon: &Daemon) -> Reply {
    let entries = daemon.entries();
    Reply::Daemon(Box::new(DaemonInfo {
        pid: std::process::id(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started_at: daemon.started_at,
        socket: daemon.home.daemon_socket().display().to_string(),
        state: daemon.home.state_dir().display().to_string(),
        sqlite: belfry_store::sqlite_version().to_owned(),
        alive: entries.iter().filter(|entry| entry.alive()).count() as u32,
        sessions: entries.len() as u32,
        clients: daemon.client_count(),
        notices: daemon.notices(),
    }))
}
