//! tmux, with a server of its own.

use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;

use super::{Bare, COLS, LOOK, PATIENCE, ROWS, SCROLLBACK};

/// A server.
pub(crate) struct Tmux {
    directory: TempDir,
}

impl Tmux {
    /// A server with one window that runs a program.
    pub(crate) fn start(arguments: &[&str]) -> Result<Self> {
        let directory = tempfile::Builder::new().prefix("belfry-bench-tmux-").tempdir()?;
        let configuration =
            format!("set -g history-limit {SCROLLBACK}\nset -g status off\nset -s escape-time 0\n");
        std::fs::write(directory.path().join("tmux.conf"), configuration)?;
        let tmux = Self { directory };
        let (cols, rows) = (COLS.to_string(), ROWS.to_string());
        tmux.run(
            &[&["new-session", "-d", "-s", "bench", "-x", &cols, "-y", &rows, "--"], arguments].concat(),
        )?;
        Ok(tmux)
    }

    /// One more window.
    pub(crate) fn window(&self, arguments: &[&str]) -> Result<()> {
        self.run(&[&["new-window", "-d", "-t", "bench", "--"], arguments].concat()).map(drop)
    }

    /// Runs a command of tmux to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Result<String> {
        let output = self.command(arguments).stdin(Stdio::null()).output().context("is tmux installed?")?;
        if !output.status.success() {
            bail!("tmux {arguments:?}: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// A client in a terminal of its own, once it has drawn something.
    pub(crate) fn attach(&self) -> Result<Bare> {
        let (socket, configuration) = self.paths();
        let arguments = ["tmux", "-S", &socket, "-f", &configuration, "attach-session", "-t", "bench"];
        let mut client = Bare::start(&arguments, &[])?;
        let mut first = [0; 4096];
        std::io::Read::read(&mut client.reader, &mut first).context("tmux draws nothing")?;
        Ok(client)
    }

    /// Waits until every window but so many of the first has that on it.
    pub(crate) fn until_all_show(&self, but: usize, text: &str) -> Result<()> {
        let windows = self.run(&["list-windows", "-t", "bench", "-F", "#{window_id}"])?;
        for window in windows.lines().skip(but) {
            let began = Instant::now();
            while !self.run(&["capture-pane", "-p", "-t", window])?.contains(text) {
                ensure!(began.elapsed() < PATIENCE, "{text:?} never came");
                std::thread::sleep(LOOK);
            }
        }
        Ok(())
    }

    /// The server's process id.
    pub(crate) fn pid(&self) -> Result<u32> {
        Ok(self.run(&["display-message", "-p", "#{pid}"])?.parse()?)
    }

    fn paths(&self) -> (String, String) {
        let path = |name: &str| self.directory.path().join(name).to_string_lossy().into_owned();
        (path("socket"), path("tmux.conf"))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let (socket, configuration) = self.paths();
        let mut command = Command::new("tmux");
        command.args(["-S", &socket, "-f", &configuration]).args(arguments).env_remove("TMUX");
        command
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ = self.run(&["kill-server"]);
    }
}
