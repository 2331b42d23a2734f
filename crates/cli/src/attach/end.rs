//! How a view ends.

use belfry_protocol::Session;

/// The ways out that are no error.
#[derive(Debug)]
pub(super) enum End {
    /// The person pressed the key.
    Detached {
        /// Bytes that were typed before and are not known to have arrived.
        unsure: u64,
    },
    /// The session's program ended.
    Session(Box<Session>),
    /// The session was removed for good.
    Removed,
    /// The outer terminal was closed.
    TerminalGone,
    /// A signal asked us to end.
    Signal(&'static str),
}
