//! The person's shell, or any program.

use std::path::{Path, PathBuf};

use crate::find::{SearchIn, executable};
use crate::launch::{LaunchInput, LaunchPlan, LaunchRefused, begin};
use crate::rules::Rules;

/// `$SHELL`, else one that is always there.
pub(crate) fn find(search: SearchIn<'_>) -> Option<PathBuf> {
    let own = search.shell.map(Path::new).filter(|shell| shell.is_absolute() && executable(shell));
    own.map(Path::to_owned).or_else(|| {
        // Windows: COMSPEC, once sessions run there.
        ["/bin/bash", "/usr/bin/bash", "/bin/sh"].iter().map(PathBuf::from).find(|shell| executable(shell))
    })
}

/// Extra arguments are a command to run in place of the shell; it is looked up in the session's own `PATH`.
pub(crate) fn launch(rules: &Rules, input: &LaunchInput<'_>) -> Result<LaunchPlan, LaunchRefused> {
    let argv = if input.new.args.is_empty() {
        let mut argv = begin(rules, input)?;
        // A terminal's shell is a login shell there by custom, and PATH is only complete in one.
        if cfg!(target_os = "macos") {
            argv.push("-l".to_owned());
        }
        argv
    } else {
        input.new.args.clone()
    };
    Ok(LaunchPlan { argv, ..LaunchPlan::default() })
}
