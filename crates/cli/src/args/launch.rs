//! `belfry new`.

use std::path::PathBuf;

use belfry_protocol::launch::{EnvVar, Size};
use clap::Args;

use super::text::{directory, name, said};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  belfry new --agent claude --prompt 'Fix the failing test'
  belfry new --project shop --name checkout          with what the project begins with
  belfry new --project shop --model ''               but with the agent's own model
  belfry new -- htop                                 any program
  belfry new --agent codex -- -c key=value           the agent's own arguments after --

Later: --worktree, --clone and --scratch come with workspaces, and are refused until then.")]
pub(crate) struct NewArgs {
    /// claude, codex, opencode, gemini, aider, shell, or one of your own; without it, the project's, else shell.
    #[arg(long, value_name = "AGENT", value_parser = said)]
    pub agent: Option<String>,
    /// Directory to work in; without it, the current one, or with --project that of the project where the current one does
    /// not lie in it.
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath, value_parser = directory)]
    pub cwd: Option<PathBuf>,
    /// Name; without it, one is made from the prompt or the program.
    #[arg(long, value_name = "NAME", allow_hyphen_values = true, value_parser = name)]
    pub name: Option<String>,
    /// A project's name or id: what it begins with (agent, model, prompt) is used where nothing else is given.
    #[arg(long, value_name = "PROJECT", value_parser = said)]
    pub project: Option<String>,
    /// A group in that project, nested ones as in `a/b`.
    #[arg(long, value_name = "GROUP", requires = "project", value_parser = said)]
    pub group: Option<String>,
    /// Work in a new git worktree on this branch.
    #[arg(long, value_name = "BRANCH", value_parser = said, conflicts_with_all = ["clone", "scratch"])]
    pub worktree: Option<String>,
    /// Work in a local clone.
    #[arg(long, conflicts_with = "scratch")]
    pub clone: bool,
    /// Work in a fresh repository.
    #[arg(long)]
    pub scratch: bool,
    /// The model to ask for; empty for the agent's own, whatever the project begins with.
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Added to the agent's own system prompt.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub system_prompt: Option<String>,
    /// First prompt, given when the agent is ready; empty for none, whatever the project begins with. Other users of this machine can see arguments; see --prompt-file.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub prompt: Option<String>,
    /// Read the first prompt from a file; `-` is the standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "prompt", value_parser = directory)]
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
