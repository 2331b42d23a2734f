//! `belfry new`.

use std::path::PathBuf;

use belfry_protocol::launch::{EnvVar, Size};
use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "Later: --worktree, --clone and --scratch, which are refused until then.")]
pub(crate) struct NewArgs {
    /// claude, codex, opencode, gemini, aider, shell, or one of your own; without it, the project's, else shell.
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<String>,
    /// Directory to work in; without it, the current one, or with --project that of the project where the current one does
    /// not lie in it.
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// Name; without it, one is made from the prompt or the program.
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub name: Option<String>,
    /// A project's name or id: what it begins with (agent, model, prompt) is used where nothing else is given.
    #[arg(long, value_name = "PROJECT")]
    pub project: Option<String>,
    /// A group in that project, nested ones as in `a/b`.
    #[arg(long, value_name = "GROUP", requires = "project")]
    pub group: Option<String>,
    /// Work in a new git worktree on this branch.
    #[arg(long, value_name = "BRANCH", conflicts_with_all = ["clone", "scratch"])]
    pub worktree: Option<String>,
    /// Work in a local clone.
    #[arg(long, conflicts_with = "scratch")]
    pub clone: bool,
    /// Work in a fresh repository.
    #[arg(long)]
    pub scratch: bool,
    /// The model to ask for.
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Added to the agent's own system prompt.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub system_prompt: Option<String>,
    /// First prompt, given when the agent is ready. Other users of this machine can see arguments; see --prompt-file.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub prompt: Option<String>,
    /// Read the first prompt from a file; `-` is the standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "prompt")]
    pub prompt_file: Option<PathBuf>,
    /// A variable for the program's environment; may be given several times.
    #[arg(long, value_name = "NAME=VALUE", value_parser = env_var)]
    pub env: Vec<EnvVar>,
    /// The terminal's size until a view opens.
    #[arg(long, value_name = "COLSxROWS", value_parser = size)]
    pub size: Option<Size>,
    /// Keep nothing of it on disk; it is gone with its session.
    #[arg(long)]
    pub private: bool,
    /// Extra arguments for the agent; for `shell`, the program to run and its arguments.
    #[arg(last = true, value_name = "ARGUMENT")]
    pub args: Vec<String>,
}

fn env_var(text: &str) -> Result<EnvVar, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !text.contains('\0') => {
            Ok(EnvVar { name: name.to_owned(), value: value.to_owned() })
        }
        _ => Err("write it as NAME=VALUE".to_owned()),
    }
}

fn size(text: &str) -> Result<Size, String> {
    let read = || {
        let (cols, rows) = text.split_once(['x', 'X'])?;
        Some(Size { cols: cols.parse().ok()?, rows: rows.parse().ok()? })
    };
    match read() {
        Some(size) if size == size.clamped() => Ok(size),
        Some(_) => Err("a terminal has 2 to 1000 columns and 1 to 1000 rows".to_owned()),
        None => Err("write it as COLUMNSxROWS, such as 120x40".to_owned()),
    }
}
