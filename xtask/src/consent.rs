//! Whether things may be installed.

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::{Result, bail};

/// How the person answers the question before each installation.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Consent {
    /// Install what is missing without asking (so does CI=true).
    #[arg(long, short = 'y')]
    yes: bool,
}

impl Consent {
    /// Returns when the installation may go on, and fails when the person, or nobody, says yes.
    pub(crate) fn ask(self, what: &str) -> Result<()> {
        if self.yes || std::env::var("CI").is_ok_and(|ci| ci == "true" || ci == "1") {
            eprintln!("{what}. Installing.");
            return Ok(());
        }
        if !io::stdin().is_terminal() {
            bail!("{what}: not installed, since nobody is there to ask. Say --yes to install it.");
        }
        eprint!("{what}. Install now? [Y/n] ");
        io::stderr().flush()?;
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        match answer.trim().to_lowercase().as_str() {
            "" | "y" | "yes" => Ok(()),
            _ => bail!("Nothing was installed."),
        }
    }
}
