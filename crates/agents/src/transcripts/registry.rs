//! Claude Code's list of live sessions: one JSON object a process, rewritten in place.

use belfry_protocol::Says;
use serde::Deserialize;

use crate::told::{Subagents, Told, cut};

/// One process's own word of its session.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RegistryEntry {
    /// Its process.
    pub pid: u32,
    /// When that process started, as the system counts it: a later process of the same id has another.
    #[serde(default)]
    pub proc_start: String,
    /// The conversation.
    pub session_id: String,
    /// The directory that its transcript is filed under.
    pub cwd: String,
    /// `interactive`, or something without a terminal.
    #[serde(default)]
    pub kind: Option<String>,
    #[serde(default)]
    status: String,
    #[serde(default)]
    waiting_for: Option<String>,
    #[serde(default)]
    status_updated_at: Option<u64>,
}

/// Reads such a file. None where it is half written or none of this kind. Measured with 2.1.197 and 2.1.332.
pub fn registry(bytes: &[u8]) -> Option<RegistryEntry> {
    serde_json::from_slice(bytes).ok()
}

impl RegistryEntry {
    /// Whether it is about a session with a terminal.
    pub fn interactive(&self) -> bool {
        self.kind.as_deref().is_none_or(|kind| kind == "interactive")
    }

    /// What it says.
    pub fn told(&self) -> Told {
        let what = match &self.waiting_for {
            Some(what) => format!("{}: {}", cut(&self.status, 20), cut(what, 40)),
            None => cut(&self.status, 20),
        };
        let mut told = match self.status.as_str() {
            "idle" => Told::new(Some(Says::Idle), what),
            "busy" => Told::new(Some(Says::Working), what),
            "waiting" => {
                let asks = self.waiting_for.as_deref().unwrap_or_default();
                let told = Told::new(Some(Says::Asking), what);
                if asks.is_empty() { told } else { told.because(cut(asks, 80)) }
            }
            // The turn is over, and a shell goes on in the background. Their number it does not say.
            "shell" => Told { background: Some(1), ..Told::new(Some(Says::Idle), what) },
            // A word of a later version.
            _ => Told::new(None, what),
        };
        if self.status == "idle" {
            told.background = Some(0);
            told.subagents = Subagents::Gone;
            told = told.over();
        }
        told.conversation = Some(self.session_id.clone()).filter(|id| !id.is_empty() && id.len() <= 128);
        told.at_ms = self.status_updated_at;
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = r#"{"pid":4711,"sessionId":"S","cwd":"/p","startedAt":1,"procStart":"68425","version":"2.1.332",
        "kind":"interactive","status":"waiting","waitingFor":"permission prompt","statusUpdatedAt":1795960536956}"#;

    #[test]
    fn statuses() {
        let entry = registry(WHOLE.as_bytes()).unwrap();
        let told = entry.told();
        assert_eq!((told.says, told.reason.as_deref()), (Some(Says::Asking), Some("permission prompt")));
        assert_eq!((told.conversation.as_deref(), told.at_ms), (Some("S"), Some(1_795_960_536_956)));
        for (status, says, background) in [
            ("idle", Some(Says::Idle), Some(0)),
            ("busy", Some(Says::Working), None),
            ("shell", Some(Says::Idle), Some(1)),
            ("dancing", None, None),
        ] {
            let told =
                registry(WHOLE.replace("\"waiting\"", &format!("{status:?}")).as_bytes()).unwrap().told();
            assert_eq!((told.says, told.background), (says, background), "{status}");
        }
        assert!(entry.interactive());
        assert!(!registry(WHOLE.replace("interactive", "bg").as_bytes()).unwrap().interactive());
    }

    #[test]
    fn what_is_half_there_is_nothing() {
        for end in 0..WHOLE.len() {
            assert_eq!(registry(&WHOLE.as_bytes()[..end]), None, "{end}");
        }
        assert_eq!(registry(br#"{"pid":-1,"sessionId":"S","cwd":"/p"}"#), None);
        assert_eq!(registry(br"[]"), None);
    }
}
