//! `.belfry.toml`: what a repository says of the workspaces that are made of it.

use std::collections::BTreeMap;
use std::path::Path;

use belfry_protocol::workspace::{RunCommand, Warm, WorkspaceRules};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

/// The file's name, in the top of the working tree.
pub const FILE: &str = ".belfry.toml";

/// Longest file that is read, in bytes.
const LONGEST: u64 = 64 << 10;

/// What is wrong with the file, in a sentence with the line where there is one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadRules(String);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    workspace: Workspace,
    #[serde(default)]
    run: BTreeMap<String, String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Workspace {
    setup: Option<String>,
    teardown: Option<String>,
    copy: Vec<String>,
    link: Vec<String>,
    base: Option<String>,
    warm: Option<Warm>,
}

/// What the working tree with that top says; none where it says nothing.
pub fn read(top: &Path) -> Result<Option<WorkspaceRules>, BadRules> {
    match crate::read::text(&top.join(FILE), LONGEST) {
        Ok(text) => parse(&text).map(Some),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(BadRules(error.to_string())),
    }
}

/// What such a file says.
pub fn parse(text: &str) -> Result<WorkspaceRules, BadRules> {
    let file: File = toml::from_str(text).map_err(|error| {
        let line = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        let why = error.message().lines().next().unwrap_or("it is no TOML").to_owned();
        BadRules(line.map_or_else(|| why.clone(), |line| format!("line {line}: {why}")))
    })?;
    let said = |script: Option<String>| script.filter(|script| !script.trim().is_empty());
    let Workspace { setup, teardown, copy, link, base, warm } = file.workspace;
    if let Some(base) = base.as_deref().filter(|base| crate::base::check(base).is_err()) {
        return Err(BadRules(format!("`{}` can be no base", base.escape_debug())));
    }
    let mut run = Vec::new();
    for (name, command) in file.run {
        if name.is_empty() || name.chars().count() > 60 || name.chars().any(char::is_control) {
            return Err(BadRules("a command's name has 1 to 60 visible characters".to_owned()));
        }
        if !command.trim().is_empty() {
            run.push(RunCommand { name, command });
        }
    }
    Ok(WorkspaceRules { setup: said(setup), teardown: said(teardown), run, copy, link, base, warm })
}

/// Whether there is anything in it that would run.
pub fn runs(rules: &WorkspaceRules) -> bool {
    rules.setup.is_some() || rules.teardown.is_some() || !rules.run.is_empty()
}

/// A hash of exactly what would run: scripts and commands with their names, each with its length before it.
pub fn hash(rules: &WorkspaceRules) -> String {
    let mut hasher = Sha256::new();
    let mut add = |what: &str, text: &str| {
        hasher.update((what.len() as u64).to_le_bytes());
        hasher.update(what);
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text);
    };
    for (what, script) in [("setup", &rules.setup), ("teardown", &rules.teardown)] {
        if let Some(script) = script {
            add(what, script);
        }
    }
    for one in &rules.run {
        add("run", &one.name);
        add("command", &one.command);
    }
    hasher.finalize().iter().fold(String::new(), |mut text, byte| {
        use std::fmt::Write as _;
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The project's own rules before those of the repository.
#[must_use]
pub fn merged(own: &WorkspaceRules, brought: &WorkspaceRules) -> WorkspaceRules {
    let first = |own: &Option<String>, brought: &Option<String>| {
        own.clone().filter(|text| !text.trim().is_empty()).or_else(|| brought.clone())
    };
    let both = |own: &[String], brought: &[String]| {
        let mut all = own.to_vec();
        all.extend(brought.iter().filter(|one| !own.contains(one)).cloned());
        all
    };
    let other = |one: &&RunCommand| !own.run.iter().any(|known| known.name == one.name);
    WorkspaceRules {
        setup: first(&own.setup, &brought.setup),
        teardown: first(&own.teardown, &brought.teardown),
        run: own.run.iter().chain(brought.run.iter().filter(other)).cloned().collect(),
        copy: both(&own.copy, &brought.copy),
        link: both(&own.link, &brought.link),
        base: first(&own.base, &brought.base),
        warm: own.warm.or(brought.warm),
    }
}

/// The same without anything that would run.
#[must_use]
pub fn without_scripts(rules: WorkspaceRules) -> WorkspaceRules {
    WorkspaceRules { setup: None, teardown: None, run: Vec::new(), ..rules }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "[workspace]\nsetup = '''\nnpm ci\n'''\nteardown = \"make down\"\ncopy = [\".env*\"]\n\
         link = [\"node_modules\"]\nbase = \"origin/dev\"\nwarm = \"directory\"\n[run]\ndev = \"npm run dev\"\n";

    #[test]
    fn a_file_says_it_all_or_why_not() {
        let rules = parse(WHOLE).expect("rules");
        assert_eq!(rules.setup.as_deref(), Some("npm ci\n"));
        assert_eq!((rules.base.as_deref(), rules.warm), (Some("origin/dev"), Some(Warm::Directory)));
        assert_eq!(rules.run[0].command, "npm run dev");
        assert_eq!(parse(""), Ok(WorkspaceRules::default()));
        for (text, said) in [
            ("[workspace]\nsetpu = 'x'\n", "line 2: unknown field `setpu`"),
            ("[workspace\n", "line 1:"),
            ("\n[run]\ndev = 3\n", "line 3: invalid type"),
            ("[workspace]\nbase = '--upload-pack=x'", "can be no base"),
        ] {
            let error = parse(text).expect_err(text).to_string();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn the_hash_follows_what_runs_and_nothing_else() {
        let rules = parse(WHOLE).expect("rules");
        let other = WorkspaceRules { copy: Vec::new(), base: None, warm: None, ..rules.clone() };
        assert_eq!(hash(&rules), hash(&other));
        let mut changed = rules.clone();
        changed.run[0].command.push(' ');
        assert_ne!(hash(&rules), hash(&changed));
        let moved =
            WorkspaceRules { setup: rules.teardown.clone(), teardown: rules.setup.clone(), ..rules.clone() };
        assert_ne!(hash(&rules), hash(&moved));
        assert!(!runs(&without_scripts(rules)));
    }

    #[test]
    fn the_project_s_own_come_first() {
        let brought = parse(WHOLE).expect("rules");
        let own = WorkspaceRules {
            setup: Some("mine".to_owned()),
            run: vec![RunCommand { name: "dev".to_owned(), command: "mine".to_owned() }],
            copy: vec!["x".to_owned()],
            ..WorkspaceRules::default()
        };
        let both = merged(&own, &brought);
        assert_eq!((both.setup.as_deref(), both.teardown.as_deref()), (Some("mine"), Some("make down")));
        assert_eq!((both.run.len(), both.copy.len(), both.base.as_deref()), (1, 2, Some("origin/dev")));
    }
}
