//! New sessions whose directory is made for them. The session is there at once and says how far its workspace is; its program
//! starts as soon as the directory is there.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use belfry_protocol::launch::{NewSession, Size};
use belfry_protocol::session::{Exit, Session};
use belfry_protocol::workspace::{Preparing, WorkspaceState};
use belfry_protocol::{ErrorCode, GroupId, ProjectId, SessionId, Status, WireError};

use super::new::{Origin, agent, placed, remember};
use super::start::{Launching, launch, program, surroundings};
use super::{began, directory, name};
use crate::conversations::ledger;
use crate::session::{Entry, fresh, reason};
use crate::workspaces::{Begun, Done, WantedWorkspace as Wanted, directory_in, discard, finish, setup};
use crate::{Daemon, clock, workspaces};

/// What is put into a session's record before anybody sees it.
pub(super) type Mark<'a> = Box<dyn FnOnce(&mut Session) + Send + 'a>;

/// What is started once the directory is there.
struct Start {
    new: NewSession,
    origin: Origin,
    /// The directory that the person named.
    asked: PathBuf,
}

/// Starts a session in a workspace that is made for it.
pub(super) fn begin<'a>(
    daemon: &'a Arc<Daemon>,
    new: NewSession,
    origin: Origin,
    mark: Mark<'a>,
) -> Pin<Box<dyn Future<Output = Result<Arc<Entry>, WireError>> + Send + 'a>> {
    // A setup script's session is started from here, by what starts this.
    Box::pin(begun(daemon, new, origin, mark))
}

async fn begun(
    daemon: &Arc<Daemon>,
    mut new: NewSession,
    origin: Origin,
    mark: Mark<'_>,
) -> Result<Arc<Entry>, WireError> {
    if new.private {
        // Its branch, its directory and what is written there are on the disk.
        let error = WireError::new(
            ErrorCode::BadRequest,
            "nothing of a private session is kept on the disk, and a workspace is a directory there",
        );
        return Err(error.next("start it in a directory as it is"));
    }
    let agents = daemon.agents();
    let agent = agent(&agents, &new.agent)?;
    if new.prompt.as_deref().is_some_and(|prompt| !prompt.trim().is_empty()) && !agent.takes().prompt {
        let what = format!("{} takes no prompt at launch", agent.name());
        return Err(WireError::new(ErrorCode::BadRequest, what));
    }
    let typed = match (&new.cwd, new.project) {
        (None, Some(id)) => daemon.tree.lock().await.project(id).map(|project| project.path.clone()),
        (typed, _) => typed.clone(),
    };
    let asked = directory(daemon, typed.as_deref()).await?;
    let (project, group) = placed(daemon, &new, &asked).await?;
    let now = clock::wall();
    let id = SessionId::at(u64::try_from(now.as_millisecond()).unwrap_or(0));
    // What would keep the program from starting is better told before a branch is made for it.
    let env = surroundings(daemon, agent, &new, &asked, id).await;
    program(daemon, agent, &env)?;
    let wanted = Wanted {
        kind: new.workspace,
        directory: asked.clone(),
        project,
        branch: new.branch.clone().filter(|name| !name.is_empty()),
        text: new.name.clone().or_else(|| new.prompt.clone()).or_else(|| Some(agent.id().to_owned())),
        base: new.base.clone().filter(|base| !base.is_empty()),
        pull_request: new.pull_request,
        warm: false,
        env: new.base_env.clone(),
    };
    let begun = workspaces::begin(daemon, wanted).await?;
    let record = first_record(daemon, (&new, &origin), &begun, (id, project, group));
    let mut record = Session { name: name::of(&new, agent.id(), &asked), ..record };
    mark(&mut record);
    if origin.handover.is_some()
        && let Some((dir, _)) = daemon.files_of(id, new.private)
    {
        new.prompt = Some(crate::conversations::handover_prompt(&dir));
    }
    let entry = Arc::new(Entry::new(record));
    *entry.making.lock() = Some(begun.stop.clone());
    daemon.add(&entry);
    daemon.publish(&entry);
    daemon.save_soon(&entry);
    tracing::info!(session = %entry.logged(), agent = %agent.id(), "a session waits for its workspace");
    tokio::spawn(prepare(Arc::clone(daemon), Arc::clone(&entry), begun, Start { new, origin, asked }));
    Ok(entry)
}

fn first_record(
    daemon: &Daemon,
    (new, origin): (&NewSession, &Origin),
    begun: &Begun,
    (id, project, group): (SessionId, Option<ProjectId>, Option<GroupId>),
) -> Session {
    let size = new.size.unwrap_or(Size::DEFAULT).clamped();
    let cwd: PathBuf = begun.row.path.components().chain(begun.inside.components()).collect();
    let preparing = Preparing {
        state: begun.row.state.clone(),
        line: None,
        prompt_waits: new.prompt.is_some() || origin.handover.is_some(),
    };
    Session {
        project,
        group,
        position: daemon.last_position() + 1.0,
        branch: begun.row.branch.clone(),
        workspace: new.workspace,
        workspace_id: Some(begun.row.id),
        preparing: Some(Box::new(preparing)),
        started_by: new.started_by,
        forked_from: origin.forked_from,
        cols: size.cols,
        rows: size.rows,
        model: new.model.clone(),
        env_names: new.env.iter().map(|variable| variable.name.clone()).collect(),
        private: new.private,
        ..fresh(id, String::new(), new.agent.clone(), cwd.display().to_string(), clock::wall())
    }
}

/// Makes the workspace and starts the program in it.
async fn prepare(daemon: Arc<Daemon>, entry: Arc<Entry>, begun: Begun, start: Start) {
    let workspace = begun.row.id;
    let stop = begun.stop.clone();
    let ended = match finish(&daemon, begun, |_| {}).await {
        Ok(_) if stop.stopped() => {
            discard(&daemon, workspace).await;
            Err(WireError::new(ErrorCode::NotAlive, "it was stopped"))
        }
        Ok(done) => match run(&daemon, &entry, done, start).await {
            Ok(()) => Ok(()),
            Err(error) => {
                discard(&daemon, workspace).await;
                Err(error)
            }
        },
        Err(error) => Err(error),
    };
    *entry.making.lock() = None;
    if stop.stopped() && entry.alive() {
        // It was stopped too late to be none, and whoever did that waits for its end.
        entry.killed.store(true, std::sync::atomic::Ordering::Relaxed);
        entry.tell(&daemon, crate::session::Command::Kill { answer: None });
    }
    if let Err(error) = ended {
        failed(&daemon, &entry, &error);
    }
    entry.wake.notify_one();
}

async fn run(daemon: &Arc<Daemon>, entry: &Arc<Entry>, done: Done, start: Start) -> Result<(), WireError> {
    let Start { new, origin, asked } = start;
    let Done { row, notices, rules } = done;
    let inside = PathBuf::from(&entry.record().cwd);
    let inside = inside.strip_prefix(&row.path).map(std::path::Path::to_owned).unwrap_or_default();
    let cwd = directory_in(&row.path, &inside);
    let state = setup::first_state(&rules);
    daemon.change_workspace(row.id, |row| row.state = state.clone());
    daemon.change(entry, |session| {
        session.cwd = cwd.display().to_string();
        session.branch.clone_from(&row.branch);
        session.preparing = session.preparing.take().filter(|_| state != WorkspaceState::Ready);
        if let Some(preparing) = &mut session.preparing {
            preparing.state = state.clone();
        }
    });
    let agents = daemon.agents();
    let agent = agent(&agents, &new.agent)?;
    let _starting = daemon.starting.read().await;
    let launching = Launching {
        agent,
        new: &new,
        cwd: &cwd,
        journal_cap: daemon.journal_cap(),
        begin: &origin.begin,
        handover: origin.handover.as_deref(),
    };
    let (record, live) = launch(daemon, &launching, entry.session()).await?;
    let wrong = rules.error.map(|error| format!("`.belfry.toml` has no effect: {error}"));
    let told: Vec<String> = notices.into_iter().chain(wrong).chain(record.notice.clone()).collect();
    daemon.change(entry, |session| {
        began(session, &record);
        session.notice = (!told.is_empty()).then(|| told.join(" "));
        session.conversation_id.clone_from(&record.conversation_id);
    });
    ledger::note_start(daemon, entry, origin.begin.how());
    entry.take_up(daemon, live);
    daemon.save_soon(entry);
    let (remembered, script) = {
        let record = entry.record();
        (!record.unspoken, rules.rules.setup)
    };
    if remembered {
        remember(daemon, &new, &asked);
    }
    tracing::info!(session = %entry.logged(), agent = %agent.id(), "a session was started in its workspace");
    if let (WorkspaceState::SettingUp { .. }, Some(script)) = (state, script) {
        setup::start(daemon, entry, script).await;
    }
    Ok(())
}

/// There will be no program: the session says why, and nothing else of it is left.
fn failed(daemon: &Arc<Daemon>, entry: &Arc<Entry>, error: &WireError) {
    tracing::warn!(session = %entry.logged(), %error, "a workspace could not be made");
    let mut why = error.message.clone();
    if let Some(next) = &error.next {
        why = format!("{why}; {next}");
    }
    daemon.change(entry, |session| over(session, why));
    daemon.save_soon(entry);
}

fn over(session: &mut Session, why: String) {
    let exit = Exit::LaunchFailed { reason: why };
    session.status = Status::Dead;
    session.since = clock::wall();
    session.reason = Some(reason(&exit));
    session.exit = Some(exit);
    session.preparing = None;
    session.workspace_id = None;
    session.unseen = true;
}

/// The last daemon ended while the workspace was made: what there is of that is taken away, and there will be no program.
pub(crate) fn not_prepared(session: &mut Session) {
    over(session, "Belfry ended while its workspace was made".to_owned());
}
