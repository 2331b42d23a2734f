//! A session like another.

use std::sync::Arc;

use belfry_protocol::launch::{EnvVar, NewSession, Size};
use belfry_protocol::session::WorkspaceKind;
use belfry_protocol::{ErrorCode, WireError};

use super::again::asked_for;
use super::name::LONGEST;
use super::new::new_session;
use crate::Daemon;
use crate::session::Entry;

/// Starts a session like another: all that was asked for but its first prompt, which would do its work twice. The
/// conversation is the agent's and is not taken along.
pub(crate) async fn duplicate(
    daemon: &Arc<Daemon>,
    entry: &Arc<Entry>,
    base_env: Option<Vec<EnvVar>>,
) -> Result<Arc<Entry>, WireError> {
    new_session(daemon, like(daemon, entry, base_env)?).await
}

/// What a session like that one is started with.
pub(crate) fn like(
    daemon: &Daemon,
    entry: &Entry,
    base_env: Option<Vec<EnvVar>>,
) -> Result<NewSession, WireError> {
    let like = entry.session();
    if like.workspace != WorkspaceKind::Directory {
        let error = WireError::new(
            ErrorCode::Unsupported,
            "a session in a worktree or clone cannot be duplicated yet",
        );
        return Err(error.next("start one in its directory"));
    }
    Ok(NewSession {
        agent: like.agent.clone(),
        // Where it was started, also if the person said nothing and home is another by now.
        cwd: Some(like.cwd.clone()),
        name: Some(free_name(daemon, &like.name)),
        project: like.project,
        group: like.group,
        prompt: None,
        base_env,
        size: Some(Size { cols: like.cols, rows: like.rows }),
        private: like.private,
        started_by: None,
        ..asked_for(daemon, entry, &like)
    })
}

/// The name with the next number after it that no session has.
fn free_name(daemon: &Daemon, name: &str) -> String {
    let taken: Vec<String> = daemon.entries().iter().map(|entry| entry.record().name.clone()).collect();
    next_name(name, |name| taken.iter().any(|taken| taken == name))
}

fn next_name(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let (stem, first) = match name.rsplit_once(' ') {
        Some((stem, number)) => match number.parse::<u32>() {
            // Not `Version 0`, nor a year.
            Ok(number @ 2..1000) => (stem, number + 1),
            _ => (name, 2),
        },
        None => (name, 2),
    };
    let numbered = |number: u32| {
        let end = format!(" {number}");
        let room = LONGEST - end.len();
        let stem: String = stem.chars().take(room).collect();
        stem.trim_end().to_owned() + &end
    };
    (first..u32::MAX).map(numbered).find(|name| !taken(name)).unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_number_that_is_free_is_taken() {
        let taken = ["fix it", "fix it 2", "fix it 4"];
        let next = |name: &str| next_name(name, |name| taken.contains(&name));
        assert_eq!(next("fix it"), "fix it 3");
        assert_eq!(next("fix it 2"), "fix it 3");
        assert_eq!(next("fix it 3"), "fix it 5");
        assert_eq!(next("other"), "other 2");
        assert_eq!(next("plan for 2027"), "plan for 2027 2");
        assert_eq!(next("2"), "2 2");
        let long = "x".repeat(LONGEST);
        assert_eq!(next(&long).chars().count(), LONGEST);
        assert!(next(&long).ends_with("x 2"));
    }
}
