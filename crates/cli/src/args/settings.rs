//! `belfry settings`.

use clap::{Args, Subcommand};

use super::text::said;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  belfry settings                                        all of them
  belfry settings get notifications
  belfry settings set appearance.theme dark
  belfry settings set notifications.quiet_hours 22:00-07:00
  belfry settings set keys.palette Ctrl+Alt+K
  belfry settings set agents.claude.args '[\"--verbose\"]'
  belfry settings set agents.claude.env.EDITOR vi        one variable
  belfry settings set agents.claude.env '{ EDITOR = \"vi\", PAGER = \"less\" }'
  belfry settings unset agents.claude.env.EDITOR
  belfry settings unset keys                             a whole table")]
pub(crate) struct SettingsArgs {
    /// Without an action, all settings are shown.
    #[command(subcommand)]
    pub action: Option<SettingsAction>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SettingsAction {
    /// Show a setting, or all of them.
    Get {
        /// Its name, such as notifications.sounds.
        #[arg(value_name = "NAME", value_parser = said)]
        name: Option<String>,
    },
    /// Change a setting in the file; comments and order stay.
    Set {
        /// Its name, such as notifications.sounds; what is in a table goes on behind a dot.
        #[arg(value_name = "NAME", value_parser = said)]
        name: String,
        /// Its value: a text as it is, a number, true or false; a list or a table as in JSON or TOML. A list may be given
        /// as its only item.
        #[arg(value_name = "VALUE", allow_hyphen_values = true)]
        value: String,
    },
    /// Take a setting out of the file, which brings back the default; also a whole table, such as keys.
    #[command(visible_alias = "unset")]
    Reset {
        /// Its name, such as notifications.sounds.
        #[arg(value_name = "NAME", value_parser = said)]
        name: String,
    },
    /// Print where the file is, and make it where there is none, with every setting in it as a comment.
    Path,
    /// Say what is wrong with the file. Exit code 1 where it is not in force.
    Check,
}
