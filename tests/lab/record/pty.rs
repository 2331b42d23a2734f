//! A program in a terminal of its own.

use std::io::{Read as _, Write};
use std::sync::mpsc::{Receiver, channel};

use anyhow::{Result, anyhow};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// The program and its terminal. Dropping it ends the program.
pub(super) struct Pty {
    master: Box<dyn MasterPty + Send>,
    input: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    /// What it prints; ends with the terminal.
    pub(super) output: Receiver<Vec<u8>>,
}

fn size((cols, rows): (u16, u16)) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

impl Pty {
    pub(super) fn start(command: CommandBuilder, cells: (u16, u16)) -> Result<Self> {
        let pair = native_pty_system().openpty(size(cells)).map_err(|error| anyhow!("{error:#}"))?;
        let child = pair.slave.spawn_command(command).map_err(|error| anyhow!("{error:#}"))?;
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().map_err(|error| anyhow!("{error:#}"))?;
        let input = pair.master.take_writer().map_err(|error| anyhow!("{error:#}"))?;
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(read @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        Ok(Self { master: pair.master, input, child, output })
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.input.write_all(bytes)?;
        Ok(self.input.flush()?)
    }

    pub(super) fn resize(&self, cells: (u16, u16)) -> Result<()> {
        self.master.resize(size(cells)).map_err(|error| anyhow!("{error:#}"))
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
