//! Why a forge gave nothing.

use super::tool::Tool;

/// Why a forge gave nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForgeError {
    /// There is no program for this kind of forge.
    #[error("no program speaks with this forge")]
    NoProgram,
    /// Its program is not on this machine.
    #[error("`{0}` is not on this machine")]
    Missing(Tool),
    /// The person has not logged in with it, or not any more.
    #[error("`{tool}` is not logged in to {host}")]
    LoggedOut {
        /// Which program.
        tool: Tool,
        /// To which host.
        host: String,
    },
    /// The forge answers no more requests for a while.
    #[error("{host} answers no more requests for a while: its limit for you is reached")]
    Limited {
        /// Which host.
        host: String,
    },
    /// The forge cannot be reached.
    #[error("{host} cannot be reached")]
    Network {
        /// Which host.
        host: String,
    },
    /// It has no such repository, or does not show it to the person.
    #[error("{host} has no such repository, or you may not see it")]
    NotFound {
        /// Which host.
        host: String,
    },
    /// It took too long.
    #[error("`{0}` did not answer in time")]
    Late(Tool),
    /// It refused, in its own words.
    #[error("{0}")]
    Refused(String),
    /// It answered with something that cannot be understood.
    #[error("`{tool}` answered with something that cannot be understood ({what})")]
    Garbled {
        /// Which program.
        tool: Tool,
        /// What was missing.
        what: String,
    },
}

impl ForgeError {
    /// What the person can do about it.
    pub fn next(&self) -> Option<String> {
        match self {
            Self::LoggedOut { tool, host } => Some(format!("`{tool} auth login --hostname {host}` logs in")),
            Self::Missing(tool) => Some(format!("install `{tool}` and log in with it, or use the web page")),
            Self::Limited { .. } => Some("try again in an hour; Belfry asks less until then".to_owned()),
            Self::Network { .. } => Some("check the network, a proxy or a VPN, and try again".to_owned()),
            Self::NotFound { .. } => {
                Some("check the remote's address, and with which account you are logged in".to_owned())
            }
            _ => None,
        }
    }
}
