//! `belfry pr`.

use belfry_protocol::pull_request::{Findings, MergeHow};
use clap::{ArgGroup, Args, Subcommand, ValueEnum};

use super::OneSession;
use super::text::said;

#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    override_usage = "belfry pr <SESSION>\n       belfry pr <COMMAND>",
    after_help = "\
Examples:
  belfry pr shop                       state, checks and reviews
  belfry pr create shop                push, and make one with a title and a text from the conversation
  belfry pr send shop checks           have the agent look at what failed
  belfry pr merge shop --squash

It is done by `gh` or `glab`, as you have logged in with it. A session that is called after one of the commands is meant by its \
id."
)]
pub(crate) struct PrArgs {
    /// What to do; without it, the pull request is shown.
    #[command(subcommand)]
    pub action: Option<PrAction>,
    /// Id, unique prefix of an id, or name.
    #[arg(value_name = "SESSION", required = true, value_parser = said)]
    pub session: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PrAction {
    /// Push the branch, and make a pull request.
    Create(PrCreateArgs),
    /// Merge it.
    #[command(group = ArgGroup::new("how").required(true))]
    Merge {
        #[command(flatten)]
        which: OneSession,
        #[command(flatten)]
        how: HowToMerge,
    },
    /// Send what checks or reviewers found to the agent, as a message.
    Send {
        #[command(flatten)]
        which: OneSession,
        /// The failed checks with the ends of their logs, or the reviewers' comments.
        #[arg(value_name = "WHAT")]
        what: What,
    },
}

#[derive(Debug, Args)]
pub(crate) struct PrCreateArgs {
    #[command(flatten)]
    pub which: OneSession,
    /// Its title; without it, what was asked for first.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, value_parser = said)]
    pub title: Option<String>,
    /// Its text; `-` reads it from the standard input. Without it, what was asked for and what the agent says that it did.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub body: Option<String>,
    /// As a draft.
    #[arg(long, conflicts_with = "web")]
    pub draft: bool,
    /// The branch that it is to go into.
    #[arg(long, value_name = "BRANCH", value_parser = said)]
    pub base: Option<String>,
    /// Push, and open the page on which you make it by hand.
    #[arg(long, conflicts_with_all = ["title", "body"])]
    pub web: bool,
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct HowToMerge {
    /// By a merge commit.
    #[arg(long, group = "how")]
    pub merge: bool,
    /// As one commit.
    #[arg(long, group = "how")]
    pub squash: bool,
    /// Its commits on top.
    #[arg(long, group = "how")]
    pub rebase: bool,
}

impl From<HowToMerge> for MergeHow {
    fn from(how: HowToMerge) -> Self {
        match how {
            HowToMerge { squash: true, .. } => Self::Squash,
            HowToMerge { rebase: true, .. } => Self::Rebase,
            HowToMerge { .. } => Self::Merge,
        }
    }
}

/// What is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// Failed checks.
    Checks,
    /// Reviewers' comments.
    Comments,
}

impl From<What> for Findings {
    fn from(what: What) -> Self {
        match what {
            What::Checks => Self::Checks,
            What::Comments => Self::Comments,
        }
    }
}
