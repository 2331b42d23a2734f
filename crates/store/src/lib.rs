//! The database: what Belfry remembers, in SQLite.
//!
//! One process opens it, the daemon, which holds the lock of its home; [`StoreThread`] gives it one thread that owns the
//! [`Store`]. A change is on the disk when the call that made it returns. What terminals print is not in here (that is the
//! journal), and nothing of a private session is: [`Store::save_session`] passes those over.
//!
//! A database that cannot be trusted any more is set aside and never deleted; what can still be read of it is taken over,
//! and the daemon adds the sessions that the runs' own `meta.json` files tell of, with [`Store::rebuild_from`].

mod aside;
mod asks;
mod conversations;
mod defaults;
mod error;
mod history;
mod messages;
mod migrate;
mod notice;
mod notifications;
mod places;
mod rows;
mod runs;
mod salvage;
mod sessions;
mod settings;
mod store;
mod thread;
mod workspaces;

pub use asks::ClosedAsk;
pub use belfry_protocol::ask::AskOutcome;
pub use conversations::LearntConversation;
pub use error::StoreError;
pub use history::{Happening, KEPT as HISTORY_KEPT};
pub use messages::StoredMessage;
pub use notice::Notice;
pub use notifications::{KEPT as NOTIFICATIONS_KEPT, StoredNotification};
pub use store::{Opened, Store, sqlite_version};
pub use thread::{StoreHandle, StoreThread};
pub use workspaces::{StoredWorkspace, TrustedScripts};

/// The outcome of anything here.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;
