//! Requests about projects, groups, and what the person marks sessions with.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use belfry_protocol::session::{Group, GroupColor, Project, ProjectDefaults};
use belfry_protocol::{ErrorCode, Event, GroupId, ProjectId, Reply, WireError};
use belfry_store::{Store, StoreError};

use super::Outcome;
use crate::launch::{cleaned_name, given_name};
use crate::session::Entry;
use crate::settings::unknown;
use crate::tree::Tree;
use crate::{Daemon, clock, places};

/// Longest snooze: a week. What is to be quiet for longer is muted.
const LONGEST_SNOOZE: u32 = 7 * 24 * 3600;

/// Longest name of a model and longest first prompt, in bytes.
const LONGEST_MODEL: usize = 200;

/// See [`LONGEST_MODEL`].
const LONGEST_PROMPT: usize = 16 * 1024;

/// How deep groups lie in each other.
const DEEPEST: usize = 16;

/// Bytes of all projects and groups as clients get them: half of a message.
const MOST_BYTES: usize = belfry_protocol::frame::MAX_FRAME / 2;

fn bad(what: &str) -> WireError {
    WireError::new(ErrorCode::BadRequest, what)
}

fn no_such(what: &str) -> WireError {
    WireError::new(ErrorCode::NotFound, format!("there is no such {what}"))
}

/// A group's name, by which it is written in paths.
fn group_named(name: &str) -> Result<String, WireError> {
    if name.contains('/') {
        return Err(bad(
            "a group's name has no `/`: that stands between the names of groups that lie in each other",
        ));
    }
    given_name(name)
}

fn placed(position: f64) -> Result<f64, WireError> {
    if position.is_finite() { Ok(position) } else { Err(bad("a position is a finite number")) }
}

async fn kept<T: Send + 'static>(
    daemon: &Daemon,
    change: impl FnOnce(&mut Store) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, WireError> {
    daemon.store.call(change).await.map_err(|error| WireError::new(error.code(), error.to_string()))
}

fn now_millis() -> u64 {
    u64::try_from(clock::wall().as_millisecond()).unwrap_or(0)
}

pub(super) fn mark(
    daemon: &Daemon,
    wanted: &str,
    (pinned, muted, snooze): (Option<bool>, Option<bool>, Option<u32>),
) -> Outcome {
    let entry = daemon.find(wanted)?;
    if snooze.is_some_and(|seconds| seconds > LONGEST_SNOOZE) {
        return Err(bad("a session can be snoozed for a week at the longest; mute it instead"));
    }
    daemon.change(&entry, |session| {
        session.pinned = pinned.unwrap_or(session.pinned);
        session.muted = muted.unwrap_or(session.muted);
        if let Some(seconds) = snooze {
            let until = clock::wall().checked_add(Duration::from_secs(seconds.into())).ok();
            session.snoozed_until = until.filter(|_| seconds > 0);
        }
    });
    daemon.save_soon(&entry);
    Ok(Reply::Session(Box::new(entry.session())))
}

/// Makes a directory a project, under that id where one is given. One that is a project already stays as it is.
pub(crate) async fn add_project(
    daemon: &Arc<Daemon>,
    id: Option<ProjectId>,
    typed: String,
    name: Option<String>,
) -> Outcome {
    let path = places::absolute(&typed, &daemon.person_home)
        .ok_or_else(|| bad("a project's directory is absolute, or starts with ~"))?;
    let path = directory(path).await?;
    let name = match name {
        Some(name) => given_name(&name)?,
        None => name_of(&path),
    };
    let inside = sessions_in(daemon, &path).await;
    let mut tree = daemon.tree.lock().await;
    if let Some(known) = tree.project_at(&path) {
        return Ok(Reply::Project(known.clone()));
    }
    let project = Project {
        id: id.unwrap_or_else(|| ProjectId::at(now_millis())),
        name,
        path: path.display().to_string(),
        position: tree.last_project(),
        defaults: ProjectDefaults::default(),
    };
    keep_project(daemon, &mut tree, &project).await?;
    // The tree is held: a project that is removed meanwhile would leave sessions in none that is there.
    for entry in inside {
        if entry.record().project.is_none() {
            daemon.change(&entry, |session| session.project = Some(project.id));
            daemon.save_soon(&entry);
        }
    }
    Ok(Reply::Project(project))
}

/// The directory by its real path, so that a project is one however it is reached.
async fn directory(path: PathBuf) -> Result<PathBuf, WireError> {
    let bad = |what: String| Err(WireError::new(ErrorCode::BadDirectory, what));
    let shown = path.display().to_string();
    let look = move || {
        let path = std::fs::canonicalize(path)?;
        Ok::<_, std::io::Error>((path.is_dir(), path))
    };
    match places::looked_at(look).await {
        Some(Ok((true, path))) if path.to_str().is_some() => Ok(path),
        Some(Ok((true, _))) => bad(format!("{shown} has a name that is not UTF-8")),
        Some(Ok((false, _))) => bad(format!("{shown} is a file, and a project is a directory")),
        Some(Err(error)) if error.kind() == std::io::ErrorKind::NotFound => {
            bad(format!("{shown} does not exist"))
        }
        Some(Err(error)) => bad(format!("{shown}: {error}")),
        None => bad(format!("{shown} does not answer")),
    }
}

/// The sessions whose directories lie in that one, by their real paths.
async fn sessions_in(daemon: &Daemon, path: &Path) -> Vec<Arc<Entry>> {
    let mut entries = daemon.entries();
    entries.retain(|entry| entry.record().project.is_none());
    let dirs: Vec<PathBuf> = entries.iter().map(|entry| entry.record().cwd.clone().into()).collect();
    let (inner, given) = (path.to_owned(), dirs.clone());
    let inside = |dir: &PathBuf, path: &Path| dir.starts_with(path);
    let looked = places::looked_at(move || {
        let real = |dir: PathBuf| std::fs::canonicalize(&dir).unwrap_or(dir);
        dirs.into_iter().map(|dir| inside(&real(dir), &inner)).collect::<Vec<_>>()
    });
    // Where they do not answer, as they are written.
    let fit = looked.await.unwrap_or_else(|| given.iter().map(|dir| inside(dir, path)).collect());
    entries.into_iter().zip(fit).filter_map(|(entry, fits)| fits.then_some(entry)).collect()
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    name.and_then(|name| cleaned_name(&name)).unwrap_or_else(|| "/".to_owned())
}

/// Keeps a project, and tells everybody.
async fn keep_project(daemon: &Daemon, tree: &mut Tree, project: &Project) -> Result<(), WireError> {
    let mut after = tree.clone();
    after.put_project(project.clone());
    room(&after)?;
    let kept_project = project.clone();
    kept(daemon, move |store| store.save_project(&kept_project)).await?;
    *tree = after;
    daemon.tell_all(&Event::Project { project: project.clone() });
    Ok(())
}

/// All of it goes to each client in one message, with sessions beside it.
fn room(tree: &Tree) -> Result<(), WireError> {
    if tree.bytes() <= MOST_BYTES {
        return Ok(());
    }
    Err(WireError::new(ErrorCode::TooMuch, "there is no room for more projects and groups")
        .next("remove some, or shorten the first prompts that they begin with"))
}

pub(super) async fn change_project(
    daemon: &Arc<Daemon>,
    id: ProjectId,
    (name, position, defaults): (Option<String>, Option<f64>, Option<ProjectDefaults>),
) -> Outcome {
    let mut tree = daemon.tree.lock().await;
    let mut project = tree.project(id).cloned().ok_or_else(|| no_such("project"))?;
    if let Some(name) = name {
        project.name = given_name(&name)?;
    }
    if let Some(position) = position {
        project.position = placed(position)?;
    }
    if let Some(defaults) = defaults {
        project.defaults = checked(daemon, defaults)?;
    }
    keep_project(daemon, &mut tree, &project).await?;
    daemon.warmth.look();
    Ok(Reply::Project(project))
}

/// What new sessions begin with, if they can.
fn checked(daemon: &Daemon, mut defaults: ProjectDefaults) -> Result<ProjectDefaults, WireError> {
    let said = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    defaults.agent = said(defaults.agent);
    defaults.model = said(defaults.model);
    defaults.prompt = said(defaults.prompt);
    if let Some(agent) = &defaults.agent {
        let agents = daemon.agents();
        let known = agents.iter().map(belfry_agents::Agent::id);
        if let Some(why) = unknown("agent", &agent.escape_debug().to_string(), known) {
            return Err(bad(&why));
        }
    }
    if defaults.model.as_ref().is_some_and(|model| model.len() > LONGEST_MODEL) {
        return Err(bad("that is no model's name: it is longer than 200 bytes"));
    }
    if defaults.prompt.as_ref().is_some_and(|prompt| prompt.len() > LONGEST_PROMPT) {
        return Err(WireError::new(ErrorCode::TooMuch, "a project's prompt has at most 16 KiB"));
    }
    Ok(defaults)
}

pub(super) async fn remove_project(daemon: &Arc<Daemon>, id: ProjectId) -> Outcome {
    let mut tree = daemon.tree.lock().await;
    tree.project(id).ok_or_else(|| no_such("project"))?;
    kept(daemon, move |store| store.remove_project(id)).await?;
    // Told of sessions first: none is shown in a place that is not there.
    for entry in daemon.entries() {
        if entry.record().project == Some(id) {
            daemon.change(&entry, |session| (session.project, session.group) = (None, None));
            daemon.save_soon(&entry);
        }
    }
    // Inner groups first, for the same reason.
    let mut groups: Vec<(usize, GroupId)> = tree
        .groups
        .iter()
        .filter(|group| group.project == id)
        .map(|group| (tree.depth(group.id), group.id))
        .collect();
    groups.sort_by_key(|(depth, _)| std::cmp::Reverse(*depth));
    tree.groups.retain(|group| group.project != id);
    tree.projects.retain(|project| project.id != id);
    for (_, id) in groups {
        daemon.tell_all(&Event::GroupRemoved { id });
    }
    daemon.tell_all(&Event::ProjectRemoved { id });
    daemon.warmth.look();
    Ok(Reply::Done)
}

pub(super) async fn add_group(
    daemon: &Arc<Daemon>,
    project: ProjectId,
    parent: Option<GroupId>,
    name: &str,
    color: Option<GroupColor>,
) -> Outcome {
    let mut tree = daemon.tree.lock().await;
    tree.project(project).ok_or_else(|| no_such("project"))?;
    let in_project = |id| tree.group(id).is_some_and(|group| group.project == project);
    if parent.is_some_and(|id| !in_project(id)) {
        return Err(no_such("group in that project"));
    }
    if parent.is_some_and(|id| tree.depth(id) >= DEEPEST) {
        return Err(too_deep());
    }
    let group = Group {
        id: GroupId::at(now_millis()),
        project,
        parent,
        name: group_named(name)?,
        position: tree.last_group(project, parent),
        color,
    };
    keep_group(daemon, &mut tree, &group).await?;
    Ok(Reply::Group(group))
}

fn too_deep() -> WireError {
    bad("groups lie in each other sixteen deep at the most")
}

/// Keeps a group, and tells everybody.
async fn keep_group(daemon: &Daemon, tree: &mut Tree, group: &Group) -> Result<(), WireError> {
    let mut after = tree.clone();
    after.put_group(group.clone());
    room(&after)?;
    let kept_group = group.clone();
    kept(daemon, move |store| store.save_group(&kept_group)).await?;
    *tree = after;
    daemon.tell_all(&Event::Group { group: group.clone() });
    Ok(())
}

pub(super) async fn change_group(
    daemon: &Arc<Daemon>,
    id: GroupId,
    parent: Option<GroupId>,
    (name, color, position): (&str, Option<GroupColor>, f64),
) -> Outcome {
    let mut tree = daemon.tree.lock().await;
    let mut group = tree.group(id).cloned().ok_or_else(|| no_such("group"))?;
    if let Some(parent) = parent {
        let above = tree.group(parent).filter(|above| above.project == group.project);
        above.ok_or_else(|| no_such("group in that project"))?;
        if tree.lies_in(parent, id) {
            return Err(bad("a group cannot be moved into itself"));
        }
        if tree.depth(parent) + tree.height(id) > DEEPEST {
            return Err(too_deep());
        }
    }
    (group.parent, group.color) = (parent, color);
    group.name = group_named(name)?;
    group.position = placed(position)?;
    keep_group(daemon, &mut tree, &group).await?;
    Ok(Reply::Group(group))
}

pub(super) async fn remove_group(daemon: &Arc<Daemon>, id: GroupId) -> Outcome {
    let mut tree = daemon.tree.lock().await;
    let gone = tree.group(id).cloned().ok_or_else(|| no_such("group"))?;
    let (parent, last) = (gone.parent, tree.last_group(gone.project, gone.parent));
    let inside = tree.groups.iter().filter(|group| group.parent == Some(id)).cloned();
    // Behind those that are there already, in their order.
    let moved = inside.zip(0..).map(|(group, n)| Group { parent, position: last + f64::from(n), ..group });
    let moved: Vec<Group> = moved.collect();
    let groups = moved.clone();
    kept(daemon, move |store| store.dissolve_group(id, parent, &groups)).await?;
    for group in moved {
        tree.put_group(group.clone());
        daemon.tell_all(&Event::Group { group });
    }
    for entry in daemon.entries() {
        if entry.record().group == Some(id) {
            daemon.change(&entry, |session| session.group = parent);
            daemon.save_soon(&entry);
        }
    }
    tree.groups.retain(|group| group.id != id);
    daemon.tell_all(&Event::GroupRemoved { id });
    Ok(Reply::Done)
}
