//! One module for each command that is more than a request and its answer; those are here.

mod answer;
mod changes;
mod daemon;
mod elsewhere;
mod events;
mod explain;
mod export;
mod fork;
mod group;
mod hibernate;
pub(crate) mod hook;
mod keys;
mod library;
mod list;
mod mark;
mod messages;
mod new;
mod place;
mod project;
mod pull;
mod restart;
mod resume;
mod run;
mod send;
mod settings;
mod show;
mod top;
mod trust;
mod usage;
mod wait;
mod watch;
mod worktree;

use belfry_protocol::{ErrorCode, Reply, Request, Session};

use crate::args::{ArchiveArgs, Command, MoveArgs, RemoveArgs, RenameArgs, ScreenArgs};
use crate::context::{Context, unexpected};
use crate::failure::Failure;
use crate::print::{doing, plain};
pub(crate) use daemon::foreground;
pub(crate) use list::sessions;
pub(crate) use mark::Snooze;
pub(crate) use place::Tree;

/// Carries a command out.
pub(crate) async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::New(args) => new::run(context, *args).await,
        Command::Ls(args) => list::run(context, &args).await,
        Command::Show(args) => show::run(context, args).await,
        Command::Screen(args) => screen(context, args).await,
        Command::Attach(args) => crate::attach::run(context, args).await,
        Command::Send(args) => send::run(context, args).await,
        Command::Keys(args) => keys::run(context, args).await,
        Command::Answer(args) => answer::run(context, args).await,
        Command::Explain(args) => explain::run(context, args).await,
        Command::Wait(args) => wait::run(context, args).await,
        Command::Events(args) => events::run(context, args).await,
        Command::Adopt(args) => elsewhere::adopt(context, args).await,
        Command::End(args) => elsewhere::end(context, args).await,
        Command::Rename(args) => rename(context, args).await,
        Command::Move(args) => move_to(context, args).await,
        Command::Archive(args) => archive(context, args).await,
        Command::Pin(args) => mark::pin(context, args).await,
        Command::Mute(args) => mark::mute(context, args).await,
        Command::Snooze(args) => mark::snooze(context, args).await,
        Command::Duplicate(args) => duplicate(context, args.session).await,
        Command::Focus(args) => mark::focus(context, args).await,
        Command::Diff(args) => changes::diff(context, args).await,
        Command::Checkpoint(args) => changes::checkpoint(context, args.action).await,
        Command::Project(args) => project::run(context, args.action).await,
        Command::Group(args) => group::run(context, args.action).await,
        Command::Kill(args) => {
            let request = Request::KillSession { session: args.session };
            change(context, request, |session| format!("{}: {}", plain(&session.name), doing(session))).await
        }
        Command::Hibernate(args) => hibernate::run(context, args).await,
        Command::Top(args) => top::run(context, args).await,
        Command::Usage(args) => usage::run(context, args).await,
        Command::Run(args) => run::run(context, args).await,
        Command::Restart(args) => restart::run(context, args).await,
        Command::Resume(args) => resume::run(context, args).await,
        Command::Fork(args) => fork::run(context, args).await,
        Command::Import(args) => library::import(context, args).await,
        Command::Search(args) => library::search(context, args).await,
        Command::Rm(args) => remove(context, args).await,
        Command::Restore(args) => restore(context, args.session).await,
        Command::Pr(args) => pull::run(context, *args).await,
        Command::Trust(args) => trust::run(context, args).await,
        Command::Worktree(args) => worktree::run(context, args.action).await,
        Command::Export(args) => export::run(context, args).await,
        Command::Replay(args) => crate::attach::replay::run(context, args).await,
        Command::Settings(args) => settings::run(context, args.action).await,
        Command::Daemon(args) => daemon::run(context, args.action).await,
        Command::Doctor => crate::doctor::run(context).await,
        Command::Serve(args) => crate::serve::run(context, args).await,
        Command::Completions { shell } => Ok(crate::completion::script(shell)?),
        Command::Complete(args) => crate::completion::complete(context, &args).await,
        // It needs no daemon, and was carried out before.
        Command::TmuxBridge(_) => Ok(()),
        // Whole calls never come this far.
        Command::Hook { name } => {
            hook::run(&name.into());
            Ok(())
        }
    }
}

async fn change(
    context: &Context,
    request: Request,
    text: impl FnOnce(&Session) -> String,
) -> Result<(), Failure> {
    let session = context.ask_session(request).await?;
    Ok(context.printer.session(&session, text)?)
}

async fn screen(context: &Context, args: ScreenArgs) -> Result<(), Failure> {
    let ScreenArgs { which, ansi, scrollback } = args;
    match context.ask(Request::ReadScreen { session: which.session, ansi, scrollback }).await? {
        Reply::Screen(screen) if context.printer.json => Ok(crate::print::value(&screen)?),
        Reply::Screen(screen) => Ok(crate::print::screen(&screen.text, ansi)?),
        other => Err(unexpected(&other)),
    }
}

async fn rename(context: &Context, args: RenameArgs) -> Result<(), Failure> {
    let request = Request::RenameSession { session: args.which.session, name: args.name };
    change(context, request, |session| format!("Its name is now {}.", plain(&session.name))).await
}

async fn move_to(context: &Context, args: MoveArgs) -> Result<(), Failure> {
    let place = place::find(context, args.project.as_deref(), args.group.as_deref()).await?;
    let request = Request::MoveSession {
        session: args.which.session,
        project: place.project_id(),
        group: place.group,
        position: None,
    };
    change(context, request, |session| format!("{} is now in {}.", plain(&session.name), place.words())).await
}

async fn archive(context: &Context, args: ArchiveArgs) -> Result<(), Failure> {
    let archived = !args.off;
    let request = Request::ArchiveSession { session: args.which.session, archived };
    let place = if archived { "in the archive; `belfry ls --all` shows it" } else { "out of the archive" };
    change(context, request, |session| format!("{} is {place}.", plain(&session.name))).await
}

async fn duplicate(context: &Context, session: String) -> Result<(), Failure> {
    let base_env = Some(new::own_environment());
    change(context, Request::DuplicateSession { session, base_env }, |session| session.id.to_string()).await
}

async fn restore(context: &Context, session: String) -> Result<(), Failure> {
    let found = context.ask_session(Request::ShowSession { session }).await?;
    let was_in_the_trash = found.trashed_at.is_some();
    let request = Request::RestoreSession { session: found.id };
    change(context, request, |session| {
        let name = plain(&session.name);
        if was_in_the_trash { format!("{name} is back.") } else { format!("{name} was not in the trash.") }
    })
    .await
}

async fn remove(context: &Context, args: RemoveArgs) -> Result<(), Failure> {
    let RemoveArgs { which, now, kill } = args;
    let connection = context.connect().await?;
    let show = Request::ShowSession { session: which.session.clone() };
    let session = crate::context::session(connection.request(show).await?)?;
    let request = Request::RemoveSession { session: session.id.to_string(), now, kill };
    let removed = connection.request(request).await.map_err(|error| {
        let failure = Failure::from(error);
        if !failure.is(ErrorCode::StillAlive) || kill {
            return failure;
        }
        let now = if now { "--now " } else { "" };
        failure.next(format!("`belfry rm {now}--kill {}` ends it first.", session.id))
    });
    let trashed = match removed? {
        Reply::Removed { trashed } => trashed,
        other => return Err(unexpected(&other)),
    };
    if context.printer.json {
        let done = serde_json::json!({ "id": session.id, "removed": !trashed, "trashed": trashed });
        return Ok(crate::print::value(&done)?);
    }
    let name = plain(&session.name);
    let text = if trashed {
        format!("{name} is in the trash for a day. `belfry restore {}` takes it out.", session.id)
    } else if now {
        format!("{name} and its recording are removed.")
    } else {
        format!("{name} was private: it is gone for good.")
    };
    crate::print::line(&text)?;
    // Its directory is never removed with it: others may work in it, and it may hold work.
    if let Some(workspace) = session.workspace_id {
        crate::print::line(&format!("Its workspace stays; `belfry worktree rm {workspace}` removes it."))?;
    }
    Ok(())
}
