//! Giving what was made ahead to a new session, and taking it back.

use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use belfry_protocol::launch::NewSession;
use belfry_protocol::session::{Session, WorkspaceKind};
use belfry_protocol::workspace::WorkspaceState;
use belfry_protocol::{ErrorCode, Event, MessageId, Reply, SessionId, Status, WireError, WorkspaceId};
use belfry_store::StoredWorkspace;
use belfry_workspace::warm;
use tokio::sync::oneshot;

use super::pool::Claim;
use super::{Ahead, Taken, prepare, repository, same_launch, throw_away};
use crate::launch::{self, Begin, Origin};
use crate::session::{Command, Entry};
use crate::workspaces::{Outcome, make};
use crate::{Daemon, clock, places};

/// A session in what was made ahead; none where there is nothing that fits, and it has to be made.
pub(crate) type Claimed<'a> = Pin<Box<dyn Future<Output = Option<Arc<Entry>>> + Send + 'a>>;

/// Gives what was made ahead of a repository to a new session. Boxed, as it starts sessions itself.
pub(crate) fn claim<'a>(daemon: &'a Arc<Daemon>, new: &'a NewSession, origin: &'a Origin) -> Claimed<'a> {
    Box::pin(async move {
        let fits = matches!(new.workspace, WorkspaceKind::Worktree | WorkspaceKind::Clone)
            && !new.private
            && new.pull_request.is_none()
            && origin.begin == Begin::New;
        if !new.warm || !fits {
            return None;
        }
        let typed = match (&new.cwd, new.project) {
            (None, Some(id)) => daemon.tree.lock().await.project(id).map(|project| project.path.clone()),
            (typed, _) => typed.clone(),
        };
        let asked = launch::directory(daemon, typed.as_deref()).await.ok()?;
        let looked = asked.clone();
        let (key, top) = places::looked_at(move || repository(&looked)).await??;
        let inside = asked.strip_prefix(&top).map(Path::to_owned).unwrap_or_default();
        let ahead = taken_out(daemon, &key, new).await?;
        let workspace = ahead.workspace;
        let claimed = begin(daemon, &key, ahead, Asked { new, origin, directory: &asked, inside: &inside });
        let claimed = match claimed.await {
            Ok(entry) => Some(entry),
            Err((error, ahead)) => {
                tracing::info!(%workspace, %error, "what was made ahead is not taken");
                let daemon = Arc::clone(daemon);
                tokio::spawn(async move { throw_away(&daemon, ahead).await });
                None
            }
        };
        let spoken = claimed.as_ref().is_none_or(|entry| !entry.record().unspoken);
        if spoken {
            daemon.warmth.lent.lock().remove(&key);
        }
        daemon.warmth.look();
        claimed
    })
}

/// What a new session asks for.
#[derive(Clone, Copy)]
struct Asked<'a> {
    new: &'a NewSession,
    origin: &'a Origin,
    directory: &'a Path,
    inside: &'a Path,
}

async fn taken_out(daemon: &Arc<Daemon>, key: &PathBuf, new: &NewSession) -> Option<Ahead> {
    let fits = |ahead: &Ahead| {
        let base = daemon.workspaces.get(ahead.workspace).and_then(|row| row.base);
        ahead.plan.kind == new.workspace
            && new.base.as_ref().is_none_or(|wanted| Some(wanted) == base.as_ref())
    };
    let (waiter, made) = oneshot::channel();
    let claim = {
        let mut pool = daemon.warmth.pool.lock();
        let claim = pool.claim(key, waiter, fits);
        if matches!(&claim, Claim::Taken(ahead) if ahead.session.is_some()) {
            daemon.warmth.lent.lock().insert(key.clone());
        }
        claim
    };
    match claim {
        Claim::Taken(ahead) => Some(ahead),
        Claim::Waits => {
            let ahead = made.await.ok()?;
            if fits(&ahead) {
                return Some(ahead);
            }
            let rest = daemon.warmth.pool.lock().give_back(key, ahead, daemon.clock.now());
            if let Some(rest) = rest {
                throw_away(daemon, rest).await;
            }
            None
        }
        Claim::None(_) => {
            *daemon.warmth.asked.lock() = Some(key.clone());
            daemon.warmth.look();
            None
        }
    }
}

/// Brings it to where it is wanted and has the session in it. Gives it back where that cannot be.
async fn begin(
    daemon: &Arc<Daemon>,
    key: &Path,
    ahead: Ahead,
    asked: Asked<'_>,
) -> Result<Arc<Entry>, (WireError, Ahead)> {
    let own = |error: WireError| (error, ahead.clone());
    let row = bring(daemon, &ahead, asked.new).await.map_err(own)?;
    daemon.save_workspace(row.clone()).await.map_err(own)?;
    let waiting = ahead.session.and_then(|id| daemon.get(id));
    let Some(waiting) = waiting else { return start(daemon, &row, asked).await.map_err(own) };
    let ready = waiting.record().status == Status::Idle && !waiting.draft.load(Ordering::Relaxed);
    if ready && same_launch(&ahead.plan, asked.new) && asked.inside.as_os_str().is_empty() {
        let own = asked.new.name.is_some() || asked.new.branch.is_some();
        let taken = Taken { key: key.to_owned(), ahead: ahead.clone(), own };
        return Ok(take(daemon, &waiting, &row, asked, taken).await);
    }
    // It waits for another launch: the directory alone is of use. Two agents in one place help nobody.
    super::end(daemon, &waiting).await;
    let alone = Ahead { session: None, ..ahead };
    start(daemon, &row, asked).await.map_err(|error| (error, alone))
}

/// Brings it to the newest base and onto its branch. Gives its row as it is then.
async fn bring(daemon: &Arc<Daemon>, ahead: &Ahead, new: &NewSession) -> Result<StoredWorkspace, WireError> {
    let gone = || WireError::new(ErrorCode::NotFound, "it is not known any more");
    let mut row = daemon.workspaces.get(ahead.workspace).ok_or_else(gone)?;
    let git = make::git(daemon, None).await;
    let set_up = ahead.set_up;
    let given = new.branch.clone().filter(|name| !name.is_empty());
    let text = new.name.clone().or_else(|| new.prompt.clone()).unwrap_or_else(|| new.agent.clone());
    let brought = tokio::task::spawn_blocking(move || {
        let (branch, commit) = (row.branch.clone(), row.base_commit.clone());
        let (Some(branch), Some(commit)) = (branch, commit) else { return Err(warm::Unfit::Changed) };
        let was = warm::Ahead {
            path: &row.path,
            branch: &branch,
            base: row.base.as_deref(),
            commit: &commit,
            set_up,
        };
        let commit = warm::freshen(&git, &was)?;
        let name = warm::rename(&git, &warm::Ahead { commit: &commit, ..was }, given.as_deref(), &text)?;
        if name != branch
            && let Err(error) = warm::forget_branch(&git, &row.path, &branch, Some(&commit))
        {
            tracing::warn!(%error, "the branch of a workspace that was made ahead is still there");
        }
        (row.branch, row.base_commit, row.warm) = (Some(name), Some(commit), false);
        row.state = WorkspaceState::Ready;
        Ok(row)
    });
    let brought = brought.await.map_err(|error| WireError::new(ErrorCode::Internal, error.to_string()))?;
    brought.map_err(|error| WireError::new(ErrorCode::Git, error.to_string()))
}

/// Starts the session in the directory.
async fn start(
    daemon: &Arc<Daemon>,
    row: &StoredWorkspace,
    Asked { new, origin, directory, inside }: Asked<'_>,
) -> Result<Arc<Entry>, WireError> {
    let here = NewSession {
        cwd: Some(prepare::directory(&row.path, inside)),
        project: new.project.or(row.project),
        workspace: WorkspaceKind::Directory,
        ..new.clone()
    };
    let name = launch::name_of(new, &new.agent, directory);
    let (kind, id, branch) = (row.kind, row.id, row.branch.clone());
    let entry = launch::new_session_marked(daemon, here, origin.clone(), move |record| {
        record.name = name;
        in_workspace(record, kind, id, branch);
    });
    let entry = entry.await?;
    launch::remember(daemon, new, directory);
    Ok(entry)
}

fn in_workspace(record: &mut Session, kind: WorkspaceKind, id: WorkspaceId, branch: Option<String>) {
    (record.workspace, record.workspace_id, record.branch) = (kind, Some(id), branch);
}

/// Gives the agent that waits there. It is shown from here on, and in lists once something was said.
async fn take(
    daemon: &Arc<Daemon>,
    entry: &Arc<Entry>,
    row: &StoredWorkspace,
    Asked { new, directory, .. }: Asked<'_>,
    taken: Taken,
) -> Arc<Entry> {
    let now = clock::wall();
    let position = daemon.last_position() + 1.0;
    daemon.warmth.taken.lock().insert(entry.id, taken);
    entry.hidden.store(false, Ordering::SeqCst);
    let group = new.group;
    daemon.change(entry, |session| {
        session.name = launch::name_of(new, &new.agent, directory);
        (session.group, session.position) = (group, position);
        session.branch.clone_from(&row.branch);
        (session.created_at, session.last_activity_at) = (now, now);
        session.started_by = new.started_by;
    });
    daemon.publish(entry);
    launch::remember(daemon, new, directory);
    if let Some(prompt) = new.prompt.clone().filter(|prompt| !prompt.trim().is_empty()) {
        say(daemon, entry, prompt).await;
    } else if !daemon.has_subscribers() {
        // There is no window that shows it, and what is in no list would never be found.
        graduate(daemon, entry, None);
    }
    Arc::clone(entry)
}

/// Has the first prompt typed, as a message.
async fn say(daemon: &Arc<Daemon>, entry: &Arc<Entry>, text: String) {
    graduate(daemon, entry, None);
    let at = clock::wall();
    let id = MessageId::at(u64::try_from(at.as_millisecond()).unwrap_or(0));
    let (session, kept) = (entry.id, text.clone());
    // A message belongs to a session that the database has.
    daemon.save_soon(entry);
    if let Err(error) = daemon.save().await {
        tracing::warn!(%error, "a session that was taken cannot be saved");
    }
    let queued = daemon.store.call(move |store| store.queue_message(id, session, &kept, None, at)).await;
    if let Err(error) = queued {
        tracing::warn!(session = %entry.logged(), %error, "the prompt cannot be kept");
    }
    entry.tell(daemon, Command::Message { id, text, now: false, answer: None });
}

/// Something was said to a session that was made ahead: it is one like any other from here on, called after that.
pub(crate) fn graduate(daemon: &Arc<Daemon>, entry: &Arc<Entry>, text: Option<&str>) {
    if entry.hidden.load(Ordering::SeqCst) {
        return;
    }
    let taken = daemon.warmth.taken.lock().remove(&entry.id);
    if let Some(taken) = &taken {
        daemon.warmth.lent.lock().remove(&taken.key);
    }
    let name = text.filter(|_| taken.is_some_and(|taken| !taken.own)).and_then(launch::name_from_prompt);
    daemon.change(entry, |session| {
        session.unspoken = false;
        if let Some(name) = name {
            session.name = name;
        }
    });
    daemon.save_soon(entry);
    daemon.warmth.look();
}

/// Gives a session back, where nothing was said to it.
pub(in crate::workspaces) async fn leave(daemon: &Arc<Daemon>, session: SessionId) -> Outcome {
    give_back(daemon, session).await;
    Ok(Reply::Done)
}

pub(super) async fn give_back(daemon: &Arc<Daemon>, session: SessionId) {
    let Some(entry) = daemon.get(session) else { return };
    if !entry.record().unspoken || entry.hidden.load(Ordering::SeqCst) {
        return;
    }
    // What is half typed is the person's: it is kept, and shown.
    if entry.draft.load(Ordering::Relaxed) {
        graduate(daemon, &entry, None);
        return;
    }
    let Some(taken) = daemon.warmth.taken.lock().remove(&session) else { return };
    entry.hidden.store(true, Ordering::SeqCst);
    daemon.tell_all(&Event::SessionRemoved { id: session });
    let ready = entry.record().status == Status::Idle && !taken.own;
    let key = taken.key.clone();
    let rest = if ready {
        daemon.change_workspace(taken.ahead.workspace, |row| {
            (row.warm, row.state) = (true, WorkspaceState::Warm);
        });
        daemon.warmth.pool.lock().give_back(&taken.key, taken.ahead, daemon.clock.now())
    } else {
        Some(taken.ahead)
    };
    daemon.warmth.lent.lock().remove(&key);
    if let Some(rest) = rest {
        throw_away(daemon, rest).await;
    }
    daemon.warmth.look();
}
