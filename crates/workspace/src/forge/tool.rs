//! Running `gh` and `glab`.

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::error::ForgeError;
use crate::fetch_project::Trouble;
use crate::git::{End, end_group, read_all, without_credentials};

/// An answer takes a second; a slow network some.
const LIMIT: Duration = Duration::from_secs(45);

/// A forge's command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tool {
    /// GitHub's.
    Gh,
    /// GitLab's.
    Glab,
}

impl std::fmt::Display for Tool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Gh => "gh",
            Self::Glab => "glab",
        })
    }
}

/// What the programs would ask, draw or tell on their own, and which repository they would take for meant: all of that is said
/// in each call.
const ALWAYS: [(&str, &str); 12] = [
    ("GH_PROMPT_DISABLED", "1"),
    ("GH_NO_UPDATE_NOTIFIER", "1"),
    ("GH_NO_EXTENSION_UPDATE_NOTIFIER", "1"),
    ("GH_SPINNER_DISABLED", "1"),
    ("GH_PAGER", "cat"),
    ("NO_PROMPT", "1"),
    ("GLAB_CHECK_UPDATE", "false"),
    ("GLAB_SEND_TELEMETRY", "false"),
    ("NO_COLOR", "1"),
    ("PAGER", "cat"),
    ("BROWSER", "true"),
    ("LC_ALL", "C.UTF-8"),
];

const NEVER: [&str; 7] =
    ["GH_REPO", "GH_HOST", "GH_FORCE_TTY", "GH_DEBUG", "CLICOLOR_FORCE", "GITLAB_HOST", "GITLAB_URI"];

/// The forges' programs of this machine, in the person's environment.
#[derive(Clone, Debug)]
pub struct Tools {
    env: Arc<Vec<(OsString, OsString)>>,
    at: PathBuf,
}

impl Tools {
    /// Programs of that environment's `PATH`. They run in `at`, which is in no repository: its configuration is nobody's
    /// business here.
    pub fn with_env(env: Vec<(OsString, OsString)>, at: PathBuf) -> Self {
        Self { env: Arc::new(env), at }
    }

    /// Where a program is.
    pub fn find(&self, tool: Tool) -> Option<PathBuf> {
        let (_, path) = self.env.iter().find(|(name, _)| name == "PATH")?;
        std::env::split_paths(path)
            .filter(|dir| dir.is_absolute())
            .map(|dir| dir.join(tool.to_string()))
            .find(|file| file.is_file())
    }

    /// Whether the person is logged in to that host with it. The program asks the host.
    pub fn logged_in(&self, tool: Tool, host: &str) -> bool {
        self.run(tool, host, &["auth", "status", "--hostname", host], None).is_ok()
    }

    /// Runs one to its end, and takes what it prints.
    pub(super) fn run(
        &self,
        tool: Tool,
        host: &str,
        args: &[&str],
        input: Option<Vec<u8>>,
    ) -> Result<Vec<u8>, ForgeError> {
        let program = self.find(tool).ok_or(ForgeError::Missing(tool))?;
        let mut command = Command::new(program);
        command.args(args).env_clear().envs(self.env.iter().map(|(name, value)| (name, value)));
        for name in NEVER {
            command.env_remove(name);
        }
        command.envs(ALWAYS).current_dir(&self.at).process_group(0);
        command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let failed = |error: &std::io::Error| ForgeError::Refused(format!("`{tool}` cannot be run: {error}"));
        let mut child = command.spawn().map_err(|error| failed(&error))?;
        if let (Some(bytes), Some(mut pipe)) = (input, child.stdin.take()) {
            // Beside, because it may print before it has read all; one that reads no more says why elsewhere.
            std::thread::spawn(move || std::io::Write::write_all(&mut pipe, &bytes));
        }
        let (out, complaints) = match read_all(&mut child, Instant::now() + LIMIT, None, &mut |_| {}) {
            Ok(read) => read,
            Err(end) => {
                end_group(&mut child);
                return Err(match end {
                    End::Io(error) => failed(&error),
                    End::TooMuch => ForgeError::Refused(format!("`{tool}` printed more than anybody reads")),
                    End::Late | End::Stopped => ForgeError::Late(tool),
                });
            }
        };
        let status = child.wait().map_err(|error| failed(&error))?;
        if status.success() {
            return Ok(out);
        }
        let code = status.code();
        Err(refused(tool, host, code, &String::from_utf8_lossy(&complaints), &out))
    }
}

/// What went wrong, by what the program says. Exit code 4 is `gh`'s for a login that is missing.
fn refused(tool: Tool, host: &str, code: Option<i32>, said: &str, out: &[u8]) -> ForgeError {
    let lower = said.to_lowercase();
    let has = |signs: &[&str]| signs.iter().any(|sign| lower.contains(sign));
    let host = host.to_owned();
    let logged_out = [
        "auth login",
        "bad credentials",
        "http 401",
        "401 unauthorized",
        "not logged in",
        "none of the git remotes",
    ];
    if (tool == Tool::Gh && code == Some(4)) || has(&logged_out) {
        return ForgeError::LoggedOut { tool, host };
    }
    if has(&["rate limit", "http 429", "too many requests", "secondary rate"]) {
        return ForgeError::Limited { host };
    }
    if has(&["could not resolve to a repository", "http 404", "404 not found", "project not found"]) {
        return ForgeError::NotFound { host };
    }
    let network =
        has(&["error connecting to", "dial tcp", "no such host", "network is unreachable", "i/o timeout"]);
    if network || matches!(Trouble::said(said), Trouble::Network | Trouble::Host) {
        return ForgeError::Network { host };
    }
    ForgeError::Refused(words(tool, said, out))
}

/// The program's own words: what the API answered with, where that has a message, else the last lines of its complaint.
fn words(tool: Tool, said: &str, out: &[u8]) -> String {
    let answer: serde_json::Value = serde_json::from_slice(out).unwrap_or_default();
    let mut parts: Vec<String> = Vec::new();
    if let Some(message) = answer["message"].as_str() {
        parts.push(message.to_owned());
    }
    let errors = answer["errors"].as_array().into_iter().flatten();
    parts.extend(errors.filter_map(|one| one["message"].as_str().map(str::to_owned)));
    parts.extend(
        answer["message"].as_array().into_iter().flatten().filter_map(|one| one.as_str().map(str::to_owned)),
    );
    if parts.is_empty() {
        parts = said.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
        parts.drain(..parts.len().saturating_sub(4));
    }
    let text = super::read::line(&without_credentials(&parts.join("; ")), 600);
    if text.is_empty() { format!("`{tool}` failed without a word") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_understood() {
        let of = |tool, code, said: &str| refused(tool, "h", Some(code), said, b"");
        let logged_out = |tool| ForgeError::LoggedOut { tool, host: "h".into() };
        assert_eq!(of(Tool::Gh, 4, "To get started, please run:  gh auth login"), logged_out(Tool::Gh));
        assert_eq!(of(Tool::Gh, 1, "gh: Bad credentials (HTTP 401)"), logged_out(Tool::Gh));
        assert_eq!(of(Tool::Glab, 1, "GET https://h/api: 401 Unauthorized"), logged_out(Tool::Glab));
        let limited = ForgeError::Limited { host: "h".into() };
        assert_eq!(of(Tool::Gh, 1, "gh: API rate limit exceeded for user ID 1. (HTTP 403)"), limited);
        let not_found = ForgeError::NotFound { host: "h".into() };
        assert_eq!(
            of(Tool::Gh, 1, "GraphQL: Could not resolve to a Repository with the name 'a/b'."),
            not_found
        );
        let network = ForgeError::Network { host: "h".into() };
        assert_eq!(
            of(Tool::Gh, 1, "error connecting to api.github.com\ncheck your internet connection"),
            network
        );
        let said = refused(
            Tool::Gh,
            "h",
            Some(1),
            "gh: Validation Failed (HTTP 422)",
            br#"{"message":"Validation Failed","errors":[{"message":"A pull request already exists\u001b[2J"}]}"#,
        );
        assert_eq!(said, ForgeError::Refused("Validation Failed; A pull request already exists[2J".into()));
    }
}
