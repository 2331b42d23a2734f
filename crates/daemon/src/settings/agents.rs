//! What the person has set for an agent, at its launch.

use std::path::{Path, PathBuf};

use belfry_agents::{Agent, SearchIn};
use belfry_protocol::agent::AgentInfo;
use belfry_protocol::launch::NewSession;
use belfry_protocol::settings::{AgentSettings, Settings};

/// What is set for one agent.
pub(crate) struct Own<'a> {
    agent: &'a Agent,
    set: Option<&'a AgentSettings>,
}

impl<'a> Own<'a> {
    pub(crate) fn of(settings: &'a Settings, agent: &'a Agent) -> Self {
        Self { agent, set: settings.agents.get(agent.id()) }
    }

    /// Which agent.
    pub(crate) fn agent(&self) -> &'a Agent {
        self.agent
    }

    /// Its program as it is set; none where the usual one is to be looked for.
    pub(crate) fn path(&self, home: &Path) -> Option<PathBuf> {
        let path = self.set?.path.as_deref()?;
        Some(match path.strip_prefix("~/") {
            Some(rest) => home.join(rest),
            None => PathBuf::from(path),
        })
    }

    /// Its program: the one that is set, else one that is found. One that is set and not there is none.
    pub(crate) fn program(&self, search: SearchIn<'_>, home: &Path) -> Option<PathBuf> {
        match self.path(home) {
            Some(path) => Some(path).filter(|path| runs(path)),
            None => self.agent.find(search),
        }
    }

    /// What was asked for, with the arguments that are set before its own.
    pub(crate) fn with_args(&self, new: &NewSession, program: &Path) -> NewSession {
        let mut args = self.set.map(|set| set.args.clone()).unwrap_or_default();
        if self.agent.id() == "shell" && !args.is_empty() {
            // Arguments of a shell's session are a command in its place, which takes none of the shell's.
            let shell = program.to_str().filter(|_| new.args.is_empty());
            args = shell
                .map(|shell| std::iter::once(shell.to_owned()).chain(args).collect())
                .unwrap_or_default();
        }
        args.extend(new.args.iter().cloned());
        NewSession { args, ..new.clone() }
    }

    /// Variables: those that are set, then the session's own.
    pub(crate) fn env(&self, new: &NewSession) -> Vec<(String, String)> {
        let set = self.set.into_iter().flat_map(|set| set.env.clone());
        let own = new.env.iter().map(|variable| (variable.name.clone(), variable.value.clone()));
        set.chain(own).collect()
    }

    /// What clients are told of it, with the program that is set.
    pub(crate) fn correct(
        &self,
        info: &mut AgentInfo,
        home: &Path,
        version: impl FnOnce(&Path) -> Option<String>,
    ) {
        if let Some(path) = self.path(home) {
            let there = runs(&path);
            info.version = version(&path).filter(|_| there);
            info.program = there.then(|| path.display().to_string());
        }
    }
}

fn runs(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

#[cfg(test)]
mod tests {
    use belfry_protocol::launch::EnvVar;

    use super::*;

    #[test]
    fn what_a_session_is_given_comes_after_what_is_set() {
        let (agents, _) = belfry_agents::Agents::with_files(Path::new("/nonexistent"));
        let settings: Settings = toml::from_str(
            "[agents.claude]\npath = '~/c'\nargs = ['-a']\nenv = { A = '1' }\n[agents.shell]\nargs = ['-l']\n",
        )
        .expect("settings");
        let new = NewSession {
            args: vec!["-b".to_owned()],
            env: vec![EnvVar { name: "A".to_owned(), value: "2".to_owned() }],
            ..NewSession::default()
        };
        let own = |id: &str| Own::of(&settings, agents.get(id).expect("an agent"));
        let program = Path::new("/bin/sh");
        assert_eq!(own("claude").path(Path::new("/h")), Some("/h/c".into()));
        assert_eq!(own("claude").with_args(&new, program).args, ["-a", "-b"]);
        let env = own("claude").env(&new);
        assert_eq!(env, [("A".to_owned(), "1".to_owned()), ("A".to_owned(), "2".to_owned())]);
        assert_eq!(own("shell").with_args(&new, program).args, ["-b"], "a command");
        assert_eq!(own("shell").with_args(&NewSession::default(), program).args, ["/bin/sh", "-l"]);
        assert_eq!(own("codex").with_args(&new, program).args, ["-b"]);
    }
}
