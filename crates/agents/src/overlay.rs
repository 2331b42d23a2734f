//! Parts of a file that differ between versions of the agent.

use serde::Deserialize;

use crate::screen::ScreenRules;
use crate::sign::SignRule;
use crate::trust::TrustTable;
use crate::user_defined::merged;

/// What is watched of an agent: the parts of its file that a `[[versions]]` can change.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Watched {
    pub(crate) screen: ScreenRules,
    pub(crate) sign: Vec<SignRule>,
    pub(crate) trust: TrustTable,
}

/// One `[[versions]]` of a file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Overlay {
    /// The first version that it is for; without it, all below `below`.
    from: Option<String>,
    /// The first version that it is no longer for.
    below: Option<String>,
    #[serde(rename = "screen")]
    _screen: ScreenRules,
    #[serde(rename = "sign")]
    _sign: Vec<SignRule>,
    #[serde(rename = "trust")]
    _trust: TrustTable,
}

/// What is watched of an agent, in all versions.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByVersion {
    any: Watched,
    some: Vec<(Overlay, Watched)>,
}

/// The parts that a version can change.
const PARTS: [&str; 3] = ["screen", "sign", "trust"];

impl ByVersion {
    /// From a whole file.
    pub(crate) fn of(file: &toml::Table) -> Result<Self, toml::de::Error> {
        let parts = |table: &toml::Table| -> toml::Table {
            let own = table.iter().filter(|(key, _)| PARTS.contains(&key.as_str()));
            own.map(|(key, value)| (key.clone(), value.clone())).collect()
        };
        let base = parts(file);
        let overlays = file.get("versions").and_then(toml::Value::as_array).into_iter().flatten();
        let some = overlays.filter_map(toml::Value::as_table).map(|overlay| {
            let range = overlay.clone().try_into()?;
            let watched = merged(base.clone(), parts(overlay)).try_into()?;
            Ok((range, watched))
        });
        Ok(Self { some: some.collect::<Result<_, _>>()?, any: base.try_into()? })
    }

    /// What is watched of a version: the first range that holds it is laid over the file. An unknown version is taken for
    /// one that no range holds.
    pub(crate) fn of_version(&self, version: Option<&str>) -> &Watched {
        let held = version.and_then(|version| self.some.iter().find(|(range, _)| range.holds(version)));
        held.map_or(&self.any, |(_, watched)| watched)
    }
}

impl Overlay {
    fn holds(&self, version: &str) -> bool {
        self.from.as_deref().is_none_or(|from| number(version) >= number(from))
            && self.below.as_deref().is_none_or(|below| number(version) < number(below))
    }
}

/// A version's numbers; what follows them does not count.
pub(crate) fn number(version: &str) -> Vec<u64> {
    let numbers = version.trim_start_matches('v').split(['.', '-', '+']);
    numbers.map_while(|part| part.parse().ok()).collect()
}
