//! The environment that the person's login shell makes: what a session started from the window gets, whatever the desktop
//! started the daemon with. Asked for once, and when a person looks for agents again. Where it fails, one session waited for
//! it; the next ones start at once with what is known, and are followed by a new try in the background.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::RwLock;
use tokio::io::AsyncReadExt;
use tokio::process::Command;
use tokio::sync::Mutex;

use super::environment::Environment;
use crate::Daemon;

/// A profile that asks a network for something takes a second; one that waits for typing never ends.
const PATIENCE: Duration = Duration::from_secs(5);

/// How soon after a failure a session's start tries again in the background: start files are mended by hand.
const AGAIN: Duration = Duration::from_mins(2);

/// Longest environment that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// Begins what is ours in the output: profiles print greetings.
const MARK: &str = "belfry-environment-follows";

/// The cached answer.
#[derive(Default)]
pub(crate) struct LoginShell {
    known: RwLock<Option<Environment>>,
    /// The last try, where it failed.
    failed: RwLock<Option<Failed>>,
    /// A session has been told of the failure.
    told: AtomicBool,
    /// Held while a shell is asked: two at once would only make each other slower.
    asking: Mutex<()>,
    /// It is to be asked in the background.
    again: tokio::sync::Notify,
}

#[derive(Clone)]
struct Failed {
    at: Instant,
    /// What the daemon's notice says.
    notice: String,
}

/// The login shell's environment, else the daemon's own. Waits for the shell only where it has not failed yet.
pub(crate) async fn login_environment(daemon: &Daemon) -> Environment {
    let shell = &daemon.login_shell;
    if let Some(env) = shell.cached() {
        return env;
    }
    if shell.failed_lately().is_none() {
        let asking = shell.asking.lock().await;
        // Another one has waited for it meanwhile.
        if shell.cached().is_none() && shell.failed_lately().is_none() {
            return ask_for(daemon, asking).await;
        }
    } else if shell.may_be_tried() {
        shell.again.notify_one();
    }
    shell.known()
}

/// Asks in the background whenever a session's start says so.
pub(crate) async fn follow_login_shell(daemon: std::sync::Arc<Daemon>) {
    login_environment(&daemon).await;
    loop {
        daemon.login_shell.again.notified().await;
        ask_login_shell(&daemon).await;
    }
}

/// The same, asked for again: the person may have changed the shell's start files since, or installed something.
pub(crate) async fn ask_login_shell(daemon: &Daemon) -> Environment {
    ask_for(daemon, daemon.login_shell.asking.lock().await).await
}

async fn ask_for(daemon: &Daemon, _asking: tokio::sync::MutexGuard<'_, ()>) -> Environment {
    let login = &daemon.login_shell;
    match ask().await {
        Ok(mut env) => {
            if let Some(own) = std::env::var_os("PATH") {
                extend_path(&mut env, &own);
            }
            *login.known.write() = Some(env.clone());
            login.told.store(false, Ordering::Relaxed);
            let failed = login.failed.write().take();
            if let Some(failed) = failed {
                daemon.withdraw(&failed.notice);
            }
            env
        }
        Err(error) => {
            tracing::warn!(%error, "the login shell's environment cannot be had; what was known is used");
            let notice = notice(&error);
            let before = login.failed.write().replace(Failed { at: Instant::now(), notice: notice.clone() });
            if let Some(before) = before.filter(|before| before.notice != notice) {
                daemon.withdraw(&before.notice);
            }
            // What it said before is still good.
            if login.cached().is_none() {
                daemon.notice(notice);
            }
            login.known()
        }
    }
}

/// What is told of a failure.
fn notice(error: &std::io::Error) -> String {
    let shell = shell();
    let why = if error.kind() == std::io::ErrorKind::TimedOut {
        format!("did not answer within {} seconds", PATIENCE.as_secs())
    } else {
        format!("cannot be asked for its environment ({error})")
    };
    format!(
        "The login shell {} {why}; sessions from the window start with the daemon's own environment. Its start files may \
         wait for something.",
        shell.display()
    )
}

impl LoginShell {
    fn failed_lately(&self) -> Option<Failed> {
        self.failed.read().clone()
    }

    /// Whether the last try is long enough ago; who asks is to try.
    fn may_be_tried(&self) -> bool {
        let mut failed = self.failed.write();
        let Some(failed) = failed.as_mut().filter(|failed| failed.at.elapsed() >= AGAIN) else {
            return false;
        };
        failed.at = Instant::now();
        true
    }

    /// What a session that starts without the shell's environment is told: the first one only.
    pub(crate) fn notice(&self) -> Option<String> {
        let failed = self.failed_lately().filter(|_| self.cached().is_none())?;
        (!self.told.swap(true, Ordering::Relaxed)).then_some(failed.notice)
    }

    fn cached(&self) -> Option<Environment> {
        self.known.read().clone()
    }

    /// What is known without waiting: the cached answer, else the daemon's own environment.
    pub(crate) fn known(&self) -> Environment {
        self.cached().unwrap_or_else(|| std::env::vars_os().collect())
    }
}

/// Puts the directories of `own` behind those of the environment's `PATH`: what is on the daemon's own `PATH`, often that of
/// the terminal which started it, counts as installed as well, and an agent that is found there also finds its interpreter.
/// Relative entries stay out, they name another directory in every session.
fn extend_path(env: &mut Environment, own: &OsStr) {
    let Some((_, path)) = env.iter_mut().find(|(name, _)| name == "PATH") else { return };
    let mut dirs: Vec<PathBuf> = std::env::split_paths(path).collect();
    let mut known: HashSet<PathBuf> = dirs.iter().cloned().collect();
    let count = dirs.len();
    dirs.extend(std::env::split_paths(own).filter(|dir| dir.is_absolute() && known.insert(dir.clone())));
    if dirs.len() > count
        && let Ok(joined) = std::env::join_paths(dirs)
    {
        *path = joined;
    }
}

/// The person's shell: `SHELL`, else the account's.
pub(crate) fn shell() -> PathBuf {
    std::env::var_os("SHELL")
        .filter(|shell| !shell.is_empty())
        .map(PathBuf::from)
        .or_else(account_shell)
        .unwrap_or_else(|| "/bin/sh".into())
}

/// From `/etc/passwd`. Accounts of a directory service have `SHELL` set by whatever logged them in.
fn account_shell() -> Option<PathBuf> {
    let uid = rustix::process::getuid().as_raw().to_string();
    let table = std::fs::read_to_string("/etc/passwd").ok()?;
    table.lines().find_map(|line| {
        let mut fields = line.split(':');
        (fields.nth(2)? == uid).then(|| fields.nth(3).filter(|shell| !shell.is_empty()).map(PathBuf::from))?
    })
}

async fn ask() -> std::io::Result<Environment> {
    let shell = shell();
    // `env -0` is in GNU, busybox and BSD userlands; fish and csh take -l and -c as well.
    let script = format!("printf %s {MARK}; exec env -0");
    let mut base: Environment = std::env::vars_os().collect();
    belfry_agents::scrub(&mut base);
    let mut child = Command::new(&shell)
        .args(["-l", "-c", &script])
        .env_clear()
        .envs(base)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .current_dir(std::env::var_os("HOME").unwrap_or_else(|| "/".into()))
        .kill_on_drop(true)
        .process_group(0)
        .spawn()?;
    let group = child.id();
    let mut stdout = child.stdout.take().ok_or(std::io::ErrorKind::BrokenPipe)?.take(LONGEST);
    let mut said = Vec::new();
    let read = tokio::time::timeout(PATIENCE, stdout.read_to_end(&mut said)).await;
    if read.is_err() {
        // With what its start files run: nobody else would ever end it.
        if let Some(group) = group.and_then(|id| rustix::process::Pid::from_raw(id.cast_signed())) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }
    read.map_err(|_| std::io::ErrorKind::TimedOut)??;
    parse(&said).ok_or_else(|| std::io::Error::other(format!("{} gave no environment", shell.display())))
}

fn parse(said: &[u8]) -> Option<Environment> {
    let mark = MARK.as_bytes();
    let start = said.windows(mark.len()).rposition(|window| window == mark)? + mark.len();
    let env: Environment = said[start..]
        .split(|byte| *byte == 0)
        .filter_map(|pair| {
            let equals = pair.iter().position(|byte| *byte == b'=')?;
            let text = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
            Some((text(&pair[..equals]), text(&pair[equals + 1..])))
        })
        .collect();
    env.iter().any(|(name, _)| name == "PATH").then_some(env)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greetings_are_no_environment() {
        let said = format!("Welcome!\nA=b\0{MARK}PATH=/bin\0X=a=b\nc\0");
        let env = parse(said.as_bytes()).unwrap();
        assert_eq!(env, [("PATH".into(), "/bin".into()), ("X".into(), "a=b\nc".into())]);
        assert!(parse(b"command not found").is_none());
    }

    #[test]
    fn the_daemon_s_own_path_comes_last() {
        let mut env: Environment = vec![("A".into(), "b".into()), ("PATH".into(), "/usr/bin:/bin".into())];
        extend_path(&mut env, OsStr::new("/home/u/.nvm/bin:bin::/bin:/home/u/.nvm/bin:/opt/x"));
        assert_eq!(env[1].1, "/usr/bin:/bin:/home/u/.nvm/bin:/opt/x");
        extend_path(&mut env, OsStr::new("/bin"));
        assert_eq!(env[1].1, "/usr/bin:/bin:/home/u/.nvm/bin:/opt/x");
    }
}
