//! Workspaces that are made ahead: for each repository that its project says it of, one, so that a new session has it at once.
//!
//! [`pool`] knows which there are, [`prepare`] makes one, [`claim`] gives it to a new session and takes it back where nothing was
//! said. Nothing of it outlives the daemon: what the last one left is taken away at the start.

mod claim;
mod limits;
mod pool;
mod prepare;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use belfry_protocol::launch::NewSession;
use belfry_protocol::session::{Project, WorkspaceKind};
use belfry_protocol::workspace::{Warm, WorkspaceRules};
use belfry_protocol::{ProjectId, SessionId, WorkspaceId};
use belfry_workspace::{Repository, rules};
use parking_lot::Mutex;
use tokio::sync::{Notify, oneshot};

use super::make;
use crate::Daemon;
use crate::session::Entry;
use pool::{Made, Pool};

pub(super) use claim::leave;
pub(crate) use claim::{claim, graduate};

/// How long the views of a client that is gone may take to be closed.
const LEFT: Duration = Duration::from_secs(1);

/// What the daemon has of it.
#[derive(Debug, Default)]
pub(crate) struct Warmth {
    pool: Mutex<Pool<PathBuf, Ahead, oneshot::Sender<Ahead>>>,
    /// Taken, and nothing was said yet.
    taken: Mutex<HashMap<SessionId, Taken>>,
    /// Repositories of which somebody has one, or is getting it, that may come back. Changed while the pool is held.
    lent: Mutex<HashSet<PathBuf>>,
    /// How often what failed became possible.
    chances: AtomicU64,
    /// A new session was just made of that repository: it has a place before others.
    asked: Mutex<Option<PathBuf>>,
    /// Held while one is made: one at a time on the whole machine.
    making: tokio::sync::Mutex<()>,
    look: Notify,
}

impl Warmth {
    /// Something has changed that may ask for another one.
    pub(crate) fn look(&self) {
        self.look.notify_one();
    }

    /// What failed before may be possible now.
    pub(crate) fn again(&self) {
        self.chances.fetch_add(1, Ordering::SeqCst);
        self.pool.lock().forgive();
        self.look();
    }

    /// A client is gone that may have taken one.
    pub(crate) fn client_left(&self) {
        if !self.taken.lock().is_empty() {
            self.look();
        }
    }
}

/// What is made ahead of a repository. Where this has changed, what is there is thrown away.
#[derive(Clone, Debug, PartialEq)]
struct Plan {
    project: ProjectId,
    path: PathBuf,
    kind: WorkspaceKind,
    /// The project's own rules.
    own: WorkspaceRules,
    /// The agent and its model, where it is to wait at its prompt.
    agent: Option<(String, Option<String>)>,
}

/// One that was made.
#[derive(Clone, Debug)]
struct Ahead {
    plan: Plan,
    workspace: WorkspaceId,
    /// A setup script has run in it.
    set_up: bool,
    /// The agent that waits in it.
    session: Option<SessionId>,
}

/// One that somebody has and has not said anything to.
#[derive(Clone, Debug)]
struct Taken {
    key: PathBuf,
    ahead: Ahead,
    /// The person gave it a name or a branch: it is not one like any other any more.
    own: bool,
}

/// Keeps one ahead of each repository that is to have it, for as long as the daemon runs.
pub(crate) async fn follow(daemon: Arc<Daemon>) {
    sweep(&daemon).await;
    loop {
        forsaken(&daemon).await;
        keep_ahead(&daemon).await;
        daemon.warmth.look.notified().await;
    }
}

/// Takes away what the last daemon made ahead. Where somebody had taken one the directory stays: its owner may have worked in it.
async fn sweep(daemon: &Arc<Daemon>) {
    for entry in daemon.entries() {
        if entry.record().unspoken {
            end(daemon, &entry).await;
        }
    }
    for row in daemon.workspaces.all().into_iter().filter(|row| row.warm) {
        make::discard(daemon, row.id).await;
    }
}

/// What was taken in a window that is gone is given back.
async fn forsaken(daemon: &Arc<Daemon>) {
    if daemon.has_subscribers() {
        return;
    }
    let taken: Vec<SessionId> = daemon.warmth.taken.lock().keys().copied().collect();
    for id in taken {
        let Some(entry) = daemon.get(id) else { continue };
        let left = prepare::until(&entry, |session| session.views == 0);
        if tokio::time::timeout(LEFT, left).await.is_ok() && !daemon.has_subscribers() {
            claim::give_back(daemon, id).await;
        }
    }
}

async fn keep_ahead(daemon: &Arc<Daemon>) {
    let wanted = wanted(daemon).await;
    let asked = daemon.warmth.asked.lock().take();
    let unwanted: Vec<Ahead> = {
        let mut pool = daemon.warmth.pool.lock();
        let other = |key: &PathBuf, pool: &Pool<_, Ahead, _>| match wanted.get(key) {
            Some(plan) => pool.ready(key).is_some_and(|ahead| ahead.plan != *plan),
            None => true,
        };
        let keys: Vec<PathBuf> = pool.keys().into_iter().filter(|key| other(key, &pool)).collect();
        let evicts = asked.as_ref().is_some_and(|key| wanted.contains_key(key) && !pool.keys().contains(key));
        let evicted = if evicts { pool.oldest_if_full() } else { None };
        keys.iter().chain(&evicted).filter_map(|key| pool.unwanted(key)).collect()
    };
    for ahead in unwanted {
        throw_away(daemon, ahead).await;
    }
    for (key, plan) in wanted {
        let (dir, agent) = (daemon.workspaces_dir(), plan.agent.is_some());
        let refused = tokio::task::spawn_blocking(move || limits::refused(&existing(&dir), agent));
        if let Ok(Some(why)) = refused.await {
            tracing::info!(why, "nothing is made ahead");
            continue;
        }
        let begun = {
            let mut pool = daemon.warmth.pool.lock();
            // The one that somebody has and has not said anything to may come back.
            let lent = daemon.warmth.lent.lock().contains(&key) && asked.as_ref() != Some(&key);
            !lent && pool.begin(&key, daemon.clock.now())
        };
        if begun {
            tokio::spawn(make_one(Arc::clone(daemon), key, plan));
        }
    }
}

/// The nearest directory above that is there.
fn existing(dir: &Path) -> PathBuf {
    dir.ancestors().find(|dir| dir.exists()).unwrap_or(dir).to_owned()
}

/// The repositories that are to have one, by their git directories. The first project of a repository speaks for it.
async fn wanted(daemon: &Arc<Daemon>) -> HashMap<PathBuf, Plan> {
    let mut projects = daemon.tree.lock().await.projects.clone();
    projects.sort_by_key(|project| project.id);
    let looked = tokio::task::spawn_blocking(move || {
        let mut wanted = HashMap::new();
        for project in projects {
            if let Some((key, plan)) = plan(&project) {
                wanted.entry(key).or_insert(plan);
            }
        }
        wanted
    });
    looked.await.unwrap_or_default()
}

/// What a project is to have ahead. Blocks.
fn plan(project: &Project) -> Option<(PathBuf, Plan)> {
    let own = project.defaults.rules.as_deref().cloned().unwrap_or_default();
    let path = PathBuf::from(&project.path);
    let (key, top) = repository(&path)?;
    let brought = || rules::read(&top).ok().flatten().and_then(|brought| brought.warm);
    let agent = match own.warm.or_else(brought).unwrap_or(Warm::Off) {
        Warm::Off => return None,
        Warm::Directory => None,
        Warm::Agent => project.defaults.agent.clone().map(|agent| (agent, project.defaults.model.clone())),
    };
    let kind = match project.defaults.workspace {
        Some(WorkspaceKind::Clone) => WorkspaceKind::Clone,
        _ => WorkspaceKind::Worktree,
    };
    Some((key, Plan { project: project.id, path, kind, own, agent }))
}

/// The git directory of the repository around a directory, by which it is known here, and the top of its working tree. A linked
/// worktree has none of its own. Blocks, and runs no git.
fn repository(directory: &Path) -> Option<(PathBuf, PathBuf)> {
    let repository = Repository::containing(directory).filter(|repository| !repository.linked())?;
    Some((std::fs::canonicalize(&repository.git_dir).ok()?, repository.root))
}

async fn make_one(daemon: Arc<Daemon>, key: PathBuf, plan: Plan) {
    let chances = daemon.warmth.chances.load(Ordering::SeqCst);
    let made = {
        let _one_at_a_time = daemon.warmth.making.lock().await;
        prepare::prepare(&daemon, plan).await
    };
    let now = daemon.clock.now();
    let rest = match made {
        Ok(ahead) => {
            let made = daemon.warmth.pool.lock().made(&key, ahead, now);
            match made {
                Made::Kept => {
                    tracing::info!("a workspace was made ahead");
                    None
                }
                Made::For(waiter, ahead) => waiter
                    .send(ahead)
                    .err()
                    .and_then(|ahead| daemon.warmth.pool.lock().give_back(&key, ahead, now)),
                Made::Unwanted(ahead) => Some(ahead),
            }
        }
        Err(error) => {
            tracing::warn!(%error, "a workspace could not be made ahead");
            // Who waited makes one of their own.
            drop(daemon.warmth.pool.lock().failed(&key, now));
            if daemon.warmth.chances.load(Ordering::SeqCst) != chances {
                // What it failed by has changed while it was made.
                daemon.warmth.again();
            }
            None
        }
    };
    if let Some(ahead) = rest {
        throw_away(&daemon, ahead).await;
        daemon.warmth.look();
    }
}

/// Nobody has worked in it: its agent ends, and it goes.
async fn throw_away(daemon: &Arc<Daemon>, ahead: Ahead) {
    if let Some(entry) = ahead.session.and_then(|id| daemon.get(id)) {
        end(daemon, &entry).await;
    }
    make::discard(daemon, ahead.workspace).await;
}

/// Ends a session that nobody has seen, and forgets it.
async fn end(daemon: &Arc<Daemon>, entry: &Arc<Entry>) {
    prepare::stopped(daemon, entry).await;
    if let Err(error) = crate::trash::remove(daemon, entry).await {
        tracing::warn!(session = %entry.logged(), %error, "what was made ahead cannot be removed");
    }
}

/// Whether a new session is the same as what waits at its prompt, in all that its program was started with.
fn same_launch(plan: &Plan, new: &NewSession) -> bool {
    let Some((agent, model)) = &plan.agent else { return false };
    *agent == new.agent
        && *model == new.model
        && new.system_prompt.is_none()
        && new.args.is_empty()
        && new.env.is_empty()
        // The caller's own environment is another one than the login shell's.
        && new.base_env.is_none()
        && !new.private
}

#[cfg(test)]
mod tests {
    use belfry_protocol::launch::EnvVar;

    use super::*;

    #[test]
    fn an_agent_is_taken_only_where_the_whole_launch_is_the_same() {
        let plan = Plan {
            project: ProjectId::at(1),
            path: "/p".into(),
            kind: WorkspaceKind::Worktree,
            own: WorkspaceRules::default(),
            agent: Some(("claude".to_owned(), Some("best".to_owned()))),
        };
        let same = NewSession {
            agent: "claude".to_owned(),
            model: Some("best".to_owned()),
            prompt: Some("fix it".to_owned()),
            name: Some("fix".to_owned()),
            ..NewSession::default()
        };
        assert!(same_launch(&plan, &same));
        let text = || Some("x".to_owned());
        let variable = EnvVar { name: "A".to_owned(), value: "1".to_owned() };
        for other in [
            NewSession { agent: "codex".to_owned(), ..same.clone() },
            NewSession { model: None, ..same.clone() },
            NewSession { system_prompt: text(), ..same.clone() },
            NewSession { args: vec!["--x".to_owned()], ..same.clone() },
            NewSession { env: vec![variable], ..same.clone() },
            NewSession { base_env: Some(Vec::new()), ..same.clone() },
            NewSession { private: true, ..same.clone() },
        ] {
            assert!(!same_launch(&plan, &other), "{other:?}");
        }
        assert!(!same_launch(&Plan { agent: None, ..plan }, &same));
    }
}
