//! A tmux server of a test's own.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::cli::{Belfry, eventually};

/// A server, among others of the same folder, which is gone with it.
#[derive(Debug)]
pub struct Tmux {
    folder: PathBuf,
    name: String,
    env: Vec<(String, String)>,
}

impl Tmux {
    /// A server with a session `main` of that size that runs a program.
    pub fn start(belfry: &Belfry, name: &str, (cols, rows): (u16, u16), program: &[&str]) -> Self {
        Self::start_with(belfry, name, (cols, rows), program, &[])
    }

    /// The same, with more in the environment.
    pub fn start_with(
        belfry: &Belfry,
        name: &str,
        (cols, rows): (u16, u16),
        program: &[&str],
        more: &[(String, String)],
    ) -> Self {
        let folder = Self::folder(belfry);
        std::fs::create_dir_all(&folder).expect("a directory");
        let env = belfry.environment().into_iter().filter_map(|(key, value)| {
            let own = matches!(key, "BELFRY_HOME" | "BELFRY_ALONE");
            (!own).then(|| Some((key.to_owned(), value.into_string().ok()?))).flatten()
        });
        let tmux = Self { folder, name: name.to_owned(), env: env.chain(more.iter().cloned()).collect() };
        let (cols, rows) = (cols.to_string(), rows.to_string());
        let new = ["-f", "/dev/null", "new-session", "-d", "-s", "main", "-x", &cols, "-y", &rows, "--"];
        tmux.run(&[&new[..], program].concat());
        tmux.run(&["set-option", "-g", "status", "off"]);
        tmux
    }

    /// Where the servers of a home have their sockets: `TMUX_TMPDIR`.
    pub fn folder(belfry: &Belfry) -> PathBuf {
        belfry.home().join("t")
    }

    /// Runs a command of tmux's to its end.
    #[track_caller]
    pub fn run(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments).output().expect("run tmux");
        let complained = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "tmux {arguments:?}: {complained}");
        String::from_utf8_lossy(&output.stdout).trim_end_matches('\n').to_owned()
    }

    /// A command of tmux's, not started yet.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("tmux");
        command.args(["-u", "-L", &self.name]).args(arguments);
        command
            .env_clear()
            .envs(self.env.iter().map(|(key, value)| (key, value)))
            .env("TMUX_TMPDIR", &self.folder);
        command.stdin(Stdio::null());
        command
    }

    /// What a format says of a target.
    pub fn format(&self, target: &str, format: &str) -> String {
        self.run(&["display-message", "-p", "-t", target, format])
    }

    /// What a pane shows, its rows without trailing blanks.
    pub fn screen(&self, target: &str) -> String {
        let shown = self.run(&["capture-pane", "-p", "-t", target]);
        shown.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_end().to_owned()
    }

    /// Waits until a pane shows a text.
    #[track_caller]
    pub fn until(&self, target: &str, text: &str) {
        eventually(&format!("{text:?} in {target}"), || self.screen(target).contains(text));
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ = self.command(&["kill-server"]).stderr(Stdio::null()).status();
    }
}
