//! `belfry settings`.

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
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
        #[arg(value_name = "NAME")]
        name: Option<String>,
    },
    /// Change a setting in the file; comments and order stay.
    Set {
        /// Its name, such as notifications.sounds.
        #[arg(value_name = "NAME")]
        name: String,
        /// Its value as JSON (true, 12, a list), else a text.
        #[arg(value_name = "VALUE", allow_hyphen_values = true)]
        value: String,
    },
    /// Take a setting out of the file, which brings back the default; also a whole table, such as keys.
    Reset {
        /// Its name, such as notifications.sounds.
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Print where the file is, and make it where there is none, with every setting in it as a comment.
    Path,
    /// Say what is wrong with the file. Exit code 1 where it is not in force.
    Check,
}
