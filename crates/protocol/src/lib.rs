//! What crosses a socket between Belfry's processes.
//!
//! Two conversations are declared here. A *client* (the window, the command line) talks to the daemon with
//! [`ClientMessage`] and [`DaemonMessage`], carried in [`frame::Frame`]s. The daemon talks to each keeper with the
//! frames of [`keeper`]. Nothing here does I/O, so that every side, and the generated TypeScript, shares one truth.
//!
//! Fields are added, never changed; unknown fields are ignored, and so are unknown events.

pub mod agent;
pub mod ask;
pub mod changes;
pub mod conversation;
pub mod error;
pub mod event;
pub mod explain;
pub mod figures;
pub mod frame;
pub mod history;
pub mod ids;
pub mod keeper;
pub mod launch;
pub mod local;
pub mod message;
pub mod notification;
pub mod pull_request;
pub mod recording;
pub mod reply;
pub mod request;
pub mod search;
pub mod session;
pub mod settings;
pub mod signal;
pub mod transcript;
pub mod usage;
pub mod version;
pub mod workspace;

pub use ask::{Ask, AskKind};
pub use error::{ErrorCode, WireError};
pub use event::Event;
pub use ids::{
    AskId, GroupId, MessageId, NotificationId, ProjectId, RunId, SessionId, StreamId, ViewId, WorkspaceId,
};
pub use message::{ClientMessage, DaemonMessage};
pub use notification::{Notification, NotificationKind};
pub use reply::Reply;
pub use request::Request;
pub use session::{Session, Status};
pub use settings::Settings;
pub use signal::{Says, Source};
pub use version::{PROTOCOL, ProtocolVersion};

#[cfg(all(test, feature = "ts"))]
mod typescript;
