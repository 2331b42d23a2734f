//! `belfry worktree`.

mod lost;

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use belfry_client::Connection;
use belfry_protocol::session::WorkspaceKind;
use belfry_protocol::workspace::{Losses, Workspace, WorkspaceRequest, WorkspaceState};
use belfry_protocol::{ErrorCode, Reply, Request};
use jiff::ZonedDateTime;

use crate::args::WorktreeAction;
use crate::context::{Context, unexpected};
use crate::failure::{Exit, Failure};
use crate::print::{Color, Table, moment, plain};

pub(crate) async fn run(context: &Context, action: WorktreeAction) -> Result<(), Failure> {
    match action {
        WorktreeAction::Ls { disk } => list(context, disk).await,
        WorktreeAction::Rm { which, yes } => remove(context, &which.workspace, yes).await,
        WorktreeAction::Restore(which) => restore(context, &which.workspace).await,
        WorktreeAction::Clean => clean(context).await,
    }
}

async fn list(context: &Context, disk: bool) -> Result<(), Failure> {
    let connection = context.connect().await?;
    let all = ask(&connection, WorkspaceRequest::List { disk }).await?;
    if context.printer.json {
        return Ok(crate::print::value(&all)?);
    }
    if all.is_empty() {
        return Ok(crate::print::line("No workspaces. `belfry new --worktree BRANCH` makes one.")?);
    }
    let home = std::env::var("HOME").unwrap_or_default();
    let mut head = vec!["ID", "KIND", "BRANCH", "STATE", "SESSIONS", "PATH"];
    if disk {
        head.insert(5, "DISK");
    }
    let mut table = Table::new(&head, &[(head.len() - 1, 20), (2, 12)]);
    for one in &all {
        let id = one.id.map_or("-".to_owned(), |id| id.to_string());
        let mut row = vec![
            (id, None),
            (kind(one.kind).to_owned(), None),
            (one.branch.as_deref().map_or("-".to_owned(), plain), Some(Color::Bold)),
            (state(one), None),
            (one.sessions.len().to_string(), None),
        ];
        if disk {
            row.push((one.disk.map_or("?".to_owned(), lost::bytes), None));
        }
        row.push((crate::print::short_path(&one.path, &home), None));
        table.row(row);
    }
    for line in table.lines(context.printer.style, crate::print::width()) {
        crate::print::line(&line)?;
    }
    Ok(())
}

fn kind(kind: WorkspaceKind) -> &'static str {
    match kind {
        WorkspaceKind::Directory => "directory",
        WorkspaceKind::Worktree => "worktree",
        WorkspaceKind::Clone => "clone",
        WorkspaceKind::Scratch => "scratch",
    }
}

fn state(one: &Workspace) -> String {
    let orphan = one.id.is_some() && one.sessions.is_empty();
    match &one.state {
        WorkspaceState::Making { step } => format!("being made: {}", plain(step)),
        WorkspaceState::SettingUp { .. } => "setting up".to_owned(),
        WorkspaceState::SetupFailed { .. } => "setup failed".to_owned(),
        WorkspaceState::Untrusted => "scripts not trusted".to_owned(),
        WorkspaceState::Warm => "made ahead".to_owned(),
        WorkspaceState::Removed { until } => {
            format!("removed, kept until {}", moment(*until, &ZonedDateTime::now()))
        }
        WorkspaceState::Missing => "its directory is gone".to_owned(),
        WorkspaceState::Ready if one.id.is_none() => "not Belfry's".to_owned(),
        WorkspaceState::Ready if orphan => "nobody's".to_owned(),
        WorkspaceState::Ready => "ready".to_owned(),
    }
}

async fn remove(context: &Context, wanted: &str, yes: bool) -> Result<(), Failure> {
    let connection = context.connect().await?;
    let workspace = meant(&connection, wanted).await?;
    let mut losses = losses(&connection, &workspace).await?;
    if let Some(why) = &losses.refused {
        return Err(Failure::new(Exit::Refused, "forbidden", crate::context::sentence(why)));
    }
    if !losses.nothing() && !yes {
        let asked =
            !context.printer.json && std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        if !asked {
            return Err(would_lose(context, &losses)?);
        }
        for line in lost::lines(&losses) {
            crate::print::line(&line)?;
        }
        if !agreed()? {
            return Ok(crate::print::line("Nothing was removed.")?);
        }
    }
    // What it is removed with is what was shown; with --yes, what is there when it is removed.
    let mut tries = 0;
    let removed = loop {
        let seen = Some(losses.fingerprint.clone());
        let request = WorkspaceRequest::Remove { workspace: workspace.clone(), seen };
        match ask(&connection, request).await {
            Err(failure) if yes && failure.is(ErrorCode::WouldLose) && tries < 3 => {
                tries += 1;
                losses = self::losses(&connection, &workspace).await?;
            }
            Err(failure) if failure.is(ErrorCode::WouldLose) => {
                return Err(failure.next("It has changed since you looked. Try it again."));
            }
            other => break other?,
        }
    };
    if context.printer.json {
        return Ok(crate::print::value(&removed)?);
    }
    for one in &removed {
        let until = match &one.state {
            WorkspaceState::Removed { until } => format!(" until {}", moment(*until, &ZonedDateTime::now())),
            _ => String::new(),
        };
        let id = one.id.map_or_else(|| one.path.clone(), |id| id.to_string());
        crate::print::line(&format!(
            "{} is removed; all of it is kept{until}. `belfry worktree restore {id}` brings it back.",
            plain(&one.path)
        ))?;
        notice(one)?;
    }
    Ok(())
}

/// The refusal where nobody can be asked, with what would be lost: in JSON as a value of its own.
fn would_lose(context: &Context, losses: &Losses) -> Result<Failure, Failure> {
    if context.printer.json {
        crate::print::value(losses)?;
    } else {
        for line in lost::lines(losses) {
            let _ = writeln!(std::io::stderr(), "{line}");
        }
    }
    let message = format!("Work would be lost with {}.", plain(&losses.path));
    Ok(Failure::new(Exit::Refused, "would_lose", message)
        .kept("Nothing was removed.")
        .next("--yes removes it all the same; it is saved, and `belfry worktree restore` brings it back."))
}

fn agreed() -> Result<bool, Failure> {
    let mut out = std::io::stdout().lock();
    write!(out, "It is saved, and can be had back. Remove it? [y/N] ")?;
    out.flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

async fn losses(connection: &Connection, workspace: &str) -> Result<Losses, Failure> {
    let request = WorkspaceRequest::Losses { workspace: workspace.to_owned() };
    match connection.request(Request::Workspace(Box::new(request))).await? {
        Reply::Losses(losses) => Ok(*losses),
        other => Err(unexpected(&other)),
    }
}

async fn restore(context: &Context, wanted: &str) -> Result<(), Failure> {
    let connection = context.connect().await?;
    let workspace = meant(&connection, wanted).await?;
    let back = ask(&connection, WorkspaceRequest::Restore { workspace }).await?;
    if context.printer.json {
        return Ok(crate::print::value(&back)?);
    }
    for one in &back {
        crate::print::line(&format!("{} is back.", plain(&one.path)))?;
        notice(one)?;
    }
    Ok(())
}

async fn clean(context: &Context) -> Result<(), Failure> {
    let gone = ask(&context.connect().await?, WorkspaceRequest::Clean).await?;
    if context.printer.json {
        return Ok(crate::print::value(&gone)?);
    }
    if gone.is_empty() {
        return Ok(crate::print::line(
            "There was nothing to clean: no workspace is nobody's and empty of work.",
        )?);
    }
    for one in &gone {
        crate::print::line(&format!("{} is removed.", plain(&one.path)))?;
        notice(one)?;
    }
    Ok(())
}

fn notice(one: &Workspace) -> Result<(), Failure> {
    if let Some(notice) = &one.notice {
        crate::print::line(&crate::context::sentence(&plain(notice)))?;
    }
    Ok(())
}

/// The workspace that is meant, as the daemon takes it: a path made whole, or a prefix of an id.
async fn meant(connection: &Connection, wanted: &str) -> Result<String, Failure> {
    if wanted.contains('/') || wanted == "." || wanted == ".." {
        // The shell has replaced `~` already. A link is not followed: what it leads to is not what is meant.
        let path = std::path::absolute(wanted)
            .map_err(|error| Failure::usage(format!("`{}` is no path: {error}.", plain(wanted))))?;
        let path: std::path::PathBuf = path.components().collect();
        return Ok(if wanted.starts_with('.') {
            path.canonicalize().unwrap_or(path).to_string_lossy().into_owned()
        } else {
            path.to_string_lossy().into_owned()
        });
    }
    let prefix = wanted.to_ascii_lowercase();
    let hex = prefix.len() >= 4 && prefix.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    if !hex {
        return Ok(wanted.to_owned());
    }
    let all = ask(connection, WorkspaceRequest::List { disk: false }).await?;
    let ids: Vec<String> = all.iter().filter_map(|one| one.id).map(|id| id.to_string()).collect();
    let fitting: Vec<&String> = ids.iter().filter(|id| id.starts_with(&prefix)).collect();
    match fitting.as_slice() {
        [one] => Ok((*one).clone()),
        [] => Ok(wanted.to_owned()),
        several => Err(Failure::new(
            Exit::Usage,
            "ambiguous",
            format!("{} workspaces have ids that begin with {prefix}.", several.len()),
        )
        .next("Write more of it.")),
    }
}

async fn ask(connection: &Connection, request: WorkspaceRequest) -> Result<Vec<Workspace>, Failure> {
    match connection.request(Request::Workspace(Box::new(request))).await? {
        Reply::Workspaces(workspaces) => Ok(workspaces),
        other => Err(unexpected(&other)),
    }
}
