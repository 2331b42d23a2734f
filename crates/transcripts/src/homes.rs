//! Where each agent keeps its files.

use std::path::PathBuf;

use belfry_agents::transcripts::places;

/// The agents' own directories, as one environment has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Homes {
    /// Claude Code's: `~/.claude`.
    pub claude: Option<PathBuf>,
    /// Codex's: `~/.codex`.
    pub codex: Option<PathBuf>,
    /// OpenCode's database: `~/.local/share/opencode/opencode.db`.
    pub opencode: Option<PathBuf>,
    /// Gemini CLI's: `~/.gemini`.
    pub gemini: Option<PathBuf>,
    /// Directories that Aider may have been used in, of which it keeps no list, and files that it was told to keep its history in.
    pub aider: Vec<PathBuf>,
}

impl Homes {
    /// From an agent's environment; `var` reads a variable of it. No directory for Aider.
    pub fn of(var: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name: &str| {
            var(name).filter(|value| !value.is_empty()).map(PathBuf::from).filter(|path| path.is_absolute())
        };
        let data = set("XDG_DATA_HOME").or_else(|| set("HOME").map(|home| home.join(".local/share")));
        Self {
            claude: places::claude_home(&var),
            codex: places::codex_home(&var),
            opencode: set("OPENCODE_DB").or_else(|| data.map(|data| data.join("opencode/opencode.db"))),
            gemini: set("GEMINI_CLI_HOME").or_else(|| set("HOME")).map(|home| home.join(".gemini")),
            aider: Vec::new(),
        }
    }

    /// The same, with directories that Aider may have been used in, and files of its.
    #[must_use]
    pub fn with_aider(mut self, places: impl IntoIterator<Item = PathBuf>) -> Self {
        self.aider.extend(places);
        self.aider.sort();
        self.aider.dedup();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn homes_follow_the_environment() {
        let homes = Homes::of(|name| (name == "HOME").then(|| "/h".to_owned()));
        assert_eq!(homes.claude, Some("/h/.claude".into()));
        assert_eq!(homes.opencode, Some("/h/.local/share/opencode/opencode.db".into()));
        assert_eq!(homes.gemini, Some("/h/.gemini".into()));
        let homes = Homes::of(|name| Some(format!("/{name}")));
        assert_eq!(homes.codex, Some("/CODEX_HOME".into()));
        assert_eq!(homes.opencode, Some("/OPENCODE_DB".into()));
        assert_eq!(homes.gemini, Some("/GEMINI_CLI_HOME/.gemini".into()));
        assert_eq!(Homes::of(|_| Some("relative".to_owned())), Homes::default());
    }
}
