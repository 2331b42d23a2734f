//! A bare PTY: a program, and somebody who reads what it prints and throws it away.

use std::io::{Read, Write};

use anyhow::Result;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use super::{COLS, ROWS};

/// A program on a PTY.
pub(crate) struct Bare {
    child: Box<dyn Child + Send + Sync>,
    /// Kept open: closing it would end the program.
    _master: Box<dyn MasterPty + Send>,
    pub reader: Box<dyn Read + Send>,
    pub writer: Box<dyn Write + Send>,
}

impl Bare {
    /// Starts a program with these arguments and variables on top of ours.
    pub(crate) fn start(arguments: &[&str], env: &[(&str, &str)]) -> Result<Self> {
        let size = PtySize { cols: COLS, rows: ROWS, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size)?;
        let mut command = CommandBuilder::new(arguments[0]);
        command.args(&arguments[1..]);
        command.env("TERM", "xterm-256color");
        command.env_remove("TMUX");
        for (name, value) in env {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command)?;
        Ok(Self {
            child,
            reader: pair.master.try_clone_reader()?,
            writer: pair.master.take_writer()?,
            _master: pair.master,
        })
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
