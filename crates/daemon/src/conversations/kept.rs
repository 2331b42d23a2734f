//! Whether an agent still has what it kept of a conversation. Only looked at, before anything is started.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use std::sync::Arc;

use belfry_agents::Agent;
use belfry_agents::transcripts::places;
use belfry_protocol::SessionId;
use belfry_protocol::launch::{EnvVar, NewSession};
use belfry_transcripts::{Budget, Found, Homes, Reader};

use crate::Daemon;
use crate::launch::{self, Environment};
use crate::places::looked_at;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// It is there, as far as can be told: some agents' databases are not looked into.
    There,
    /// The agent files it under another directory than the one in which it is to go on, and does not find it from here.
    OfAnotherDirectory(PathBuf),
    /// It is not where the agent keeps such things.
    Nowhere(PathBuf),
}

/// Bytes of a transcript in which its directory is looked for.
const HEAD: u64 = 1024 * 1024;

/// The transcript of a conversation, where its agent keeps one that can be read.
pub(super) async fn found(
    daemon: &Arc<Daemon>,
    agent: &Agent,
    id: &str,
    base_env: Option<&[EnvVar]>,
) -> Option<Found> {
    let new = NewSession { base_env: base_env.map(<[EnvVar]>::to_vec), ..NewSession::default() };
    let env = launch::surroundings(daemon, agent, &new, Path::new("/"), SessionId::at(0)).await;
    let var = |name: &str| env.iter().find(|(known, _)| known == name)?.1.to_str().map(str::to_owned);
    let mut homes = Homes::of(var);
    if agent.id() == "aider" {
        // Known by its file, whatever that is called.
        return aider_file(id);
    }
    homes.aider.clear();
    let (agent, id) = (agent.id().to_owned(), id.to_owned());
    looked_at(move || belfry_transcripts::find(&agent, &id, &homes)).await.flatten()
}

fn aider_file(id: &str) -> Option<Found> {
    let file = PathBuf::from(id);
    let meta = std::fs::metadata(&file).ok().filter(std::fs::Metadata::is_file)?;
    Some(Found {
        agent: "aider".to_owned(),
        id: id.to_owned(),
        subagent: None,
        place: belfry_transcripts::Place::File(file),
        stamp: belfry_transcripts::Stamp::of(&meta),
        cwd: None,
        named: None,
        titled: None,
    })
}

/// The directory that a conversation belongs to, and what it is called, as far as its beginning tells.
pub(super) async fn about(found: Found) -> (Option<String>, Option<String>) {
    let read = move || {
        let mut reader = Reader::open(&found, None).ok()?;
        let budget = Budget { bytes: HEAD, ..Budget::ALL };
        reader.read(budget, &mut |_| {}).ok()?;
        let summary = reader.summary();
        let cwd = found.cwd.clone().or_else(|| summary.cwd.clone());
        let named = found.named.clone().or_else(|| summary.named.clone());
        let titled = found.titled.clone().or_else(|| summary.titled.clone());
        Some((cwd, named.or(titled).or_else(|| summary.first_prompt.clone())))
    };
    looked_at(read).await.flatten().unwrap_or_default()
}

/// Looks for what an agent kept, as its program would with that environment and in that directory.
pub(super) async fn kept(agent: &str, id: &str, cwd: &Path, env: &Environment) -> Kept {
    let var = |name: &str| env.iter().find(|(known, _)| known == name)?.1.to_str().map(str::to_owned);
    let look: Box<dyn FnOnce() -> Option<Kept> + Send> = match agent {
        "claude" => {
            let (home, id, cwd) = (places::claude_home(var), id.to_owned(), cwd.to_owned());
            Box::new(move || Some(claude(&home?, &id, &cwd)))
        }
        "codex" => {
            let (home, id) = (places::codex_home(var), id.to_owned());
            Box::new(move || Some(codex(&home?, &id)))
        }
        "gemini" => {
            let (home, id) = (var("HOME").map(|home| Path::new(&home).join(".gemini")), id.to_owned());
            Box::new(move || Some(gemini(&home?, &id)))
        }
        "aider" => {
            let file = PathBuf::from(id);
            Box::new(move || Some(if file.is_file() { Kept::There } else { Kept::Nowhere(file) }))
        }
        "opencode" => {
            let (homes, id) = (Homes::of(var), id.to_owned());
            Box::new(move || {
                let place = homes.opencode.clone()?;
                let there = belfry_transcripts::find("opencode", &id, &homes).is_some();
                // A database that cannot be read says nothing.
                Some(if there || !place.is_file() { Kept::There } else { Kept::Nowhere(place) })
            })
        }
        _ => return Kept::There,
    };
    // Where the file system does not answer, the agent itself will say so.
    looked_at(look).await.flatten().unwrap_or(Kept::There)
}

fn entries(dir: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// Claude Code keeps transcripts by directory and looks for one only among those of its own.
fn claude(home: &Path, id: &str, cwd: &Path) -> Kept {
    let projects = home.join("projects");
    // It goes by the real path.
    let real = std::fs::canonicalize(cwd).unwrap_or_else(|_| cwd.to_owned());
    let of = |dir: &Path| places::claude_transcript(&dir.to_string_lossy(), id).map(|file| home.join(file));
    if [real.as_path(), cwd].into_iter().filter_map(of).any(|file| file.is_file()) {
        return Kept::There;
    }
    let name = format!("{id}.jsonl");
    match entries(&projects).map(|folder| folder.join(&name)).find(|file| file.is_file()) {
        Some(file) => Kept::OfAnotherDirectory(file),
        None => Kept::Nowhere(projects),
    }
}

/// Codex keeps them by day.
fn codex(home: &Path, id: &str) -> Kept {
    let end = format!("-{id}.jsonl");
    let is =
        |file: &PathBuf| file.file_name().and_then(OsStr::to_str).is_some_and(|name| name.ends_with(&end));
    let sessions = home.join("sessions");
    let days = entries(&sessions).flat_map(|year| entries(&year).collect::<Vec<_>>());
    let mut files = days
        .flat_map(|month| entries(&month).collect::<Vec<_>>())
        .flat_map(|day| entries(&day).collect::<Vec<_>>());
    let archived = || entries(&home.join("archived_sessions")).any(|file| is(&file));
    if files.any(|file| is(&file)) || archived() { Kept::There } else { Kept::Nowhere(sessions) }
}

/// Gemini CLI keeps them by project, under the beginning of their ids.
fn gemini(home: &Path, id: &str) -> Kept {
    let short: String = id.chars().take(8).collect();
    let is = |file: &PathBuf| {
        let name = file.file_name().and_then(OsStr::to_str).unwrap_or_default();
        name.starts_with("session-") && name.contains(&short)
    };
    let projects = home.join("tmp");
    let mut chats =
        entries(&projects).flat_map(|project| entries(&project.join("chats")).collect::<Vec<_>>());
    if chats.any(|file| is(&file)) { Kept::There } else { Kept::Nowhere(projects) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(root: &Path, name: &str) -> PathBuf {
        let file = root.join(name);
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        std::fs::write(&file, "{}\n").expect("written");
        file
    }

    #[tokio::test]
    #[ntest::timeout(30000)]
    async fn each_agent_is_looked_up_where_it_keeps_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let home = folder.path().canonicalize().expect("a path");
        let cwd = home.join("my project");
        std::fs::create_dir(&cwd).expect("made");
        let env: Environment = vec![("HOME".into(), home.clone().into())];
        let look = |agent: &'static str, id: &'static str| kept(agent, id, &cwd, &env);

        for agent in ["claude", "codex", "gemini"] {
            assert!(matches!(look(agent, "0190-aa").await, Kept::Nowhere(_)), "{agent}");
        }
        let name = cwd.to_string_lossy().replace(['/', ' ', '.'], "-").replace('_', "-");
        put(&home, &format!(".claude/projects/{name}/0190-aa.jsonl"));
        let other = put(&home, ".claude/projects/-elsewhere/0190-bb.jsonl");
        assert_eq!(look("claude", "0190-aa").await, Kept::There);
        assert_eq!(look("claude", "0190-bb").await, Kept::OfAnotherDirectory(other));
        put(&home, ".codex/sessions/2026/11/30/rollout-2026-11-30T01-02-03-0190-aa.jsonl");
        put(&home, ".codex/archived_sessions/rollout-2026-11-30T01-02-03-0190-cc.jsonl");
        assert_eq!(look("codex", "0190-aa").await, Kept::There);
        assert_eq!(look("codex", "0190-cc").await, Kept::There);
        put(&home, ".gemini/tmp/my-project/chats/session-2026-11-30T01-02-12345678.jsonl");
        assert_eq!(look("gemini", "12345678-9abc").await, Kept::There);
        assert_eq!(look("opencode", "ses_1").await, Kept::There, "not looked into");
    }
}
