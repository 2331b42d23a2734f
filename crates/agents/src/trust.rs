//! How far each source of an agent is to be trusted.

use belfry_protocol::signal::Source;
use serde::Deserialize;
use std::collections::BTreeMap;

/// How far a source is to be trusted.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Trust {
    /// Its place: 1 comes first. 0 in a file means that this version does not have it.
    pub rank: u8,
    /// How long what it said stays true, in milliseconds; none is until it says something else.
    #[serde(default)]
    pub keeps_ms: Option<u64>,
    /// How late it may be, in milliseconds.
    #[serde(default)]
    pub lag_ms: u64,
    /// While the agent works it says so again at least this often, in milliseconds; none for a source that speaks at
    /// changes only.
    #[serde(default)]
    pub repeats_ms: Option<u64>,
    /// Which open questions it tells of; none is as for any source of its kind.
    #[serde(default)]
    pub questions: Option<Questions>,
    /// It says exactly what it means, and is not guessed from a picture.
    #[serde(default)]
    pub structured: Option<bool>,
}

/// Which open questions a source tells of: whether its word that the agent is idle rules them out.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Questions {
    /// None: at a question it says the same as at the prompt.
    None,
    /// Most.
    Most,
    /// Each.
    All,
}

impl Trust {
    /// Whether a source says exactly what it means: where the file does not say, by what the source is.
    pub fn is_structured(&self, source: Source) -> bool {
        self.structured.unwrap_or(matches!(
            source,
            Source::Process
                | Source::Program
                | Source::Registry
                | Source::Api
                | Source::Hook
                | Source::Transcript
                | Source::Title
                | Source::Modes
                | Source::Shell
        ))
    }
}

/// A `[trust]` section.
pub(crate) type TrustTable = BTreeMap<Source, Trust>;

/// Its sources by rank; for an agent that has no section, those that any program has.
pub(crate) fn by_rank(table: &TrustTable) -> Vec<(Source, Trust)> {
    let mut ranks: Vec<(Source, Trust)> = table.iter().map(|(source, trust)| (*source, *trust)).collect();
    ranks.retain(|(_, trust)| trust.rank > 0);
    if ranks.is_empty() {
        let any = |rank, keeps_ms| Trust {
            rank,
            keeps_ms,
            lag_ms: 0,
            repeats_ms: None,
            questions: None,
            structured: None,
        };
        ranks = vec![
            (Source::Screen, any(1, None)),
            (Source::Shell, any(2, None)),
            (Source::Foreground, any(3, None)),
            (Source::Output, any(4, Some(2000))),
        ];
    }
    ranks.sort_by_key(|(_, trust)| trust.rank);
    ranks
}
