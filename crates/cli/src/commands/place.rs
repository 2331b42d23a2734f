//! Projects and groups by name.

use belfry_client::Connection;
use belfry_protocol::session::{Group, Project};
use belfry_protocol::{GroupId, ProjectId, Reply, Request};

use crate::context::{Context, unexpected};
use crate::failure::{Exit, Failure};
use crate::print::{brief, plain};

/// Names of what there is that a failure tells.
const TOLD: usize = 20;

/// All projects and groups.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub projects: Vec<Project>,
    pub groups: Vec<Group>,
}

/// Where a session is or goes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Place {
    pub project: Option<Project>,
    pub group: Option<GroupId>,
    /// The group as it is written.
    path: String,
}

impl Place {
    /// In words: `the group a/b of shop`.
    pub(crate) fn words(&self) -> String {
        match (&self.project, self.group) {
            (Some(project), Some(_)) => {
                format!("the group {} of {}", plain(&self.path), plain(&project.name))
            }
            (Some(project), None) => plain(&project.name),
            (None, _) => "no project".to_owned(),
        }
    }

    pub(crate) fn project_id(&self) -> Option<ProjectId> {
        self.project.as_ref().map(|project| project.id)
    }
}

/// The place that `project` and `group` mean; asks the daemon only where one is given.
pub(crate) async fn find(
    context: &Context,
    project: Option<&str>,
    group: Option<&str>,
) -> Result<Place, Failure> {
    let Some(project) = project else { return Ok(Place::default()) };
    let tree = Tree::read(&context.connect().await?).await?;
    let project = tree.project(project)?;
    let group = group.map(|path| tree.group(project, path)).transpose()?;
    let path = group.map(|group| tree.path(group)).unwrap_or_default();
    Ok(Place { project: Some(project.clone()), group: group.map(|group| group.id), path })
}

impl Tree {
    /// As the daemon has it now.
    pub(crate) async fn read(connection: &Connection) -> Result<Self, Failure> {
        match connection.request(Request::Subscribe).await? {
            Reply::Overview { projects, groups, .. } => Ok(Self { projects, groups }),
            other => Err(unexpected(&other)),
        }
    }

    /// The project of that id, name or directory.
    pub(crate) fn project(&self, wanted: &str) -> Result<&Project, Failure> {
        let by_id = self.projects.iter().find(|project| project.id.to_string() == wanted);
        let real = std::fs::canonicalize(wanted).ok();
        let is_at = |project: &Project| {
            project.path == wanted
                || (wanted.contains('/') && real.as_deref() == Some(std::path::Path::new(&project.path)))
        };
        let named: Vec<&Project> =
            self.projects.iter().filter(|project| project.name == wanted || is_at(project)).collect();
        match (by_id, named.as_slice()) {
            (Some(project), _) | (None, &[project]) => Ok(project),
            (None, [_, _, ..]) => {
                let dirs = named.iter().map(|project| plain(&project.path)).collect();
                Err(Failure::new(
                    Exit::Usage,
                    "ambiguous",
                    format!("{} projects are called {}.", named.len(), brief(wanted, 80)),
                )
                .next(format!("Name its directory: {}.", told(dirs).unwrap_or_default())))
            }
            (None, []) => {
                let names = self.projects.iter().map(|project| plain(&project.name)).collect();
                Err(missing(format!("There is no project {}.", brief(wanted, 80))).next(match told(names) {
                    Some(names) => format!("There are: {names}."),
                    None => "There is none yet; `belfry project add DIR` adds one.".to_owned(),
                }))
            }
        }
    }

    /// The group of that path or id in a project.
    pub(crate) fn group(&self, project: &Project, path: &str) -> Result<&Group, Failure> {
        let of_project = |group: &&Group| group.project == project.id;
        if let Some(group) = self.groups.iter().filter(of_project).find(|one| one.id.to_string() == path) {
            return Ok(group);
        }
        let mut found: Option<&Group> = None;
        for name in names(path)? {
            let Some(group) = self.child(project.id, found.map(|group| group.id), name) else {
                let text =
                    format!("There is no group {} in the project {}.", brief(path, 80), plain(&project.name));
                return Err(missing(text).next(self.groups_that_are(project)));
            };
            found = Some(group);
        }
        found.ok_or_else(|| Failure::usage("The group has no name."))
    }

    fn groups_that_are(&self, project: &Project) -> String {
        let groups = self.groups.iter().filter(|group| group.project == project.id);
        match told(groups.map(|group| plain(&self.path(group))).collect()) {
            Some(names) => format!("There are: {names}."),
            None => {
                format!("It has none; `belfry group add {} NAME` makes one.", quoted(&plain(&project.name)))
            }
        }
    }

    /// The group of that name that lies directly in that one, the first where several are called so.
    pub(crate) fn child(&self, project: ProjectId, parent: Option<GroupId>, name: &str) -> Option<&Group> {
        let here = |group: &&Group| group.project == project && group.parent == parent && group.name == name;
        self.groups.iter().find(here)
    }

    /// A group as it is written: `outer/inner`.
    pub(crate) fn path(&self, group: &Group) -> String {
        let above = |group: &&Group| self.groups.iter().find(|one| Some(one.id) == group.parent);
        let names: Vec<&str> = std::iter::successors(Some(group), above)
            .take(self.groups.len())
            .map(|group| group.name.as_str())
            .collect();
        names.into_iter().rev().collect::<Vec<_>>().join("/")
    }
}

/// The names in a path.
pub(crate) fn names(path: &str) -> Result<Vec<&str>, Failure> {
    let names: Vec<&str> = path.split('/').map(str::trim).filter(|name| !name.is_empty()).collect();
    if names.is_empty() { Err(Failure::usage("The group has no name.")) } else { Ok(names) }
}

fn missing(text: String) -> Failure {
    Failure::new(Exit::Failed, "not_found", text)
}

fn told(names: Vec<String>) -> Option<String> {
    let more = names.len().saturating_sub(TOLD);
    let told = names.into_iter().take(TOLD).collect::<Vec<_>>().join(", ");
    match more {
        0 => Some(told).filter(|told| !told.is_empty()),
        more => Some(format!("{told} and {more} more")),
    }
}

/// A word as it can be typed in a shell.
pub(crate) fn quoted(word: &str) -> String {
    let safe = |c: char| c.is_alphanumeric() || "-_./".contains(c);
    if word.chars().all(safe) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use belfry_protocol::session::ProjectDefaults;

    use super::*;

    fn project(name: &str) -> Project {
        Project {
            id: ProjectId::at(0),
            name: name.to_owned(),
            path: format!("/{name}"),
            position: 0.0,
            defaults: ProjectDefaults::default(),
        }
    }

    fn group(project: &Project, parent: Option<GroupId>, name: &str) -> Group {
        Group {
            id: GroupId::at(0),
            project: project.id,
            parent,
            name: name.to_owned(),
            position: 0.0,
            color: None,
        }
    }

    #[test]
    fn projects_are_found_by_id_name_and_directory() {
        let projects = vec![project("a"), project("b"), project("b")];
        let tree = Tree { projects: projects.clone(), groups: Vec::new() };
        assert_eq!(tree.project("a").unwrap().id, projects[0].id);
        assert_eq!(tree.project("/a").unwrap().id, projects[0].id);
        assert_eq!(tree.project(&projects[2].id.to_string()).unwrap().id, projects[2].id);
        let twice = tree.project("b").unwrap_err();
        assert_eq!((twice.exit, twice.code.as_str()), (Exit::Usage, "ambiguous"));
        assert_eq!(twice.next.as_deref(), Some("Name its directory: /b, /b."));
        let missing = tree.project("c").unwrap_err();
        assert_eq!((missing.exit, missing.next.as_deref()), (Exit::Failed, Some("There are: a, b, b.")));
    }

    #[test]
    fn groups_nest() {
        let (one, two) = (project("a b"), project("b"));
        let outer = group(&one, None, "x");
        let inner = group(&one, Some(outer.id), "x");
        let groups = vec![group(&two, None, "y"), outer.clone(), inner.clone()];
        let tree = Tree { projects: Vec::new(), groups };
        assert_eq!(tree.group(&one, "x").unwrap().id, outer.id);
        assert_eq!(tree.group(&one, "x/x").unwrap().id, inner.id);
        assert_eq!(tree.group(&one, &inner.id.to_string()).unwrap().id, inner.id);
        assert_eq!(tree.path(&inner), "x/x");
        let missing = tree.group(&one, "y").unwrap_err();
        assert_eq!(missing.next.as_deref(), Some("There are: x, x/x."));
        assert!(tree.group(&one, "/").is_err());
        let none = Tree::default().group(&one, "x").unwrap_err();
        assert!(none.next.unwrap().contains("`belfry group add 'a b' NAME`"));
    }
}
