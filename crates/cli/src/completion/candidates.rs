//! The words that can stand at a place.

use belfry_protocol::session::Project;
use belfry_protocol::workspace::{Workspace, WorkspaceState};
use belfry_protocol::{Session, SessionId};

use super::place::Wanted;
use crate::commands::Tree;
use crate::print::{brief, doing, is_hostile, plain, shape};

/// A word, and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub word: String,
    pub about: String,
}

/// More of a description is not read beside a word.
const MOST: usize = 60;

pub(crate) fn of(wanted: &Wanted, sessions: &[Session], tree: &Tree, prefix: &str) -> Vec<Candidate> {
    match wanted {
        Wanted::Session { command } => {
            let fitting = sessions.iter().filter(|session| fits(session, command, sessions));
            let sessions = fitting.filter_map(|session| candidate(session, sessions, prefix));
            // Where a word of its own may stand in the session's place.
            words(command).filter(|it| it.word.starts_with(prefix)).chain(sessions).collect()
        }
        // They are asked for apart.
        Wanted::Workspace { .. } => Vec::new(),
        Wanted::Project => projects(tree, prefix),
        Wanted::Group { project } => groups(tree, project, prefix),
        Wanted::Choice { session } => choices(sessions, session, prefix),
    }
}

/// Workspaces that a command of `belfry worktree` can do something with, by their paths and ids.
pub(crate) fn workspaces(command: &str, all: &[Workspace], prefix: &str) -> Vec<Candidate> {
    let removed = |one: &Workspace| matches!(one.state, WorkspaceState::Removed { .. });
    let fitting = all.iter().filter(|one| one.id.is_some() && removed(one) == (command == "restore"));
    let candidates = fitting.filter_map(|one| {
        let id = one.id?.to_string();
        let branch = one.branch.as_deref().unwrap_or_default();
        let by_path = prefix.starts_with('/') && one.path.starts_with(prefix) && typeable(&one.path);
        let (word, about) = if by_path { (one.path.clone(), branch) } else { (id, one.path.as_str()) };
        Some(Candidate { word, about: brief(about, MOST) })
    });
    candidates.filter(|candidate| candidate.word.starts_with(prefix)).collect()
}

/// The words of a command that takes either them or a session.
fn words(command: &str) -> impl Iterator<Item = Candidate> {
    let words: &[(&str, &str)] = match command {
        "pr" => &[
            ("create", "push, and make one"),
            ("merge", "merge it"),
            ("send", "to the agent, what was found"),
        ],
        _ => &[],
    };
    words.iter().map(|(word, about)| Candidate { word: (*word).to_owned(), about: (*about).to_owned() })
}

/// Whether a shell can be given it as a word.
fn typeable(word: &str) -> bool {
    !word.is_empty() && !word.starts_with('-') && word.trim() == word && !word.contains(is_hostile)
}

fn projects(tree: &Tree, prefix: &str) -> Vec<Candidate> {
    let alone = |name: &str| tree.projects.iter().filter(|other| other.name == name).count() == 1;
    let word = |project: &Project| {
        let name = project.name.clone();
        if alone(&name) && typeable(&name) { name } else { project.id.to_string() }
    };
    let candidates = tree.projects.iter().map(|project| {
        let about = if word(project) == project.name {
            brief(&project.path, MOST)
        } else {
            brief(&format!("{} ({})", project.name, project.path), MOST)
        };
        Candidate { word: word(project), about }
    });
    candidates.filter(|candidate| candidate.word.starts_with(prefix)).collect()
}

fn groups(tree: &Tree, project: &str, prefix: &str) -> Vec<Candidate> {
    let Ok(project) = tree.project(project) else { return Vec::new() };
    let groups = tree.groups.iter().filter(|group| group.project == project.id);
    let candidates = groups.map(|group| Candidate {
        word: tree.path(group),
        about: format!("group in {}", brief(&project.name, MOST)),
    });
    candidates.filter(|candidate| candidate.word.starts_with(prefix) && typeable(&candidate.word)).collect()
}

/// Whether the command can do something with the session.
fn fits(session: &Session, command: &str, all: &[Session]) -> bool {
    let trashed = session.trashed_at.is_some();
    match command {
        "restore" => trashed,
        "run" => !trashed && session.runs_for.is_none(),
        "restart" | "resume" => !trashed && !session.alive(),
        "attach" | "kill" | "keys" | "wait" | "hibernate" | "top" => session.alive(),
        "send" => session.alive() || session.hibernated(),
        "answer" => session.ask.is_some() || (session.alive() && all.iter().all(|one| one.ask.is_none())),
        _ => !trashed,
    }
}

/// The session by its name where that means it and nothing else, or by its id.
fn candidate(session: &Session, all: &[Session], prefix: &str) -> Option<Candidate> {
    let id = session.id.to_string();
    let doing = doing(session);
    let doing = if doing.is_empty() { String::new() } else { format!(", {doing}") };
    let about = format!("{}{doing}", shape(session).1);
    if names(session, all) && session.name.starts_with(prefix) {
        return Some(Candidate { word: session.name.clone(), about: brief(&about, MOST) });
    }
    let by_id = id.starts_with(&prefix.to_ascii_lowercase());
    // Without a beginning every session is there once: by its name, if it can be.
    if !by_id || (prefix.is_empty() && names(session, all)) {
        return None;
    }
    Some(Candidate { word: id, about: brief(&format!("{}: {about}", plain(&session.name)), MOST) })
}

/// Whether a name can be typed, and means this session alone.
fn names(session: &Session, all: &[Session]) -> bool {
    let name = session.name.as_str();
    let alone = all.iter().filter(|other| other.name == name).count() == 1;
    alone && typeable(name) && name.parse::<SessionId>().is_err()
}

fn choices(sessions: &[Session], session: &str, prefix: &str) -> Vec<Candidate> {
    let mut found =
        sessions.iter().filter(|one| one.name == session || one.id.to_string().starts_with(session));
    let (Some(one), None) = (found.next(), found.next()) else { return Vec::new() };
    let choices = one.ask.iter().flat_map(|ask| &ask.choices);
    choices
        .filter(|choice| choice.key.starts_with(prefix) && typeable(&choice.key))
        .map(|choice| Candidate { word: choice.key.clone(), about: brief(&choice.label, MOST) })
        .collect()
}

#[cfg(test)]
mod tests;
