//! Identifiers. The durable ones are UUIDv7, so that they sort by creation; the ones of a connection are small numbers.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! durable_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "string"))]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            /// A new id made from the given time, in milliseconds since the Unix epoch, and random bits.
            pub fn at(unix_millis: u64) -> Self {
                let seconds = unix_millis / 1000;
                let nanos = (unix_millis % 1000) as u32 * 1_000_000;
                Self(Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, seconds, nanos)))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}", self.0.hyphenated())
            }
        }

        impl std::str::FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::parse_str(text).map(Self)
            }
        }
    };
}

durable_id!(
    /// One terminal with a program in it, and Belfry's durable record of it.
    SessionId
);
durable_id!(
    /// One life of a session's program: one keeper, one PTY.
    RunId
);
durable_id!(
    /// A directory with defaults for new sessions.
    ProjectId
);
durable_id!(
    /// A folder of sessions inside a project.
    GroupId
);
durable_id!(
    /// A directory that was made for sessions to work in.
    WorkspaceId
);
durable_id!(
    /// A text queued for a session.
    MessageId
);
durable_id!(
    /// A question of a session to the person.
    AskId
);
durable_id!(
    /// Something that called the person.
    NotificationId
);

macro_rules! connection_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "number"))]
        #[serde(transparent)]
        pub struct $name(pub u32);
    };
}

connection_id!(
    /// One client's live look at a session; unique in its connection, chosen by the client.
    ViewId
);
connection_id!(
    /// A stream of [`crate::frame::Frame::Blob`] pieces; unique in its connection, chosen by the client.
    StreamId
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_one_millisecond_differ_and_sort_by_it() {
        let made: std::collections::BTreeSet<_> =
            (0..1000).map(|_| ProjectId::at(1_800_000_000_123)).collect();
        assert_eq!(made.len(), 1000);
        assert!(made.iter().all(|id| *id < ProjectId::at(1_800_000_000_124)));
    }
}
