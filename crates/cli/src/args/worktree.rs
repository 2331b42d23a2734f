//! `belfry worktree`.

use clap::{Args, Subcommand};

use super::text::said;

#[derive(Debug, Args)]
pub(crate) struct WorktreeArgs {
    #[command(subcommand)]
    pub action: WorktreeAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum WorktreeAction {
    /// List workspaces: those that Belfry made, removed ones that can be had back, and other worktrees of the projects.
    #[command(visible_alias = "list")]
    Ls {
        /// Measure what each takes on disk.
        #[arg(long)]
        disk: bool,
    },
    /// Remove a workspace, after showing what would be lost with it. What it holds is saved, and can be had back.
    #[command(after_help = "\
It is moved aside and deleted a day later. What git does not have of it is kept for 30 days; `belfry worktree restore` brings \
it back until then. Its commit of everything is refs/belfry/removed/ID in the repository.

Without a terminal to ask in, one that something would be lost with is refused (exit code 4) unless --yes is given.")]
    Rm {
        #[command(flatten)]
        which: OneWorkspace,
        /// Do not ask.
        #[arg(long)]
        yes: bool,
    },
    /// Bring a removed workspace back to where it was, with all that was in it.
    Restore(OneWorkspace),
    /// Remove workspaces that no session works in and that nothing would be lost with.
    Clean,
}

#[derive(Debug, Args)]
pub(crate) struct OneWorkspace {
    /// Id, unique prefix of an id, path, or a session that works in it.
    #[arg(value_name = "WORKSPACE", value_parser = said)]
    pub workspace: String,
}
