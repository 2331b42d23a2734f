//! The daemon, and what it knows.

use std::path::Path;
use std::time::Duration;

use belfry_client::Connection;
use belfry_protocol::agent::AgentInfo;
use belfry_protocol::reply::DaemonInfo;
use belfry_protocol::{Reply, Request};

use super::{Check, hooks, rules, settings};
use crate::context::Context;
use crate::failure::Failure;

pub(super) async fn check(context: &Context) -> Vec<Check> {
    let connection = match context.connect().await {
        Ok(connection) => connection,
        Err(failure) => return vec![unreachable(context, failure).await],
    };
    let mut checks = vec![socket(context)];
    match ask(&connection, Request::DaemonStatus).await {
        Ok(Reply::Daemon(info)) => {
            checks.push(version(&info));
            let folder = context.home.config_dir().join("agents");
            checks.push(rules::check(&folder, &info));
            checks.push(notices(&info, &folder));
            checks.push(scope(info.pid));
            checks.push(hooks::check(info.pid));
        }
        other => checks.push(unanswered("daemon", "daemon", &other)),
    }
    match ask(&connection, Request::GetSettings).await {
        Ok(Reply::Settings(state)) => checks.push(settings::check(&state)),
        other => checks.push(unanswered("settings", "your settings", &other)),
    }
    match ask(&connection, Request::CheckDatabase).await {
        Ok(Reply::Faults(faults)) => checks.push(database(&faults)),
        other => checks.push(unanswered("database", "database", &other)),
    }
    match ask(&connection, Request::ListAgents { refresh: true }).await {
        Ok(Reply::Agents(agents)) => checks.push(found_agents(&agents)),
        other => checks.push(unanswered("agents", "agents", &other)),
    }
    checks
}

/// No daemon answers. One that hangs is named: nothing else says which process it is.
async fn unreachable(context: &Context, failure: Failure) -> Check {
    let (id, title) = ("daemon", "daemon");
    let hangs = failure.code == "no_daemon";
    match if hangs { listener(context).await } else { None } {
        Some(pid) if is_stopped(pid) => Check::failed(
            id,
            title,
            format!("process {pid} is stopped, and does not answer"),
            format!("`kill -CONT {pid}` lets it go on. Sessions go on in any case."),
        ),
        Some(pid) => Check::failed(
            id,
            title,
            format!("process {pid}: {}", failure.message),
            format!(
                "`kill -KILL {pid}` loses nothing: sessions go on, and the next command starts another daemon."
            ),
        ),
        None => {
            let next = failure.next.unwrap_or_else(|| "`belfry daemon run` shows what it says.".to_owned());
            Check::failed(id, title, failure.message, next)
        }
    }
}

/// The process that listens on the daemon's socket, or holds its lock.
async fn listener(context: &Context) -> Option<u32> {
    let socket = context.home.daemon_socket();
    let asked = tokio::task::spawn_blocking(move || {
        let stream = belfry_platform::socket::connect(&socket).ok()?;
        belfry_platform::peer::pid(&stream).ok()?
    });
    // It waits while as many connections as the system queues have not been taken.
    let told = tokio::time::timeout(Duration::from_secs(1), asked).await.ok().and_then(Result::ok).flatten();
    told.or_else(|| belfry_platform::lock::holder(&context.home.daemon_lock()))
}

/// Whether somebody stopped it, as C-z does.
fn is_stopped(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // After the name in brackets, which may have brackets itself.
    stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('T'))
}

async fn ask(connection: &Connection, request: Request) -> Result<Reply, Failure> {
    Ok(connection.request(request).await?)
}

fn unanswered(id: &'static str, title: &'static str, got: &Result<Reply, Failure>) -> Check {
    let found = match got {
        Ok(_) => "an answer that does not fit".to_owned(),
        Err(failure) => failure.message.clone(),
    };
    Check::failed(id, title, found, "`belfry daemon stop`, then try again; sessions go on.")
}

fn socket(context: &Context) -> Check {
    use std::os::unix::fs::PermissionsExt;
    let (id, title) = ("socket", "socket");
    let path = context.home.daemon_socket();
    match std::fs::symlink_metadata(&path) {
        Ok(metadata) if metadata.permissions().mode() & 0o077 != 0 => Check::failed(
            id,
            title,
            format!("others can use {}", path.display()),
            format!("chmod 600 '{}'", path.display()),
        ),
        Ok(_) => Check::ok(id, title, format!("{} answers, only for you", path.display())),
        Err(error) => Check::failed(
            id,
            title,
            format!("{}: {error}", path.display()),
            "`belfry daemon stop`, then start it again.",
        ),
    }
}

fn version(info: &DaemonInfo) -> Check {
    let (id, title) = ("daemon", "daemon");
    let ours = env!("CARGO_PKG_VERSION");
    let found = format!(
        "version {}, process {}, {} of {} {} alive",
        info.version,
        info.pid,
        info.alive,
        info.sessions,
        if info.sessions == 1 { "session" } else { "sessions" },
    );
    if info.version == ours {
        return Check::ok(id, title, found);
    }
    Check::warning(
        id,
        title,
        format!("{found}; this program is {ours}"),
        "`belfry daemon stop` ends the old one; sessions go on, and the next command starts the new one.",
    )
}

fn database(faults: &[String]) -> Check {
    let (id, title) = ("database", "database");
    if faults.is_empty() {
        return Check::ok(id, title, "every page and row is as it should be");
    }
    let next =
        "`belfry daemon stop`: the next daemon sets it aside, never deletes it, and rebuilds the sessions.";
    Check::failed(id, title, faults.join("; "), next)
}

/// A corrupt database that was set aside, a log that cannot be written.
fn notices(info: &DaemonInfo, folder: &Path) -> Check {
    let (id, title) = ("notices", "daemon's notices");
    // Those about the person's files have a check of their own.
    let others =
        |notice: &&str| !settings::tells(notice) && !rules::told(folder, info).any(|told| told == *notice);
    let notices: Vec<&str> = info.notices.iter().map(String::as_str).filter(others).collect();
    if notices.is_empty() {
        return Check::ok(id, title, format!("none; SQLite {}", info.sqlite));
    }
    Check::warning(
        id,
        title,
        notices.join(" "),
        "Nothing to do if the sessions are all there; look at `belfry ls --all`.",
    )
}

/// Where systemd ends everything in a scope with its session, the daemon must not be in ours.
fn scope(pid: u32) -> Check {
    let (id, title) = ("scope", "systemd scope");
    if !Path::new("/run/systemd/system").exists() {
        return Check::ok(id, title, "not needed: systemd does not run here");
    }
    let cgroup = |pid: &str| std::fs::read_to_string(format!("/proc/{pid}/cgroup")).unwrap_or_default();
    let (ours, its) = (cgroup("self"), cgroup(&pid.to_string()));
    if its.is_empty() || its != ours || !(its.contains(".scope") || its.contains(".service")) {
        return Check::ok(id, title, "the daemon has its own");
    }
    Check::warning(
        id,
        title,
        "the daemon shares ours, and may be ended with it",
        "Is `systemd-run --user --scope true` possible? If not, `loginctl enable-linger` helps.",
    )
}

fn found_agents(agents: &[AgentInfo]) -> Check {
    let (id, title) = ("agents", "agents");
    let found: Vec<String> = agents
        .iter()
        .filter(|agent| agent.program.is_some() && agent.id != "shell")
        .map(|agent| match &agent.version {
            Some(version) => format!("{} {version}", agent.name),
            None => format!("{} (its version is not known)", agent.name),
        })
        .collect();
    if found.is_empty() {
        let install: Vec<&str> = agents.iter().filter_map(|agent| agent.install.as_deref()).collect();
        return Check::warning(id, title, "none; any other program works", install.join(" · "));
    }
    Check::ok(id, title, found.join(", "))
}
