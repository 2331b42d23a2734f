//! `belfry project`, `belfry group`, and what a person marks sessions with.

use belfry_protocol::session::{GroupColor, WorkspaceKind};
use clap::{Args, Subcommand};

use super::OneSession;
use super::text::{name, said};
use crate::commands::Snooze;

#[derive(Debug, Args)]
pub(crate) struct ProjectArgs {
    #[command(subcommand)]
    pub action: ProjectAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProjectAction {
    /// Add a directory, or fetch a repository from its address and add that. One that is a project already stays as it is.
    #[command(after_help = "\
Examples:
  belfry project add .                                  this directory
  belfry project add ~/src/shop --name shop --agent claude
  belfry project add git@host.example:ann/shop.git      fetched into a directory beside the other projects
  belfry project add https://host.example/ann/shop ~/w/shop

An address is fetched with your own git and ssh, and what they know. Ctrl C stops it; nothing is left behind then.")]
    Add {
        /// The directory, or the address of a repository as `git clone` takes it. A repository on this machine is fetched by
        /// `file://` and its path.
        #[arg(value_name = "DIR|URL", value_hint = clap::ValueHint::DirPath, value_parser = said)]
        dir: String,
        /// Where an address is fetched to: a directory that is not there yet, or an empty one. Without it, one of the
        /// repository's name where most projects are.
        #[arg(value_name = "INTO", value_hint = clap::ValueHint::DirPath, value_parser = said)]
        into: Option<String>,
        /// Name; without it, the directory's. Several projects may have the same.
        #[arg(long, value_name = "NAME", allow_hyphen_values = true, value_parser = name)]
        name: Option<String>,
        #[command(flatten)]
        defaults: Defaults,
    },
    /// List projects, with what new sessions begin with.
    #[command(visible_alias = "list")]
    Ls,
    /// Give a project another name.
    Rename {
        #[command(flatten)]
        which: OneProject,
        /// The new name.
        #[arg(value_name = "NAME", allow_hyphen_values = true, value_parser = name)]
        name: String,
    },
    /// Take a project and its groups out of the list. Sessions stay, and so does the directory.
    Rm(OneProject),
    /// Change what new sessions of a project begin with.
    #[command(after_help = "\
An empty text takes a value away: --model ''.

Example:
  belfry project set shop --agent claude --model opus --prompt 'Read NOTES.md first.'")]
    Set {
        #[command(flatten)]
        which: OneProject,
        #[command(flatten)]
        defaults: Defaults,
    },
}

#[derive(Debug, Args)]
pub(crate) struct OneProject {
    /// Name, id or directory.
    #[arg(value_name = "PROJECT", value_parser = said)]
    pub project: String,
}

/// What new sessions of a project begin with.
#[derive(Debug, Default, Args)]
pub(crate) struct Defaults {
    /// The agent that its new sessions begin with.
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<String>,
    /// The model to ask for.
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// The first prompt.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub prompt: Option<String>,
    /// How a session's directory is made: `directory`, as it is; `worktree` or `clone`, on a branch of its own; `scratch`, an
    /// empty repository.
    #[arg(long, value_name = "KIND", value_parser = workspace)]
    pub workspace: Option<WorkspaceKind>,
}

#[derive(Debug, Args)]
pub(crate) struct GroupArgs {
    #[command(subcommand)]
    pub action: GroupAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GroupAction {
    /// Make a group, and those that it is to lie in. One that is there already stays as it is.
    #[command(after_help = "\
Examples:
  belfry group add shop checkout --color teal
  belfry group add shop checkout/payments             in the group checkout, which is made where it is not there")]
    Add {
        #[command(flatten)]
        which: OneProject,
        /// Its name, nested ones as in `a/b`.
        #[arg(value_name = "NAME[/NAME]", allow_hyphen_values = true, value_parser = said)]
        path: String,
        /// red, orange, yellow, green, teal, blue, purple or pink.
        #[arg(long, value_name = "COLOR", value_parser = color)]
        color: Option<GroupColor>,
    },
    /// List groups, of all projects or of one.
    #[command(visible_alias = "list")]
    Ls {
        /// Name, id or directory.
        #[arg(value_name = "PROJECT", value_parser = said)]
        project: Option<String>,
    },
    /// Give a group another name.
    Rename {
        #[command(flatten)]
        which: OneGroup,
        /// The new name.
        #[arg(value_name = "NAME", allow_hyphen_values = true, value_parser = name)]
        name: String,
    },
    /// Put a group into another one of its project, or at the project's top.
    Move {
        #[command(flatten)]
        which: OneGroup,
        /// The group that it is in from now on; without it, the project's top.
        #[arg(long, value_name = "GROUP", value_parser = said)]
        into: Option<String>,
    },
    /// Give a group a colour.
    Color {
        #[command(flatten)]
        which: OneGroup,
        /// red, orange, yellow, green, teal, blue, purple, pink, or none.
        #[arg(value_name = "COLOR", value_parser = color_or_none)]
        color: ColorOrNone,
    },
    /// Remove a group. Sessions and groups in it move to the one that it was in.
    Rm(OneGroup),
}

#[derive(Debug, Args)]
pub(crate) struct OneGroup {
    #[command(flatten)]
    pub which: OneProject,
    /// A group in that project, nested ones as in `a/b`; or its id.
    #[arg(value_name = "GROUP", value_parser = said)]
    pub group: String,
}

#[derive(Debug, Args)]
pub(crate) struct MarkArgs {
    #[command(flatten)]
    pub which: OneSession,
    /// Take it back.
    #[arg(long)]
    pub off: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SnoozeArgs {
    #[command(flatten)]
    pub which: OneSession,
    /// For how long, a week at the most: 15m, 1h, 2d, `tomorrow` (8 o'clock), or `off`.
    #[arg(value_name = "TIME")]
    pub time: Snooze,
}

#[derive(Debug, Args)]
#[command(after_help = "\
An open window comes to the front; where there is none, this fails with exit code 1. A desktop in which no program may take \
keys for itself (Wayland) can have a key of its own for `belfry focus --next`.")]
pub(crate) struct FocusArgs {
    /// The session that it is to show; without it, the window shows what it shows.
    #[arg(value_name = "SESSION", conflicts_with = "next", value_parser = said)]
    pub session: Option<String>,
    /// Show the session that needs you for the longest time.
    #[arg(long)]
    pub next: bool,
}

/// A colour, or that there is to be none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ColorOrNone(pub Option<GroupColor>);

fn word<T: serde::de::DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_value(serde_json::Value::String(text.to_owned())).ok()
}

fn workspace(text: &str) -> Result<WorkspaceKind, String> {
    word(text).ok_or_else(|| "it is one of directory, worktree, clone and scratch".to_owned())
}

fn color(text: &str) -> Result<GroupColor, String> {
    word(text)
        .ok_or_else(|| "it is one of red, orange, yellow, green, teal, blue, purple and pink".to_owned())
}

fn color_or_none(text: &str) -> Result<ColorOrNone, String> {
    match text {
        "none" => Ok(ColorOrNone(None)),
        text => color(text).map(|color| ColorOrNone(Some(color))).map_err(|why| why + ", or none"),
    }
}
