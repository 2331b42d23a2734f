//! The variables by which an agent tells its children that they run inside it.
//!
//! A session that is started from within an agent (its shell tool calls `belfry new`) must not inherit them: the new agent
//! would take itself for a child of the old one. What the person configured an agent with stays.

use std::ffi::{OsStr, OsString};
use std::sync::LazyLock;

use crate::agents::BUILT_IN;
use crate::rules::Identity;

/// The part of a file that is about identity.
#[derive(serde::Deserialize)]
struct Part {
    #[serde(default)]
    identity: Identity,
}

static ALL: LazyLock<Vec<Identity>> = LazyLock::new(|| {
    BUILT_IN
        .iter()
        .filter_map(|source| toml::from_str::<Part>(source.rules).ok())
        .map(|part| part.identity)
        .collect()
});

impl Identity {
    fn has(&self, name: &OsStr) -> bool {
        let Some(name) = name.to_str() else { return false };
        self.names.iter().any(|known| known == name)
            || self.prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()))
    }

    fn sets(&self, name: &OsStr, value: &OsStr) -> bool {
        let Some(name) = name.to_str() else { return false };
        self.companions.get(name).is_some_and(|set| value == set.as_str())
            || self.companion_prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()))
    }
}

/// Every name that is known outright, of all built-in agents. [`is_identity_variable`] knows families of names as well.
pub fn identity_variables() -> Vec<String> {
    ALL.iter().flat_map(|identity| identity.names.iter().cloned()).collect()
}

/// Whether a variable says whose child a process is, and is left out of a new session's environment.
pub fn is_identity_variable(name: &str) -> bool {
    ALL.iter().any(|identity| identity.has(OsStr::new(name)))
}

/// Takes out of an environment what an agent put in for its children: the identity variables, and where there was one, what
/// that agent sets beside it for its tools (`NO_COLOR=1`, `PAGER=cat`, git without its configuration).
pub fn scrub(env: &mut Vec<(OsString, OsString)>) {
    let inside: Vec<_> =
        ALL.iter().filter(|identity| env.iter().any(|(name, _)| identity.has(name))).collect();
    env.retain(|(name, value)| {
        !inside.iter().any(|identity| identity.has(name) || identity.sets(name, value))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scrubbed(pairs: &[(&str, &str)]) -> Vec<String> {
        let mut env = pairs.iter().map(|&(name, value)| (name.into(), value.into())).collect();
        scrub(&mut env);
        env.into_iter().map(|(name, _)| name.into_string().unwrap()).collect()
    }

    #[test]
    fn identity_goes_and_configuration_stays() {
        let left = scrubbed(&[
            ("CLAUDECODE", "1"),
            ("CLAUDE_CODE_SESSION_ID", "x"),
            ("AI_AGENT", "claude-code"),
            ("CLAUDE_CONFIG_DIR", "/c"),
            ("CLAUDE_CODE_USE_BEDROCK", "1"),
            ("ANTHROPIC_API_KEY", "k"),
            ("CODEX_HOME", "/h"),
            ("CODEX_API_KEY", "k"),
            ("GEMINI_CLI", "1"),
            ("GEMINI_API_KEY", "k"),
            ("OPENCODE", "1"),
            ("OPENCODE_CONFIG", "/o"),
        ]);
        assert_eq!(
            left,
            [
                "CLAUDE_CONFIG_DIR",
                "CLAUDE_CODE_USE_BEDROCK",
                "ANTHROPIC_API_KEY",
                "CODEX_HOME",
                "CODEX_API_KEY",
                "GEMINI_API_KEY",
                "OPENCODE_CONFIG"
            ]
        );
    }

    #[test]
    fn companions_go_only_with_their_agent_and_their_value() {
        assert_eq!(scrubbed(&[("NO_COLOR", "1"), ("PAGER", "cat")]), ["NO_COLOR", "PAGER"]);
        assert_eq!(scrubbed(&[("CODEX_THREAD_ID", "t"), ("NO_COLOR", "1"), ("PAGER", "less")]), ["PAGER"]);
        assert_eq!(
            scrubbed(&[("GEMINI_CLI", "1"), ("GIT_CONFIG_KEY_3", "x"), ("GIT_DIR", "y")]),
            ["GIT_DIR"]
        );
    }
}
