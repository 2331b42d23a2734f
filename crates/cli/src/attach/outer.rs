//! The terminal that the person sits at: made ready for a view, and given back as it was, whatever happens.

use std::io::Write;
use std::sync::{Mutex, Once, PoisonError};

use belfry_protocol::launch::Size;
use rustix::stdio::{stdin, stdout};
use rustix::termios::{OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcgetwinsize, tcsetattr};

use super::output::RESET;

/// Saves the title and what the wheel does, switches to the alternate screen.
const ENTER: &str = "\x1b[22;0t\x1b[?1007s\x1b[?1049h";

/// Ends whatever sequence was broken off; then, after [`RESET`], the main screen and the title come back.
/// What the wheel does has no common default, and not every terminal can save it: most turn it on.
const LEAVE: (&str, &str) = ("\x1b\\", "\x1b[?1007h\x1b[?1007r\x1b[?1049l\x1b[23;0t");

/// What [`restore`] brings back; one for the process, since a panic must find it.
static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

/// While it lives, the outer terminal is raw and on its alternate screen.
#[derive(Debug)]
pub(super) struct Outer(());

impl Outer {
    pub(super) fn enter() -> std::io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let before = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                // The message must be seen, so the screen comes first.
                restore();
                before(panic);
            }));
        });
        let outer = Self(());
        resume()?;
        Ok(outer)
    }
}

impl Drop for Outer {
    fn drop(&mut self) {
        restore();
    }
}

/// Makes it ready, for the first time or after [`restore`].
pub(super) fn resume() -> std::io::Result<()> {
    let termios = tcgetattr(stdin())?;
    let mut raw = termios.clone();
    raw.make_raw();
    *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(termios);
    tcsetattr(stdin(), OptionalActions::Now, &raw)?;
    let mut out = std::io::stdout().lock();
    out.write_all(ENTER.as_bytes())?;
    out.write_all(RESET.as_bytes())?;
    out.flush()
}

/// Its size; none where it does not say.
pub(super) fn size() -> Option<Size> {
    let size = tcgetwinsize(stdout()).ok()?;
    let size = Size { cols: size.ws_col, rows: size.ws_row };
    (size.cols > 0 && size.rows > 0).then(|| size.clamped())
}

/// Drops what was written and is not drawn yet, so that leaving does not wait for a slow terminal.
pub(super) fn drop_pending() {
    let _ = tcflush(stdout(), QueueSelector::OFlush);
}

/// Gives the terminal back. Does nothing when that was done.
pub(super) fn restore() {
    let Some(termios) = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
    // Not through std's lock: a thread that panics or hangs in a write may hold it.
    for text in [LEAVE.0, RESET, LEAVE.1] {
        let mut rest = text.as_bytes();
        while let Ok(written @ 1..) = rustix::io::write(stdout(), rest) {
            rest = &rest[written..];
        }
    }
    // Reports that the terminal sent for modes that are off now, and the release of the detach key, are not for the shell.
    let _ = tcsetattr(stdin(), OptionalActions::Flush, &termios);
}
