//! Scripts that come with a repository, and the trust in them: in one content, told by its hash, and nothing else.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use belfry_protocol::workspace::{Scripts, WorkspaceRules};
use belfry_protocol::{ErrorCode, ProjectId, Reply, WireError};
use belfry_store::TrustedScripts;
use belfry_workspace::{Repository, Source, base, rules, without_credentials};

use super::{Outcome, make, setup};
use crate::{Daemon, clock, places};

/// What a directory's workspace goes by.
#[derive(Clone, Debug, Default)]
#[expect(
    clippy::struct_field_names,
    reason = "they are the protocol's rules, beside what else is known of them"
)]
pub(crate) struct Rules {
    /// The project's own before the repository's; of the repository's scripts only what is trusted.
    pub(crate) rules: WorkspaceRules,
    /// The repository brings scripts that are not trusted, and that the project has none of its own for.
    pub(crate) untrusted: bool,
    /// What is wrong with the repository's file.
    pub(crate) error: Option<String>,
}

/// What holds in a directory: the project's own rules, and those of the repository that it lies in.
pub(crate) async fn rules_of(daemon: &Arc<Daemon>, directory: &Path, project: Option<ProjectId>) -> Rules {
    let own = make::own_rules(daemon, project).await;
    let Ok(brought) = found(daemon, directory).await else {
        return Rules { rules: own, ..Rules::default() };
    };
    let Scripts { rules: brought, trusted, error, .. } = brought;
    let untrusted = !trusted && rules::runs(&brought);
    let setup_waits = untrusted && brought.setup.is_some() && own.setup.is_none();
    let brought = if untrusted { rules::without_scripts(brought) } else { brought };
    Rules { rules: rules::merged(&own, &brought), untrusted: setup_waits, error }
}

/// What to do where scripts have not been trusted: in that directory, as its content is not that of another.
pub(super) fn how_to_trust(directory: &str) -> String {
    let plain = directory.chars().all(|letter| letter.is_alphanumeric() || "/._-+@".contains(letter));
    let word = if plain { directory.to_owned() } else { format!("'{}'", directory.replace('\'', r"'\''")) };
    format!("read them and say so: `belfry trust {word}`")
}

pub(super) async fn show(daemon: &Arc<Daemon>, directory: &str) -> Outcome {
    Ok(Reply::Scripts(Box::new(found(daemon, &absolute(daemon, directory)?).await?)))
}

pub(super) async fn trust(daemon: &Arc<Daemon>, directory: &str, hash: &str) -> Outcome {
    let directory = absolute(daemon, directory)?;
    let scripts = found(daemon, &directory).await?;
    if let Some(error) = scripts.error {
        return Err(WireError::new(
            ErrorCode::BadRequest,
            format!("`{}` cannot be read: {error}", rules::FILE),
        ));
    }
    if scripts.hash != hash {
        let error = WireError::new(ErrorCode::Changed, "the scripts have changed since they were shown");
        return Err(error.next("read them again"));
    }
    let keys = keys(daemon, &directory).await?;
    let (content, trusted_at) = (scripts.rules, clock::wall());
    let hash = scripts.hash.clone();
    let kept = daemon.store.call(move |store| {
        keys.into_iter().try_for_each(|repository| {
            let (hash, content) = (hash.clone(), content.clone());
            store.trust_scripts(&TrustedScripts { repository, hash, content, trusted_at })
        })
    });
    kept.await.map_err(|error| WireError::new(error.code(), format!("the trust cannot be kept: {error}")))?;
    setup::trusted(daemon).await;
    daemon.warmth.again();
    Ok(Reply::Done)
}

fn absolute(daemon: &Daemon, typed: &str) -> Result<PathBuf, WireError> {
    places::absolute(typed, &daemon.person_home).ok_or_else(|| {
        WireError::new(ErrorCode::BadDirectory, format!("`{}` is not an absolute path", typed.escape_debug()))
    })
}

/// The scripts of a directory's repository, as they are there now.
async fn found(daemon: &Arc<Daemon>, directory: &Path) -> Result<Scripts, WireError> {
    let keys = keys(daemon, directory).await?;
    let at = directory.to_owned();
    let read = places::looked_at(move || {
        let top = Repository::containing(&at).map_or(at, |repository| repository.root);
        rules::read(&top)
    });
    let read =
        read.await.ok_or_else(|| WireError::new(ErrorCode::BadDirectory, "the directory does not answer"))?;
    let repository = keys[0].clone();
    let rules = match read {
        Ok(rules) => rules.unwrap_or_default(),
        Err(error) => {
            return Ok(Scripts { repository, error: Some(error.to_string()), ..Scripts::default() });
        }
    };
    let hash = rules::hash(&rules);
    let looked_up = hash.clone();
    let known = daemon.store.call(move |store| {
        let mut before: Option<TrustedScripts> = None;
        for repository in &keys {
            if store.scripts_are_trusted(repository, &looked_up)? {
                return Ok((true, None));
            }
            let newest = store.newest_trusted_scripts(repository)?;
            before = before.into_iter().chain(newest).max_by_key(|trusted| trusted.trusted_at);
        }
        Ok((false, before.map(|trusted| trusted.content)))
    });
    let (known, before) = known
        .await
        .map_err(|error| WireError::new(error.code(), format!("what is trusted cannot be read: {error}")))?;
    let trusted = known || !rules::runs(&rules);
    Ok(Scripts { repository, rules, hash, trusted, before, error: None })
}

/// What trust in a directory's scripts is given to: its repository's main checkout, and its remote's address, by which a clone
/// of it is known. One of the two is enough: what is trusted is a content that the person has read.
async fn keys(daemon: &Arc<Daemon>, directory: &Path) -> Result<Vec<String>, WireError> {
    let row = daemon.workspaces.around(directory);
    let git = make::git(daemon, None).await;
    let directory = directory.to_owned();
    let asked = tokio::task::spawn_blocking(move || {
        let source = Source::of(&git, &directory).map_err(|error| error.wire())?;
        let mut keys = vec![source.main.display().to_string()];
        if let Some(repository) = row.and_then(|row| row.repository) {
            keys.push(repository);
        }
        let remote = base::default_remote(&git, &source).ok().flatten();
        let address = remote.and_then(|remote| base::address(&git, &source, &remote));
        keys.extend(address.map(|address| without_credentials(&address)));
        keys.dedup();
        Ok(keys)
    });
    asked.await.map_err(|error| WireError::new(ErrorCode::Internal, error.to_string()))?
}
