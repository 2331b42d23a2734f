//! The protocol's own version, exchanged before anything else.

use serde::{Deserialize, Serialize};

/// The version that this build speaks.
pub const PROTOCOL: ProtocolVersion = ProtocolVersion { major: 1, minor: 1 };

/// Two sides understand each other when their `major` is equal; `minor` grows with each added field or request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ProtocolVersion {
    /// Changes when an older side could misread a newer one.
    pub major: u16,
    /// Changes when something was added.
    pub minor: u16,
}

impl ProtocolVersion {
    /// Whether a side of this version can talk to one of `other`.
    pub fn understands(self, other: Self) -> bool {
        self.major == other.major
    }
}

impl std::fmt::Display for ProtocolVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}
