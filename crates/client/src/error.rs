//! What can go wrong on the way to the daemon.

use std::io;

use belfry_protocol::frame::FrameError;
use belfry_protocol::{ErrorCode, ProtocolVersion, WireError};

/// Why a connection or a request failed.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// No daemon runs for this home.
    #[error("no daemon is running")]
    NoDaemon,
    /// A daemon could not be started, or ended before it was ready.
    #[error("the daemon could not be started: {0}")]
    Start(String),
    /// The daemon did not answer in time.
    #[error("the daemon does not answer")]
    Timeout,
    /// The daemon refused the connection; `error` says why, most often another version.
    #[error("{error}")]
    Refused {
        /// Why.
        error: WireError,
        /// What the daemon speaks.
        protocol: ProtocolVersion,
    },
    /// The request was not carried out.
    #[error("{0}")]
    Failed(WireError),
    /// The connection has ended.
    #[error("the connection to the daemon is lost")]
    Lost,
    /// What was sent or is to be sent is no valid frame.
    #[error("the daemon sent something that is no frame: {0}")]
    Frame(#[from] FrameError),
    /// A message of the daemon could not be understood.
    #[error("the daemon sent a message that is not understood; it may be of another version")]
    Message(#[from] serde_json::Error),
    /// The socket failed.
    #[error("the connection to the daemon failed: {0}")]
    Io(#[from] io::Error),
}

impl ClientError {
    /// The daemon's own error code, where the daemon gave one.
    pub fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Refused { error, .. } | Self::Failed(error) => Some(error.code),
            _ => None,
        }
    }
}
