//! Where a session's branch is shared.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use belfry_protocol::{ErrorCode, WireError};
use belfry_workspace::changes::{ChangeError, Checkout};
use belfry_workspace::fetch_project::Trouble;
use belfry_workspace::forge::{Forge, ForgeError, Kind, Survey, Tool, Tools};
use belfry_workspace::{Git, GitError};

use super::apart;
use crate::Daemon;
use crate::launch::login_environment;
use crate::session::Entry;

/// How long the answer holds which forge a host is: logging in changes it.
const HOLDS: Duration = Duration::from_mins(10);

/// A session's working tree, its branch, and the forge that it is shared at.
pub(super) struct Place {
    pub(super) entry: Arc<Entry>,
    pub(super) checkout: Checkout,
    pub(super) survey: Survey,
    pub(super) tools: Tools,
    /// None where there is no remote, or one that is no forge.
    pub(super) forge: Option<Forge>,
}

impl Place {
    /// Looks at a session's directory.
    pub(super) async fn of(daemon: &Arc<Daemon>, wanted: &str) -> Result<Self, WireError> {
        let entry = daemon.find(wanted)?;
        let (cwd, workspace) = {
            let record = entry.record();
            (PathBuf::from(&record.cwd), record.workspace_id)
        };
        let base = workspace.and_then(|id| daemon.workspaces.get(id)).and_then(|row| row.base);
        let env = login_environment(daemon).await;
        let tools = Tools::with_env(env.clone(), at(daemon));
        let daemon = Arc::clone(daemon);
        apart(move || {
            let checkout = Checkout::containing(&cwd, Git::with_env(env)).ok_or_else(|| {
                let what = format!("{} is in no repository", cwd.display());
                WireError::new(ErrorCode::BadDirectory, what)
            })?;
            let survey = Survey::of(&checkout, base.as_deref()).map_err(|error| refused(&error))?;
            let forge = survey.address.as_deref().and_then(|address| forge_of(&daemon, &tools, address));
            Ok(Self { entry, checkout, survey, tools, forge })
        })
        .await?
    }

    /// The branch and the forge, where there are both.
    pub(super) fn shared(&self) -> Result<(String, Forge), WireError> {
        let no = |what: &str| WireError::new(ErrorCode::Unsupported, what);
        let branch = self.survey.branch.clone().ok_or_else(|| no("no branch is checked out"))?;
        if self.survey.remote.is_none() {
            return Err(no("the repository has no remote"));
        }
        let elsewhere = || {
            no("the repository's remote is at no forge that is known")
                .next("log in to its host with `gh auth login` or `glab auth login`, where it is a GitHub or GitLab")
        };
        Ok((branch, self.forge.clone().ok_or_else(elsewhere)?))
    }
}

/// Where programs run: a directory that is in no repository of the person's.
pub(super) fn at(daemon: &Daemon) -> PathBuf {
    let state = daemon.home.state_dir();
    if state.is_dir() { state.to_owned() } else { Path::new("/").to_owned() }
}

/// The forge of a remote's address. A host that is not known by its name is one that the person is logged in to. Blocks.
pub(super) fn forge_of(daemon: &Daemon, tools: &Tools, address: &str) -> Option<Forge> {
    Forge::of(address, |host| {
        let known = daemon.forges.hosts.lock().get(host).copied();
        if let Some((kind, _)) = known.filter(|(_, at)| at.elapsed() < HOLDS) {
            return kind;
        }
        let found = [(Tool::Gh, Kind::GitHub), (Tool::Glab, Kind::GitLab)]
            .into_iter()
            .find(|(tool, _)| tools.find(*tool).is_some() && tools.logged_in(*tool, host))
            .map(|(_, kind)| kind);
        daemon.forges.hosts.lock().insert(host.to_owned(), (found, Instant::now()));
        found
    })
}

/// A forge's refusal, for the person.
pub(super) fn no(error: &ForgeError) -> WireError {
    let code = match error {
        ForgeError::Missing(_) => ErrorCode::MissingProgram,
        ForgeError::NotFound { .. } => ErrorCode::NotFound,
        _ => ErrorCode::Unsupported,
    };
    let refused = WireError::new(code, error.to_string());
    match error.next() {
        Some(next) => refused.next(next),
        None => refused,
    }
}

/// Git's refusal, for the person.
pub(super) fn refused(error: &ChangeError) -> WireError {
    let ChangeError::Git(git) = error else { return WireError::new(ErrorCode::Git, error.to_string()) };
    let trouble = Trouble::of(git);
    let behind = git.said().is_some_and(|said| {
        ["non-fast-forward", "fetch first", "stale info"].iter().any(|sign| said.contains(sign))
    });
    let said = match git {
        GitError::Failed { said, .. } => format!("git says: {said}"),
        other => other.to_string(),
    };
    if behind {
        let error = WireError::new(
            ErrorCode::Git,
            format!("the remote's branch has commits that are not here; {said}"),
        );
        return error.next("look at them (`git log HEAD..` with the remote's branch), and pull them first");
    }
    match (trouble, trouble.next()) {
        (Trouble::Other, _) | (_, None) => WireError::new(ErrorCode::Git, said),
        (trouble, Some(next)) => WireError::new(ErrorCode::Git, format!("{trouble}; {said}")).next(next),
    }
}
