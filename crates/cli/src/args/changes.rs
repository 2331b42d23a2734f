//! What is changed in a session's directory.

use clap::{Args, Subcommand};

use super::{OneSession, text};

#[derive(Debug, Args)]
#[command(after_help = "\
Without an option: everything that the branch has and its base has not, committed or not, new files too.

Examples:
  belfry diff shop                          on a terminal in colours
  belfry diff shop | git apply              the same changes somewhere else
  belfry diff shop --stat                   which files, and how many lines
  belfry diff shop --since CHECKPOINT       what a turn of the agent has changed")]
pub(crate) struct DiffArgs {
    #[command(flatten)]
    pub which: OneSession,
    /// Only the files and how many lines of each are changed.
    #[arg(long)]
    pub stat: bool,
    /// Against the base; so without an option.
    #[arg(long, group = "between")]
    pub base: bool,
    /// What is not committed.
    #[arg(long, group = "between")]
    pub uncommitted: bool,
    /// What is staged.
    #[arg(long, visible_alias = "cached", group = "between")]
    pub staged: bool,
    /// What is neither committed nor staged.
    #[arg(long, group = "between")]
    pub unstaged: bool,
    /// What one commit has changed.
    #[arg(long, value_name = "ID", group = "between")]
    pub commit: Option<String>,
    /// Since a checkpoint or commit.
    #[arg(long, value_name = "ID", group = "between")]
    pub since: Option<String>,
    /// With `--since`: up to this checkpoint or commit instead of the files as they are.
    #[arg(long, value_name = "ID", requires = "since")]
    pub until: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CheckpointArgs {
    #[command(subcommand)]
    pub action: CheckpointAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CheckpointAction {
    /// List the checkpoints of a session, newest first.
    #[command(visible_alias = "list")]
    Ls(OneSession),
    /// Keep the files of a session as they are now.
    #[command(after_help = "\
Kept is what git knows and what is new. Left out are ignored files and, which is told, new files
over 64 MiB and repositories inside the directory. Of a submodule only its commit is kept.")]
    Make {
        #[command(flatten)]
        which: OneSession,
        /// What to call it.
        #[arg(value_parser = text::said)]
        label: String,
    },
    /// Put the files of a session back to a checkpoint. The branch stays; what is there is kept by another checkpoint first.
    #[command(after_help = "\
What the checkpoint left out stays as it is now. Where something that no checkpoint holds would be
deleted, such as ignored files in a directory where the checkpoint has a file, nothing is changed.")]
    Go {
        #[command(flatten)]
        which: OneSession,
        /// The checkpoint's id or a prefix of it.
        #[arg(value_name = "CHECKPOINT")]
        checkpoint: String,
    },
}
