//! The terminal we are in, and the login shell that the window takes the environment from.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::Check;

/// A login shell that takes longer delays every session that the window starts.
const SLOW: Duration = Duration::from_secs(2);
/// Longer than this nobody waits.
const STUCK: Duration = Duration::from_secs(10);

pub(super) fn terminal() -> Check {
    let (id, title) = ("terminal", "terminal");
    let var = |name: &str| std::env::var(name).unwrap_or_default();
    let term = var("TERM");
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().map(|name| var(name)).find(|value| !value.is_empty());
    let locale = locale.unwrap_or_default();
    let upper = locale.to_uppercase();
    let colors = if matches!(var("COLORTERM").as_str(), "truecolor" | "24bit") {
        "true colour"
    } else {
        "256 colours or fewer"
    };
    if term.is_empty() || term == "dumb" {
        return Check::ok(id, title, "none here; `belfry attach` needs one");
    }
    if !(upper.contains("UTF-8") || upper.contains("UTF8")) {
        let found = format!("{term}, and the locale `{locale}` is not UTF-8");
        return Check::warning(
            id,
            title,
            found,
            "export LANG=C.UTF-8, or programs draw boxes and accents wrongly.",
        );
    }
    Check::ok(id, title, format!("{term}, {locale}, {colors}"))
}

pub(super) fn login_shell() -> Check {
    let (id, title) = ("login_shell", "login shell");
    let shell = std::env::var_os("SHELL")
        .filter(|shell| !shell.is_empty())
        .map_or_else(|| PathBuf::from("/bin/sh"), PathBuf::from);
    let name = shell.display();
    let next = "Sessions that the window starts take their environment from it; look at its start files.";
    let began = Instant::now();
    match search_path(&shell) {
        Err(why) => Check::failed(id, title, format!("{name}: {why}"), next),
        Ok(path) if path.is_empty() => Check::failed(id, title, format!("{name} gives no PATH"), next),
        Ok(path) => {
            let took = began.elapsed();
            let found = format!(
                "{name}, {} directories in PATH, ready in {} ms",
                path.split(':').count(),
                took.as_millis()
            );
            if took > SLOW { Check::warning(id, title, found, next) } else { Check::ok(id, title, found) }
        }
    }
}

/// The `PATH` of a login shell; its start files may print, hang or fail.
fn search_path(shell: &std::path::Path) -> Result<String, String> {
    const MARK: &str = "belfry-path=";
    let mut child = Command::new(shell)
        .args(["-l", "-c", &format!("printf '\\n{MARK}%s\\n' \"$PATH\"")])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let Some(mut stdout) = child.stdout.take() else { return Err("it cannot be read".to_owned()) };
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = stdout.by_ref().take(1 << 20).read_to_end(&mut text);
        let _ = sender.send(String::from_utf8_lossy(&text).into_owned());
    });
    let text = receiver.recv_timeout(STUCK);
    // It has closed its output or never will.
    let _ = child.kill();
    let _ = child.wait();
    let text = text.map_err(|_| format!("it is not ready after {} s", STUCK.as_secs()))?;
    let path = text.lines().find_map(|line| line.strip_prefix(MARK));
    path.map(str::to_owned).ok_or_else(|| "it does not run a command".to_owned())
}
