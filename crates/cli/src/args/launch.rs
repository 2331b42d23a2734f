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
  belfry new --agent claude --worktree --prompt 'Mend it'   on a new branch, named after the prompt
  belfry new --agent claude --worktree=fix --base origin/dev
  belfry new --agent claude --pr 17                         on the branch of a pull request
  belfry new --agent claude --clone --prompt 'Mend it'      in a clone of its own

A worktree or clone keeps sessions out of each other's way. It is no sandbox: programs in it can do what you can.")]
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
    /// Work in a new git worktree on this branch: one that is there, else a new one; without BRANCH, one that is named after
    /// the prompt.
    #[arg(long, value_name = "BRANCH", num_args = 0..=1, default_missing_value = "",
        conflicts_with_all = ["clone", "scratch", "directory"])]
    pub worktree: Option<String>,
    /// Work in a clone of the repository, made from a cache of its remote, on a branch of its own.
    #[arg(long, value_name = "BRANCH", num_args = 0..=1, default_missing_value = "",
        conflicts_with_all = ["scratch", "directory"])]
    pub clone: Option<String>,
    /// Work in a fresh, empty repository.
    #[arg(long, conflicts_with = "directory")]
    pub scratch: bool,
    /// Work in the directory as it is, whatever the project or the settings say.
    #[arg(long)]
    pub directory: bool,
    /// What a new branch starts from; without it, what the project says, else the remote's default branch.
    #[arg(long, value_name = "REF", value_parser = said, conflicts_with_all = ["scratch", "directory"])]
    pub base: Option<String>,
    /// Work on the branch of that pull request (GitLab: merge request), in a worktree where nothing else is said.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..),
        conflicts_with_all = ["scratch", "directory", "base"])]
    pub pr: Option<u64>,
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

#[derive(Debug, Args)]
#[command(after_help = "\
`.belfry.toml` can bring a setup script, a teardown script and commands to run. They run only once you have trusted exactly
what they say; when they change, they are shown and asked about again.")]
pub(crate) struct TrustArgs {
    /// Any directory of the repository; without it, the current one.
    #[arg(value_name = "DIR", value_hint = clap::ValueHint::DirPath, value_parser = directory)]
    pub directory: Option<PathBuf>,
    /// You have read them: do not ask.
    #[arg(long)]
    pub yes: bool,
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
