//! The bridge's own terminal, which a keeper holds.

use std::io::{Read as _, Write as _};

use rustix::termios::{OptionalActions, Winsize, tcgetattr, tcgetwinsize, tcsetattr, tcsetwinsize};
use tokio::sync::mpsc;

use super::Failed;

/// Bytes that are read at once.
const PIECE: usize = 16 * 1024;

pub(super) struct Terminal {
    out: std::io::Stdout,
    /// The size that we have given it last, of which we are told as of any other.
    own: std::cell::Cell<Option<(u16, u16)>>,
}

impl Terminal {
    /// Takes the terminal as it is, byte by byte, and begins to read what is typed.
    pub(super) fn take() -> Result<(Self, mpsc::UnboundedReceiver<Vec<u8>>), Failed> {
        let stdin = std::io::stdin();
        let mut modes =
            tcgetattr(&stdin).map_err(|error| Failed::new(format!("this is no terminal: {error}")))?;
        modes.make_raw();
        tcsetattr(&stdin, OptionalActions::Now, &modes).map_err(std::io::Error::from)?;
        let (sender, typed) = mpsc::unbounded_channel();
        // A thread of its own: a terminal cannot be waited for by the runtime and be written to without waiting at once.
        std::thread::Builder::new().name("typed".to_owned()).spawn(move || {
            let mut piece = vec![0; PIECE];
            loop {
                match std::io::stdin().lock().read(&mut piece) {
                    Ok(0) | Err(_) => return,
                    Ok(count) => {
                        if sender.send(piece[..count].to_vec()).is_err() {
                            return;
                        }
                    }
                }
            }
        })?;
        Ok((Self { out: std::io::stdout(), own: std::cell::Cell::new(None) }, typed))
    }

    /// Prints. Waits while the keeper does not read, and with it tmux, which then pauses the pane for us alone.
    pub(super) fn print(&mut self, bytes: &[u8]) -> Result<(), Failed> {
        let mut out = self.out.lock();
        out.write_all(bytes)?;
        Ok(out.flush()?)
    }

    /// Columns and rows.
    pub(super) fn size(&self) -> Option<(u16, u16)> {
        let size = tcgetwinsize(&self.out).ok()?;
        (size.ws_col > 0 && size.ws_row > 0).then_some((size.ws_col, size.ws_row))
    }

    /// Whether somebody else has given it another size: its session is shown.
    pub(super) fn is_shown_anew(&self) -> bool {
        let size = self.size();
        size.is_some() && size != self.own.get()
    }

    /// Has the size that the pane has. The keeper sees it with the next output.
    pub(super) fn resize(&self, cols: u16, rows: u16) {
        if self.size() != Some((cols, rows)) {
            let size = Winsize { ws_col: cols, ws_row: rows, ws_xpixel: 0, ws_ypixel: 0 };
            self.own.set(Some((cols, rows)));
            let _ = tcsetwinsize(&self.out, size);
        }
    }
}
