//! Projects and groups by name.

use belfry_protocol::session::{Group, Project};
use belfry_protocol::{GroupId, ProjectId, Reply, Request};

use crate::context::{Context, unexpected};
use crate::failure::{Exit, Failure};

/// Where a session is or goes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Place {
    pub project: Option<ProjectId>,
    pub group: Option<GroupId>,
}

/// The place that `project` and `group` mean; asks the daemon only where one is given.
pub(crate) async fn find(
    context: &Context,
    project: Option<&str>,
    group: Option<&str>,
) -> Result<Place, Failure> {
    let Some(project) = project else { return Ok(Place::default()) };
    match context.ask(Request::Subscribe).await? {
        Reply::Overview { projects, groups, .. } => {
            let project = find_project(&projects, project)?;
            let group = group.map(|path| find_group(&groups, project, path)).transpose()?;
            Ok(Place { project: Some(project.id), group })
        }
        other => Err(unexpected(&other)),
    }
}

fn find_project<'a>(projects: &'a [Project], wanted: &str) -> Result<&'a Project, Failure> {
    let by_id = projects.iter().find(|project| project.id.to_string() == wanted);
    let mut named = projects.iter().filter(|project| project.name == wanted || project.path == wanted);
    match (by_id, named.next(), named.next()) {
        (Some(project), ..) | (None, Some(project), None) => Ok(project),
        (None, Some(_), Some(_)) => Err(Failure::usage(format!("More than one project is called {wanted}."))
            .next("Give its id or its directory.")),
        (None, None, _) => {
            Err(Failure::new(Exit::Failed, "not_found", format!("There is no project {wanted}.")))
        }
    }
}

fn find_group(groups: &[Group], project: &Project, path: &str) -> Result<GroupId, Failure> {
    let mut parent = None;
    for name in path.split('/').filter(|name| !name.is_empty()) {
        let found = groups
            .iter()
            .find(|group| group.project == project.id && group.parent == parent && group.name == name)
            .ok_or_else(|| {
                let text = format!("There is no group {path} in the project {}.", project.name);
                Failure::new(Exit::Failed, "not_found", text)
            })?;
        parent = Some(found.id);
    }
    parent.ok_or_else(|| Failure::usage("The group has no name."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(name: &str) -> Project {
        Project { id: ProjectId::at(0), name: name.to_owned(), path: format!("/{name}"), position: 0.0 }
    }

    fn group(project: &Project, parent: Option<GroupId>, name: &str) -> Group {
        Group { id: GroupId::at(0), project: project.id, parent, name: name.to_owned(), position: 0.0 }
    }

    #[test]
    fn projects_are_found_by_id_name_and_directory() {
        let projects = [project("a"), project("b"), project("b")];
        assert_eq!(find_project(&projects, "a").unwrap().id, projects[0].id);
        assert_eq!(find_project(&projects, "/a").unwrap().id, projects[0].id);
        assert_eq!(find_project(&projects, &projects[2].id.to_string()).unwrap().id, projects[2].id);
        assert_eq!(find_project(&projects, "b").unwrap_err().exit, Exit::Usage);
        assert_eq!(find_project(&projects, "c").unwrap_err().exit, Exit::Failed);
    }

    #[test]
    fn groups_nest() {
        let (one, two) = (project("a"), project("b"));
        let outer = group(&one, None, "x");
        let inner = group(&one, Some(outer.id), "x");
        let groups = [group(&two, None, "y"), outer.clone(), inner.clone()];
        assert_eq!(find_group(&groups, &one, "x").unwrap(), outer.id);
        assert_eq!(find_group(&groups, &one, "x/x").unwrap(), inner.id);
        assert!(find_group(&groups, &one, "y").is_err());
        assert!(find_group(&groups, &one, "/").is_err());
    }
}
