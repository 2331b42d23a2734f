//! Signals that matter to a view.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// The outer terminal has another size.
    Resize,
    /// Stop until continued.
    Suspend,
    /// End.
    End(&'static str),
}

/// The handlers.
#[derive(Debug)]
pub(super) struct Signals {
    resize: Signal,
    suspend: Signal,
    terminate: Signal,
    interrupt: Signal,
    quit: Signal,
    hangup: Signal,
}

impl Signals {
    pub(super) fn new() -> std::io::Result<Self> {
        let suspend = SignalKind::from_raw(rustix::process::Signal::TSTP.as_raw());
        Ok(Self {
            resize: signal(SignalKind::window_change())?,
            suspend: signal(suspend)?,
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    /// The next one. The keys C-c, C-\ and C-z do not come this way: the terminal is raw.
    pub(super) async fn next(&mut self) -> Asked {
        tokio::select! {
            _ = self.resize.recv() => Asked::Resize,
            _ = self.suspend.recv() => Asked::Suspend,
            _ = self.terminate.recv() => Asked::End("SIGTERM"),
            _ = self.interrupt.recv() => Asked::End("SIGINT"),
            _ = self.quit.recv() => Asked::End("SIGQUIT"),
            _ = self.hangup.recv() => Asked::End("SIGHUP"),
        }
    }
}
