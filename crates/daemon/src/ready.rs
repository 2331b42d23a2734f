//! Coming away from whoever started us, and telling them when we listen.
//!
//! A client that starts a daemon waits on its standard output for one line. Before it, whatever goes wrong is said on
//! standard error, which the client passes on; after it both lead nowhere, so that nothing of the starter is kept open.

use std::io::Write;

use belfry_client::{READY_ENV, READY_LINE};
use rustix::fs::{Mode, OFlags};

/// Whether a client started us and waits.
fn awaited() -> bool {
    std::env::var_os(READY_ENV).is_some()
}

/// Leads a process session of our own, so that neither the terminal's end nor a Ctrl-C in it reaches us.
pub(crate) fn detach() {
    if awaited() {
        // Fails where we lead one already, which is as good.
        let _ = rustix::process::setsid();
    }
}

/// We listen.
pub(crate) fn announce() {
    if !awaited() {
        return;
    }
    let mut stdout = std::io::stdout().lock();
    // The client may be gone; that is its business.
    let _ = writeln!(stdout, "{READY_LINE}").and_then(|()| stdout.flush());
    drop(stdout);
    if let Ok(null) = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty()) {
        let _ = rustix::stdio::dup2_stdout(&null);
        let _ = rustix::stdio::dup2_stderr(&null);
    }
}
