//! tmux servers of the person, asked by the server's own program: another version would not be understood.

use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use belfry_platform::process::{self, Identity, Seen};
use belfry_protocol::local::TmuxPane;
use belfry_tmux::PaneId;
use belfry_tmux::panes::{self, Pane};
use tokio::io::AsyncReadExt as _;
use tokio::process::Command;

/// How long a server may take. It takes some milliseconds; one that is stopped never answers.
const PATIENCE: Duration = Duration::from_secs(3);

/// Most that is read of an answer, in bytes.
const MOST: u64 = 16 * 1024 * 1024;

/// Sockets that are looked at.
const SOCKETS: usize = 64;

/// Why tmux did not do something.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refused {
    /// Its program cannot be run.
    #[error("tmux cannot be run: {0}")]
    Missing(std::io::Error),
    /// It does not answer.
    #[error("the tmux server does not answer")]
    Silent,
    /// It says why.
    #[error("tmux: {0}")]
    Said(String),
}

/// A pane, and how it is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reached {
    pub(crate) at: TmuxPane,
    pub(crate) pane: Pane,
}

/// Where the person's servers have their sockets; it need not be there.
pub(crate) fn folder() -> PathBuf {
    let user = rustix::process::geteuid().as_raw();
    let set = std::env::var_os("TMUX_TMPDIR").filter(|dir| !dir.is_empty());
    PathBuf::from(set.unwrap_or_else(|| "/tmp".into())).join(format!("tmux-{user}"))
}

/// The sockets there, and those of `more` that are sockets of our own.
pub(super) fn sockets(more: impl IntoIterator<Item = String>) -> Vec<String> {
    let user = rustix::process::geteuid().as_raw();
    let ours = |path: &Path| {
        std::fs::metadata(path).is_ok_and(|meta| meta.file_type().is_socket() && meta.uid() == user)
    };
    let there = std::fs::read_dir(folder()).into_iter().flatten().flatten();
    let there = there.filter_map(|entry| entry.path().into_os_string().into_string().ok());
    let mut all: Vec<String> = there.chain(more).filter(|path| ours(Path::new(path))).collect();
    all.sort();
    all.dedup();
    all.truncate(SOCKETS);
    all
}

/// Whether a process calls itself a server of tmux's.
pub(super) fn is_server(seen: &Seen) -> bool {
    seen.name == "tmux: server"
}

/// The program of a server that runs: that very file, also where it was replaced since, unless it is the person's own and so
/// could be anybody's who only calls himself a server.
pub(crate) fn program(server: u32) -> PathBuf {
    process::system_program(server, "tmux").unwrap_or_else(|| PathBuf::from("tmux"))
}

/// Has a server do something. Its answer is what it prints.
pub(crate) async fn run(program: &Path, socket: &str, arguments: &[&str]) -> Result<String, Refused> {
    let mut child = Command::new(program)
        // No server is ever started.
        .args(["-u", "-N", "-S", socket])
        .args(arguments)
        .env_remove("TMUX")
        .env_remove("TMUX_PANE")
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(Refused::Missing)?;
    let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(Refused::Silent);
    };
    let read = async {
        let (mut said, mut complained) = (Vec::new(), Vec::new());
        let (mut stdout, mut stderr) = (stdout.take(MOST), stderr.take(4096));
        tokio::try_join!(stdout.read_to_end(&mut said), stderr.read_to_end(&mut complained))?;
        Ok::<_, std::io::Error>((said, complained, child.wait().await?))
    };
    let read = tokio::time::timeout(PATIENCE, read).await;
    let Ok(Ok((said, complained, status))) = read else { return Err(Refused::Silent) };
    if status.success() {
        return Ok(String::from_utf8_lossy(&said).into_owned());
    }
    let why = String::from_utf8_lossy(&complained);
    Err(Refused::Said(crate::session::clean::line(why.trim(), 200)))
}

/// All panes of a server.
pub(super) async fn list(program: &Path, socket: &str) -> Result<Vec<Reached>, Refused> {
    let said = run(program, socket, &["list-panes", "-a", "-F", panes::FORMAT]).await?;
    let mut reached: Vec<Reached> = Vec::new();
    for pane in said.lines().filter_map(panes::parse) {
        // A window can be in several sessions: its panes are named once, where somebody looks, if anybody does.
        if let Some(known) = reached.iter_mut().find(|known| known.pane.id == pane.id) {
            if known.pane.attached == 0 && pane.attached > 0 {
                known.pane = pane;
            }
            continue;
        }
        let Some(server_start) = process::start_time(pane.server) else { continue };
        let at = TmuxPane { socket: socket.to_owned(), server_pid: pane.server, server_start, pane: pane.id };
        reached.push(Reached { at, pane });
    }
    Ok(reached)
}

/// The panes of all servers, each asked by whichever of the running servers' programs it understands.
pub(super) async fn all(servers: &[Identity], more: Vec<String>) -> Vec<Reached> {
    if servers.is_empty() {
        return Vec::new();
    }
    let sockets = tokio::task::spawn_blocking(move || sockets(more)).await.unwrap_or_default();
    let mut programs: Vec<(PathBuf, Option<PathBuf>)> = servers
        .iter()
        .map(|server| program(server.pid))
        .map(|program| (program.clone(), std::fs::read_link(&program).ok()))
        .collect();
    programs.sort_by(|one, other| one.1.cmp(&other.1));
    programs.dedup_by(|one, other| one.1 == other.1);
    let mut reached = Vec::new();
    for socket in sockets {
        for (program, _) in &programs {
            match list(program, &socket).await {
                Ok(panes) => {
                    reached.extend(panes);
                    break;
                }
                Err(Refused::Said(why))
                    if why.contains("no server running") || why.contains("error connecting") =>
                {
                    break;
                }
                Err(error) => tracing::debug!(%error, "a tmux server is passed over"),
            }
        }
    }
    reached
}

/// The pane as it is now; none where it is gone, or the server is another one.
pub(crate) async fn look(at: &TmuxPane) -> Result<Option<Reached>, Refused> {
    if process::start_time(at.server_pid) != Some(at.server_start) {
        return Ok(None);
    }
    let panes = list(&program(at.server_pid), &at.socket).await;
    match panes {
        Ok(panes) => Ok(panes.into_iter().find(|reached| reached.at == *at)),
        Err(Refused::Said(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// What a pane shows: rows, with their styles where those are wanted.
pub(crate) async fn screen(at: &TmuxPane, ansi: bool, scrollback: u32) -> Result<String, Refused> {
    let (target, from) = (id(at.pane), format!("-{scrollback}"));
    let mut arguments = vec!["capture-pane", "-p", "-N", "-t", &target];
    if ansi {
        arguments.push("-e");
    }
    if scrollback > 0 {
        arguments.extend(["-S", &from]);
    }
    run(&program(at.server_pid), &at.socket, &arguments).await
}

/// The cursor and modes of a pane, and its rows with their styles, of one moment.
pub(crate) async fn picture(at: &TmuxPane) -> Option<(belfry_tmux::paint::State, String)> {
    let target = id(at.pane);
    let state = ["display-message", "-p", "-t", &target, belfry_tmux::paint::FORMAT, ";"];
    let rows = ["capture-pane", "-p", "-e", "-N", "-t", &target];
    let said = run(&program(at.server_pid), &at.socket, &[&state[..], &rows[..]].concat()).await.ok()?;
    // The first line is numbers alone, so that nothing that the pane shows can pass for it.
    let (state, rows) = said.split_once('\n')?;
    Some((belfry_tmux::paint::State::parse(state.as_bytes())?, rows.to_owned()))
}

/// Ends a pane, and nothing else.
pub(crate) async fn kill(at: &TmuxPane) -> Result<(), Refused> {
    if look(at).await?.is_none() {
        return Ok(());
    }
    run(&program(at.server_pid), &at.socket, &["kill-pane", "-t", &id(at.pane)]).await.map(drop)
}

fn id(pane: PaneId) -> String {
    format!("%{pane}")
}
