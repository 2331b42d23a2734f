//! Requests about projects, groups, and what the person marks sessions with.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use belfry_protocol::session::{Group, GroupColor, Project, ProjectDefaults};
use belfry_protocol::{ErrorCode, Event, GroupId, ProjectId, Reply, WireError};
use belfry_store::{Store, StoreError};

use super::Outcome;
use crate::launch::cleaned_name;
use crate::{Daemon, clock, places};

/// Longest snooze: a week. What is to be quiet for longer is muted.
const LONGEST_SNOOZE: u32 = 7 * 24 * 3600;

fn bad(what: &str) -> WireError {
    WireError::new(ErrorCode::BadRequest, what)
}

fn no_such(what: &str) -> WireError {
    WireError::new(ErrorCode::NotFound, format!("there is no such {what}"))
}

fn named(name: &str) -> Result<String, WireError> {
    cleaned_name(name).ok_or_else(|| bad("a name has at least one visible character"))
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

pub(super) async fn add_project(daemon: &Arc<Daemon>, typed: String, name: Option<String>) -> Outcome {
    let path = places::absolute(&typed, &daemon.person_home)
        .ok_or_else(|| bad("a project's directory is absolute, or starts with ~"))?;
    let canonical = {
        let path = path.clone();
        places::looked_at(move || std::fs::canonicalize(path)).await
    };
    let path = match canonical {
        Some(Ok(path)) if path.is_dir() => path,
        Some(Ok(_)) => {
            return Err(WireError::new(ErrorCode::BadDirectory, "that is a file; a project is a directory"));
        }
        Some(Err(error)) => {
            return Err(WireError::new(ErrorCode::BadDirectory, format!("{}: {error}", path.display())));
        }
        None => return Err(WireError::new(ErrorCode::BadDirectory, "the directory does not answer")),
    };
    let name = match name {
        Some(name) => named(&name)?,
        None => name_of(&path),
    };
    let mut tree = daemon.tree.lock().await;
    if let Some(known) = tree.project_at(&path) {
        return Ok(Reply::Project(known.clone()));
    }
    let project = Project {
        id: ProjectId::at(now_millis()),
        name,
        path: path.display().to_string(),
        position: tree.last_project(),
        defaults: ProjectDefaults::default(),
    };
    keep_project(daemon, &project).await?;
    tree.put_project(project.clone());
    daemon.tell_all(&Event::Project { project: project.clone() });
    drop(tree);
    take_in(daemon, &project);
    Ok(Reply::Project(project))
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    name.and_then(|name| cleaned_name(&name)).unwrap_or_else(|| "/".to_owned())
}

/// Puts the sessions of a project's directory into it that are in none.
fn take_in(daemon: &Daemon, project: &Project) {
    for entry in daemon.entries() {
        let fits = {
            let session = entry.record();
            session.project.is_none() && PathBuf::from(&session.cwd).starts_with(&project.path)
        };
        if fits {
            daemon.change(&entry, |session| session.project = Some(project.id));
            daemon.save_soon(&entry);
        }
    }
}

async fn keep_project(daemon: &Daemon, project: &Project) -> Result<(), WireError> {
    let project = project.clone();
    kept(daemon, move |store| store.save_project(&project)).await
}

pub(super) async fn change_project(
    daemon: &Arc<Daemon>,
    id: ProjectId,
    (name, position, defaults): (Option<String>, Option<f64>, Option<ProjectDefaults>),
) -> Outcome {
    let mut tree = daemon.tree.lock().await;
    let mut project = tree.project(id).cloned().ok_or_else(|| no_such("project"))?;
    if let Some(name) = name {
        project.name = named(&name)?;
    }
    if let Some(position) = position {
        project.position = placed(position)?;
    }
    project.defaults = defaults.unwrap_or(project.defaults);
    keep_project(daemon, &project).await?;
    tree.put_project(project.clone());
    daemon.tell_all(&Event::Project { project: project.clone() });
    Ok(Reply::Project(project))
}

pub(super) async fn remove_project(daemon: &Arc<Daemon>, id: ProjectId) -> Outcome {
    let mut tree = daemon.tree.lock().await;
    tree.project(id).ok_or_else(|| no_such("project"))?;
    // Sessions first: none may point at what is not there.
    for entry in daemon.entries() {
        if entry.record().project == Some(id) {
            daemon.change(&entry, |session| (session.project, session.group) = (None, None));
            daemon.save_soon(&entry);
        }
    }
    kept(daemon, move |store| store.remove_project(id)).await?;
    let groups: Vec<GroupId> =
        tree.groups.iter().filter(|group| group.project == id).map(|group| group.id).collect();
    tree.groups.retain(|group| group.project != id);
    tree.projects.retain(|project| project.id != id);
    for id in groups {
        daemon.tell_all(&Event::GroupRemoved { id });
    }
    daemon.tell_all(&Event::ProjectRemoved { id });
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
    let group = Group {
        id: GroupId::at(now_millis()),
        project,
        parent,
        name: named(name)?,
        position: tree.last_group(project, parent),
        color,
    };
    keep_group(daemon, &group).await?;
    tree.put_group(group.clone());
    daemon.tell_all(&Event::Group { group: group.clone() });
    Ok(Reply::Group(group))
}

async fn keep_group(daemon: &Daemon, group: &Group) -> Result<(), WireError> {
    let group = group.clone();
    kept(daemon, move |store| store.save_group(&group)).await
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
    }
    (group.parent, group.color) = (parent, color);
    group.name = named(name)?;
    group.position = placed(position)?;
    keep_group(daemon, &group).await?;
    tree.put_group(group.clone());
    daemon.tell_all(&Event::Group { group: group.clone() });
    Ok(Reply::Group(group))
}

pub(super) async fn remove_group(daemon: &Arc<Daemon>, id: GroupId) -> Outcome {
    let mut tree = daemon.tree.lock().await;
    let gone = tree.group(id).cloned().ok_or_else(|| no_such("group"))?;
    let inside: Vec<Group> = tree.groups.iter().filter(|group| group.parent == Some(id)).cloned().collect();
    for mut group in inside {
        group.parent = gone.parent;
        keep_group(daemon, &group).await?;
        tree.put_group(group.clone());
        daemon.tell_all(&Event::Group { group });
    }
    for entry in daemon.entries() {
        if entry.record().group == Some(id) {
            daemon.change(&entry, |session| session.group = gone.parent);
            daemon.save_soon(&entry);
        }
    }
    kept(daemon, move |store| store.remove_group(id)).await?;
    tree.groups.retain(|group| group.id != id);
    daemon.tell_all(&Event::GroupRemoved { id });
    Ok(Reply::Done)
}
