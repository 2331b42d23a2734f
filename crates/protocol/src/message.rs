//! The outermost JSON messages of a connection.

use serde::{Deserialize, Serialize};

use crate::{Event, ProtocolVersion, Reply, Request, WireError};

/// From a client.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ClientMessage {
    /// First on every connection.
    Hello {
        /// What the client speaks.
        protocol: ProtocolVersion,
        /// What it is: `desktop`, `cli`, `browser`.
        client: String,
        /// Its version.
        version: String,
    },
    /// Asks for something; answered by one [`DaemonMessage::Reply`] or [`DaemonMessage::Failed`] with the same `id`.
    Request {
        /// Chosen by the client, unique while unanswered.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        id: u64,
        /// What it asks.
        request: Request,
    },
}

/// From the daemon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum DaemonMessage {
    /// The answer to a hello that fits.
    Welcome {
        /// What the daemon speaks.
        protocol: ProtocolVersion,
        /// Its version.
        version: String,
        /// Its process id.
        pid: u32,
        /// The person's home directory, to write paths short.
        home: String,
    },
    /// The connection is refused, and closed after this.
    Refused {
        /// Why.
        error: WireError,
        /// What the daemon speaks.
        protocol: ProtocolVersion,
    },
    /// A request was carried out.
    Reply {
        /// The request's id.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        id: u64,
        /// What came of it.
        reply: Box<Reply>,
    },
    /// A request was not carried out.
    Failed {
        /// The request's id.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        id: u64,
        /// Why.
        error: WireError,
    },
    /// Something happened.
    Event {
        /// What.
        event: Box<Event>,
    },
}
