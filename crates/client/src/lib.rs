//! The way to the daemon: find it or start it, shake hands, then requests, events, views and blobs over one socket.
//!
//! [`connect_raw`] gives the bare byte stream for those that carry frames without understanding them (the desktop's
//! bridge, `belfry serve`); [`connect_or_start`] and [`connect`] give a [`Connection`] with typed requests.
//!
//! ```no_run
//! # async fn example(home: &belfry_platform::home::Home) -> Result<(), belfry_client::ClientError> {
//! use belfry_client::{ConnectOptions, connect_or_start};
//! use belfry_protocol::{Reply, Request};
//!
//! let connection = connect_or_start(home, &ConnectOptions::new("cli")).await?;
//! if let Reply::Sessions(sessions) =
//!     connection.request(Request::ListSessions { status: Vec::new(), all: false, after: None }).await?
//! {
//!     println!("{} sessions", sessions.len());
//! }
//! # Ok(())
//! # }
//! ```

mod connection;
mod error;
mod handshake;
mod incoming;
mod options;
mod start;

pub use connection::{Connection, Requests};
pub use error::ClientError;
pub use handshake::Welcome;
pub use incoming::{Incoming, IncomingStream, Overview};
pub use options::ConnectOptions;
pub use start::{READY_ENV, READY_LINE, connect_raw};

use std::time::Duration;

use belfry_platform::home::Home;
use tokio::net::UnixStream;
use tokio::time::Instant;

/// A connected socket on which no frame has been sent yet.
pub type RawStream = UnixStream;

/// Connects to this home's daemon, and starts one first where none runs.
pub async fn connect_or_start(home: &Home, options: &ConnectOptions) -> Result<Connection, ClientError> {
    let deadline = Instant::now() + options.timeout;
    loop {
        let stream = start::connect_raw(home, options).await?;
        match handshake::shake(stream, options).await {
            // A daemon that has just been killed, or ends, still took the connection: the next one is ours.
            Err(ClientError::Lost | ClientError::Io(_)) if Instant::now() < deadline => {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            other => return other,
        }
    }
}

/// Connects to this home's daemon; [`ClientError::NoDaemon`] where none runs.
pub async fn connect(home: &Home, options: &ConnectOptions) -> Result<Connection, ClientError> {
    let stream = start::connect_existing(home).await?;
    handshake::shake(stream, options).await
}
