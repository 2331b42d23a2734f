//! Making a workspace: first what can be refused at once and where it will be, then the work.

mod place;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use belfry_protocol::launch::EnvVar;
use belfry_protocol::session::WorkspaceKind;
use belfry_protocol::workspace::{WorkspaceRules, WorkspaceState};
use belfry_protocol::{ErrorCode, ProjectId, WireError, WorkspaceId};
use belfry_store::StoredWorkspace;
use belfry_workspace::base::{self, Ask};
use belfry_workspace::branch::{self, Branch};
use belfry_workspace::remove::mark as mark_repository;
use belfry_workspace::{Git, MakeError, MakeResult, Source, Stop, clone, include, rules, scratch, worktree};

use super::scripts;
use crate::Daemon;
use crate::launch::login_environment;

/// How long a remote may take to tell of its newest commits, when a branch is to start there. What was fetched last is good
/// enough where it does not.
const FRESH: Duration = Duration::from_secs(6);

/// What is to be made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    /// How.
    pub(crate) kind: WorkspaceKind,
    /// Any directory of the repository; of a scratch one none is looked at.
    pub(crate) directory: PathBuf,
    /// Its project.
    pub(crate) project: Option<ProjectId>,
    /// A branch's name: one that is there, else a new one.
    pub(crate) branch: Option<String>,
    /// What a new branch is called after, where none is given.
    pub(crate) text: Option<String>,
    /// What a new branch starts from; none: as the project or the remote says.
    pub(crate) base: Option<String>,
    /// The pull request to start from.
    pub(crate) pull_request: Option<u64>,
    /// It is made ahead, for nobody yet.
    pub(crate) warm: bool,
    /// The environment for git and ssh; none: the person's login shell's.
    pub(crate) env: Option<Vec<EnvVar>>,
}

/// A workspace that is about to be made: its place, name and ports are its own.
pub(crate) struct Begun {
    /// What is known of it so far.
    pub(crate) row: StoredWorkspace,
    /// Where in it the directory lies that was meant, relative.
    pub(crate) inside: PathBuf,
    /// Ends the making.
    pub(crate) stop: Stop,
    git: Git,
    of: Of,
    /// The person named the branch.
    named: bool,
    /// The project's own rules.
    own: WorkspaceRules,
    base: Option<String>,
}

/// What a workspace without ports tells.
const NO_PORTS: &str = "it has no ports of its own: all of those in the settings are given (`workspaces.first_port` to `last_port`)";

/// What it is made of.
enum Of {
    /// A branch of a repository.
    Branch(Source, Branch),
    /// Nothing.
    Nothing,
}

/// A workspace that was made.
pub(crate) struct Done {
    /// What is known of it.
    pub(crate) row: StoredWorkspace,
    /// What the person should know of it, in sentences.
    pub(crate) notices: Vec<String>,
    /// The project's rules and those that the repository brings, scripts that are not trusted not among them.
    pub(crate) rules: scripts::Rules,
}

/// Makes a workspace, the whole of it. `step` is told what it is at.
pub(crate) async fn make(
    daemon: &Arc<Daemon>,
    wanted: Wanted,
    step: impl Fn(&str) + Send + Sync + 'static,
) -> Result<Done, WireError> {
    let begun = begin(daemon, wanted).await?;
    finish(daemon, begun, step).await
}

/// The person's own git.
pub(crate) async fn git(daemon: &Daemon, env: Option<Vec<EnvVar>>) -> Git {
    Git::with_env(match env {
        Some(given) => given.into_iter().map(|var| (var.name.into(), var.value.into())).collect(),
        None => login_environment(daemon).await,
    })
}

/// Decides on all of it, and refuses what cannot be. From here on its branch, path and ports are promised to nobody else.
pub(crate) async fn begin(daemon: &Arc<Daemon>, wanted: Wanted) -> Result<Begun, WireError> {
    let git = git(daemon, wanted.env.clone()).await;
    let own = own_rules(daemon, wanted.project).await;
    let chosen = wanted.base.clone().or_else(|| own.base.clone());
    let making = Arc::clone(daemon);
    let asked = tokio::task::spawn_blocking(move || {
        let of = decide(&making, &git, &wanted, chosen.as_deref()).map_err(|error| error.wire())?;
        let (source, branch) = match &of {
            Of::Branch(source, branch) => (Some(source), Some(branch)),
            Of::Nothing => (None, None),
        };
        let row = place::take(&making, &git, &wanted, source, branch)?;
        let inside = source.map(|source| source.inside.clone()).unwrap_or_default();
        let (stop, named) = (Stop::default(), wanted.branch.is_some());
        Ok::<_, WireError>(Begun { row, inside, stop, git, of, named, own, base: chosen })
    });
    let begun = asked.await.map_err(|error| WireError::new(ErrorCode::Internal, error.to_string()))??;
    if let Err(error) = daemon.save_workspace(begun.row.clone()).await {
        let _ = daemon.forget_workspace(begun.row.id).await;
        return Err(error);
    }
    Ok(begun)
}

/// What it is made of. Blocks; asks git on this machine, and no other machine.
fn decide(daemon: &Daemon, git: &Git, wanted: &Wanted, base: Option<&str>) -> MakeResult<Of> {
    if wanted.kind == WorkspaceKind::Scratch {
        return Ok(Of::Nothing);
    }
    let source = Source::of(git, &wanted.directory)?;
    if let Some(base) = base {
        base::check(base)?;
    }
    let promised: Vec<String> = daemon
        .workspaces
        .all()
        .into_iter()
        .filter(|row| row.common_dir.as_ref().is_none_or(|common| *common == source.common_dir))
        .filter_map(|row| row.branch)
        .collect();
    let of = branch::Wanted {
        name: wanted.branch.as_deref(),
        text: wanted.text.as_deref(),
        pull: wanted.pull_request,
    };
    if wanted.kind == WorkspaceKind::Clone {
        let branch = clone::decide(git, &source, &of, &promised)?;
        return Ok(Of::Branch(source, branch));
    }
    let branch = branch::decide(git, &source, &of, &promised)?;
    if matches!(branch, Branch::New(_)) {
        let stop = Stop::default();
        let known = base::resolve(git, &source, base, Ask { limit: None, stop: &stop });
        match known {
            // The remote may have it.
            Err(MakeError::NoBase(_)) if base::default_remote(git, &source)?.is_some() => {}
            other => drop(other?),
        }
    }
    Ok(Of::Branch(source, branch))
}

/// Does the work. Where it fails nothing is left: no directory, no branch, no row. `step` is told what it is at.
pub(crate) async fn finish(
    daemon: &Arc<Daemon>,
    begun: Begun,
    step: impl Fn(&str) + Send + Sync + 'static,
) -> Result<Done, WireError> {
    let id = begun.row.id;
    let project = begun.row.project;
    let making = Arc::clone(daemon);
    let made = tokio::task::spawn_blocking(move || {
        let mut step = |what: &str| {
            making.workspace_is(id, &WorkspaceState::Making { step: what.to_owned() });
            step(what);
        };
        work(&making.caches_dir(), begun, &mut step).map_err(|error| error.wire())
    });
    let made = made.await.map_err(|error| WireError::new(ErrorCode::Internal, error.to_string()));
    let outcome = match made.and_then(|made| made) {
        Ok((row, notices)) => {
            let rules = scripts::rules_of(daemon, &row.path, project).await;
            daemon.save_workspace(row.clone()).await.map(|()| Done { row, notices, rules })
        }
        Err(error) => Err(error),
    };
    if outcome.is_err() {
        let _ = daemon.forget_workspace(id).await;
    }
    outcome
}

/// Blocks.
fn work(
    caches: &Path,
    begun: Begun,
    step: &mut dyn FnMut(&str),
) -> MakeResult<(StoredWorkspace, Vec<String>)> {
    let Begun { mut row, stop, git, of, named, own, base, .. } = begun;
    row.state = WorkspaceState::Ready;
    let Of::Branch(source, branch) = of else {
        let (branch, made) = scratch::make(&git, &row.path)?;
        mark(&git, &row)?;
        row.branch = Some(branch);
        row.base_commit = Some(made.head).filter(|head| !head.is_empty());
        return Ok((row, made.notices));
    };
    let ask = Ask { limit: Some(FRESH), stop: &stop };
    let brought = rules::read(source.at()).ok().flatten().unwrap_or_default();
    let both = rules::merged(&own, &brought);
    let base = base.or(both.base.clone());
    let branch = match branch {
        Branch::New(name) if named => remotes_own(&git, &source, name, ask)?,
        other => other,
    };
    let (branch, base, path) = (&branch, base.as_deref(), row.path.as_path());
    let made = if row.kind == WorkspaceKind::Clone {
        let cloning = clone::Cloning { caches, branch, base, path, ask };
        let made = clone::make(&git, &source, cloning, step)?;
        mark(&git, &row)?;
        made
    } else {
        worktree::make(&git, &source, worktree::Making { branch, base, path, ask }, step)?
    };
    let mut notices = made.notices;
    if row.ports.is_none() {
        notices.push(NO_PORTS.to_owned());
    }
    if let Some(from) = &source.top {
        step("copying");
        let bring = include::Bring { from, to: path, copy: &both.copy, link: &both.link, stop: &stop };
        match include::bring(&git, bring) {
            Ok(more) => notices.extend(more),
            Err(error) => {
                take_away(&git, &row);
                return Err(error);
            }
        }
    }
    row.base = made.base.as_ref().map(|base| base.name.clone());
    row.base_commit = made.base.map(|base| base.commit);
    row.branch = Some(branch.name().to_owned());
    Ok((row, notices))
}

/// The remote's branch of a name that the person gave, where it has one: somebody may have pushed it since anybody fetched.
fn remotes_own(git: &Git, source: &Source, name: String, ask: Ask<'_>) -> MakeResult<Branch> {
    let Some(remote) = base::default_remote(git, source)? else { return Ok(Branch::New(name)) };
    Ok(match base::of_remote(git, source, (&remote, &name), ask)? {
        Some(_) => Branch::Remote { name, remote },
        None => Branch::New(name),
    })
}

/// Leaves in a repository of its own whose it is: without that it is never removed.
fn mark(git: &Git, row: &StoredWorkspace) -> MakeResult<()> {
    mark_repository(&row.path.join(".git"), &row.id.to_string()).map_err(|error| {
        take_away(git, row);
        MakeError::Io { what: "the workspace cannot be marked as Belfry's".to_owned(), error }
    })
}

/// Takes a workspace away in which nobody has worked yet: its directory, the branch that was made for it, and its row.
pub(crate) async fn discard(daemon: &Arc<Daemon>, id: WorkspaceId) {
    let Some(row) = daemon.workspaces.get(id) else { return };
    let git = git(daemon, None).await;
    let gone = tokio::task::spawn_blocking(move || take_away(&git, &row)).await;
    if !matches!(gone, Ok(true)) {
        tracing::warn!("a workspace that is not used is still there");
        return;
    }
    if let Err(error) = daemon.forget_workspace(id).await {
        tracing::warn!(%error, "a workspace that is not used is still known");
    }
}

/// Takes away what the last daemon was making when it ended.
pub(crate) async fn discard_half_made(daemon: &Arc<Daemon>) {
    for row in daemon.workspaces.all() {
        let making = matches!(row.state, WorkspaceState::Making { .. });
        if making && row.made_at < daemon.started_at {
            discard(daemon, row.id).await;
        }
    }
}

/// Whether it is gone. Blocks.
fn take_away(git: &Git, row: &StoredWorkspace) -> bool {
    match (&row.kind, &row.common_dir) {
        (WorkspaceKind::Worktree, Some(common)) => {
            let branch = row.branch.as_deref().filter(|_| row.made_branch);
            worktree::take_away(git, common, &row.path, branch);
        }
        _ => drop(std::fs::remove_dir_all(&row.path)),
    }
    std::fs::symlink_metadata(&row.path).is_err()
}

/// The rules that the person has set for a project.
pub(super) async fn own_rules(daemon: &Daemon, project: Option<ProjectId>) -> WorkspaceRules {
    let tree = daemon.tree.lock().await;
    let project = project.and_then(|id| tree.project(id));
    project.and_then(|project| project.defaults.rules.as_deref()).cloned().unwrap_or_default()
}

/// The directory to work in: where in the repository the person was, if the branch has that.
pub(crate) fn directory_in(path: &Path, inside: &Path) -> PathBuf {
    // Joined with nothing, a path would end in a slash.
    let wanted = Some(inside).filter(|inside| !inside.as_os_str().is_empty()).map(|inside| path.join(inside));
    wanted.filter(|wanted| wanted.is_dir()).unwrap_or_else(|| path.to_owned())
}
