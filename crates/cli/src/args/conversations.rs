//! `belfry restart`, `belfry resume` and `belfry fork`.

use std::path::PathBuf;

use clap::Args;

use super::OneSession;

#[derive(Debug, Args)]
#[command(after_help = "\
The new run goes on in the session's conversation where its agent can, else it begins a new one, and the session's notice says \
so. `belfry resume` is for sessions that have ended, and starts nothing where the conversation cannot go on.

A session in the trash is refused.")]
pub(crate) struct RestartArgs {
    #[command(flatten)]
    pub which: OneSession,
    /// Begin a new conversation, whatever became of the one before.
    #[arg(long)]
    pub new: bool,
    /// End its program first; without this a live session is refused.
    #[arg(long)]
    pub kill: bool,
}

#[derive(Debug, Args)]
#[command(
    override_usage = "belfry resume <SESSION>… [--cwd <DIR>]\n       belfry resume --all\n       \
                            belfry resume --agent <AGENT> <CONVERSATION> [--cwd <DIR>] [--name <NAME>] [--handover]",
    after_help = "\
A new run of the same session, in the same conversation, directory and model. Where nothing was said yet, or for a shell, the \
program is started again.

Exit codes: 0 resumed, 1 the conversation or the directory is gone, 3 no such session, 4 refused: the session is alive, or the \
conversation goes on elsewhere, which is named."
)]
pub(crate) struct ResumeArgs {
    /// Id, unique prefix of an id, or name; with --agent, a conversation's own id.
    #[arg(value_name = "SESSION", required_unless_present = "all")]
    pub sessions: Vec<String>,
    /// All that were alive when the machine went down, or whose keepers were lost; two at a time.
    #[arg(long, conflicts_with_all = ["sessions", "cwd", "agent", "name"])]
    pub all: bool,
    /// The directory to go on in, where the one before was moved.
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// Go on in any conversation of that agent, in a new session; prints its id.
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<String>,
    /// Name of the new session.
    #[arg(long, value_name = "NAME", requires = "agent", allow_hyphen_values = true)]
    pub name: Option<String>,
    /// In a new conversation that reads a text of that one: in any directory, and where it cannot go on itself.
    #[arg(long, requires = "agent")]
    pub handover: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Claude Code, Codex and OpenCode copy the conversation; both go on apart. Other agents cannot: with --handover a new session \
begins by reading what was said.")]
pub(crate) struct ForkArgs {
    #[command(flatten)]
    pub which: OneSession,
    /// Name of the new session; without it, the other's with a number.
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub name: Option<String>,
    /// The last entry of the transcript that is copied, by the agent's own id of it; without it, all is.
    #[arg(long, value_name = "ENTRY", conflicts_with = "handover")]
    pub at: Option<String>,
    /// Begin a new conversation that reads a text of this one.
    #[arg(long)]
    pub handover: bool,
}
