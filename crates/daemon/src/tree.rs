//! Projects and groups, in which the person puts sessions.
//!
//! The database is changed first, then what is held here, then clients are told: one that hears of a group finds it.

use std::collections::HashSet;
use std::path::Path;

use belfry_protocol::session::{Group, Project};
use belfry_protocol::{GroupId, ProjectId};

/// What there is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub(crate) projects: Vec<Project>,
    pub(crate) groups: Vec<Group>,
}

impl Tree {
    pub(crate) fn project(&self, id: ProjectId) -> Option<&Project> {
        self.projects.iter().find(|project| project.id == id)
    }

    pub(crate) fn group(&self, id: GroupId) -> Option<&Group> {
        self.groups.iter().find(|group| group.id == id)
    }

    /// The project whose directory this is.
    pub(crate) fn project_at(&self, path: &Path) -> Option<&Project> {
        self.projects.iter().find(|project| Path::new(&project.path) == path)
    }

    /// The project that a directory lies in, the innermost where projects lie in each other.
    pub(crate) fn project_around(&self, path: &Path) -> Option<&Project> {
        let around = self.projects.iter().filter(|project| path.starts_with(&project.path));
        around.max_by_key(|project| project.path.len())
    }

    /// After all other projects.
    pub(crate) fn last_project(&self) -> f64 {
        self.projects.iter().map(|project| project.position).fold(0.0, f64::max) + 1.0
    }

    /// After all groups that are in the same place.
    pub(crate) fn last_group(&self, project: ProjectId, parent: Option<GroupId>) -> f64 {
        let beside = |group: &&Group| group.project == project && group.parent == parent;
        self.groups.iter().filter(beside).map(|group| group.position).fold(0.0, f64::max) + 1.0
    }

    /// Whether `inner` is that group or lies in it, however deep.
    pub(crate) fn lies_in(&self, inner: GroupId, outer: GroupId) -> bool {
        let mut seen = HashSet::new();
        let mut at = Some(inner);
        while let Some(id) = at {
            if id == outer {
                return true;
            }
            // A damaged database may hold a circle.
            if !seen.insert(id) {
                return false;
            }
            at = self.group(id).and_then(|group| group.parent);
        }
        false
    }

    /// How many groups it lies in, itself among them.
    pub(crate) fn depth(&self, id: GroupId) -> usize {
        let parent = |id: &GroupId| self.group(*id).and_then(|group| group.parent);
        // A circle ends somewhere as well.
        std::iter::successors(Some(id), parent).take(self.groups.len()).count()
    }

    /// How many groups lie in each other below it at the most, itself among them.
    pub(crate) fn height(&self, id: GroupId) -> usize {
        let inside = self.groups.iter().filter(|group| self.lies_in(group.id, id));
        let deepest = inside.map(|group| self.depth(group.id)).max().unwrap_or(0);
        (deepest + 1).saturating_sub(self.depth(id)).max(1)
    }

    /// Bytes of all of it as clients get it.
    pub(crate) fn bytes(&self) -> usize {
        let json = serde_json::to_vec(&(&self.projects, &self.groups));
        json.map_or(0, |json| json.len())
    }

    pub(crate) fn put_project(&mut self, project: Project) {
        self.projects.retain(|known| known.id != project.id);
        self.projects.push(project);
        self.projects.sort_by(|a, b| a.position.total_cmp(&b.position).then(a.id.cmp(&b.id)));
    }

    pub(crate) fn put_group(&mut self, group: Group) {
        self.groups.retain(|known| known.id != group.id);
        self.groups.push(group);
        self.groups.sort_by(|a, b| a.position.total_cmp(&b.position).then(a.id.cmp(&b.id)));
    }
}
