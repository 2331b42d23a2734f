//! `belfry project`.

mod fetch;

use belfry_protocol::session::{Project, ProjectDefaults, WorkspaceKind};
use belfry_protocol::{Reply, Request};

use super::new::directory;
use super::place::{Tree, quoted};
use crate::args::{Defaults, ProjectAction};
use crate::context::{Context, unexpected};
use crate::failure::{Exit, Failure};
use crate::print::{Color, Table, brief, plain, short_path};

/// More of a prompt is not read in a list.
const MOST: usize = 60;

pub(crate) async fn run(context: &Context, action: ProjectAction) -> Result<(), Failure> {
    match action {
        ProjectAction::Add { dir, into, name, defaults } if is_address(&dir) => {
            let project = fetch::run(context, dir, into, name).await?;
            begins(context, project, defaults).await
        }
        ProjectAction::Add { into: Some(_), .. } => Err(Failure::usage(
            "Two directories were given. Only an address is fetched into another place than it is in.",
        )
        .next("A repository on this machine is fetched by file:// and its path.")),
        ProjectAction::Add { dir, into: None, name, defaults } => add(context, &dir, name, defaults).await,
        ProjectAction::Ls => list(context).await,
        ProjectAction::Rename { which, name } => {
            let connection = context.connect().await?;
            let id = Tree::read(&connection).await?.project(&which.project)?.id;
            let request =
                Request::ChangeProject { project: id, name: Some(name), position: None, defaults: None };
            let project = project(connection.request(request).await?)?;
            done(context, &project, || format!("Its name is now {}.", plain(&project.name)))
        }
        ProjectAction::Rm(which) => {
            let connection = context.connect().await?;
            let tree = Tree::read(&connection).await?;
            let project = tree.project(&which.project)?;
            match connection.request(Request::RemoveProject { project: project.id }).await? {
                Reply::Done => {}
                other => return Err(unexpected(&other)),
            }
            done(context, project, || {
                format!(
                    "{} is no project any more. Its sessions stay, in none; {} is as it was.",
                    plain(&project.name),
                    plain(&project.path)
                )
            })
        }
        ProjectAction::Set { which, defaults } => {
            let connection = context.connect().await?;
            let tree = Tree::read(&connection).await?;
            let before = tree.project(&which.project)?;
            if !given(&defaults) {
                return Err(Failure::usage("Nothing was given to change.")
                    .next("Give --agent, --model, --prompt or --workspace."));
            }
            let defaults = Some(changed(before.defaults.clone(), defaults));
            let request = Request::ChangeProject { project: before.id, name: None, position: None, defaults };
            let project = project(connection.request(request).await?)?;
            done(context, &project, || match begins_with(&project.defaults) {
                with if with.is_empty() => {
                    format!("New sessions of {} begin as anywhere.", plain(&project.name))
                }
                with => format!("New sessions of {} begin with {with}.", plain(&project.name)),
            })
        }
    }
}

async fn add(context: &Context, dir: &str, name: Option<String>, defaults: Defaults) -> Result<(), Failure> {
    let connection = context.connect().await?;
    let before = Tree::read(&connection).await?;
    let path = if dir == "~" || dir.starts_with("~/") {
        dir.to_owned()
    } else {
        directory(Some(std::path::Path::new(dir)))?
    };
    let request = Request::AddProject { path, name: name.clone() };
    let mut added = project(connection.request(request).await?)?;
    let was_there = before.projects.iter().any(|known| known.id == added.id);
    if was_there && (name.is_some_and(|name| name.trim() != added.name) || given(&defaults)) {
        return Err(stays(&added));
    }
    if !was_there && given(&defaults) {
        let defaults = Some(changed(ProjectDefaults::default(), defaults));
        let request = Request::ChangeProject { project: added.id, name: None, position: None, defaults };
        match connection.request(request).await {
            Ok(reply) => added = project(reply)?,
            // All or nothing: a second try with the right word would find it there and leave it.
            Err(error) => {
                let _ = connection.request(Request::RemoveProject { project: added.id }).await;
                return Err(error.into());
            }
        }
    }
    let shown = short_path(&added.path, &connection.welcome().home);
    done(context, &added, || {
        let is = if was_there { "is a project already" } else { "is a project now" };
        format!("{} ({shown}) {is}.", plain(&added.name))
    })
}

/// Says what a fetched project's new sessions begin with, and shows it.
async fn begins(context: &Context, mut fetched: Project, defaults: Defaults) -> Result<(), Failure> {
    let connection = context.connect().await?;
    if given(&defaults) {
        let defaults = Some(changed(fetched.defaults.clone(), defaults));
        let request = Request::ChangeProject { project: fetched.id, name: None, position: None, defaults };
        let changed = connection.request(request).await.map_err(Failure::from);
        // The repository is there, and fetching it again would cost what it cost.
        fetched = project(changed.map_err(|failure| failure.kept("It is fetched, and a project."))?)?;
    }
    let shown = short_path(&fetched.path, &connection.welcome().home);
    done(context, &fetched, || format!("{} ({shown}) is a project now.", plain(&fetched.name)))
}

/// It is a project already, and something else was asked for than it has: that is not dropped in silence.
fn stays(project: &Project) -> Failure {
    let name = plain(&project.name);
    Failure::new(Exit::Failed, "exists", format!("{} is a project already, called {name}.", plain(&project.path)))
        .kept("It is as it was.")
        .next(format!(
            "`belfry project rename {0} NAME` gives it another name, `belfry project set {0}` changes what its sessions begin \
             with.",
            quoted(&plain(&project.path))
        ))
}

/// Whether git would clone from it.
fn is_address(text: &str) -> bool {
    let scheme = text.split_once("://").is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric() || c == '+')
    });
    // `user@host:path`; a directory of that name can be written with `./` before it.
    let short = text.split_once(':').is_some_and(|(host, _)| host.contains('@') && !host.contains('/'));
    scheme || short
}

fn given(defaults: &Defaults) -> bool {
    let Defaults { agent, model, prompt, workspace } = defaults;
    [agent, model, prompt].iter().any(|text| text.is_some()) || workspace.is_some()
}

/// What is given in the place of what there was; an empty text takes it away.
fn changed(before: ProjectDefaults, given: Defaults) -> ProjectDefaults {
    let text = |given: Option<String>, before: Option<String>| match given {
        Some(text) => Some(text).filter(|text| !text.is_empty()),
        None => before,
    };
    ProjectDefaults {
        agent: text(given.agent, before.agent),
        model: text(given.model, before.model),
        prompt: text(given.prompt, before.prompt),
        workspace: given.workspace.or(before.workspace),
        rules: before.rules,
    }
}

async fn list(context: &Context) -> Result<(), Failure> {
    let connection = context.connect().await?;
    let tree = Tree::read(&connection).await?;
    if context.printer.json {
        return Ok(crate::print::value(&tree.projects)?);
    }
    if tree.projects.is_empty() {
        return Ok(crate::print::line("No projects. `belfry project add DIR` adds one.")?);
    }
    let home = &connection.welcome().home;
    let mut table =
        Table::new(&["NAME", "DIRECTORY", "GROUPS", "NEW SESSIONS BEGIN WITH"], &[(0, 12), (1, 14), (3, 20)]);
    for project in &tree.projects {
        let groups = tree.groups.iter().filter(|group| group.project == project.id).count();
        table.row(vec![
            (plain(&project.name), Some(Color::Bold)),
            (short_path(&project.path, home), None),
            (groups.to_string(), None),
            (begins_with(&project.defaults), None),
        ]);
    }
    for line in table.lines(context.printer.style, crate::print::width()) {
        crate::print::line(&line)?;
    }
    Ok(())
}

fn begins_with(defaults: &ProjectDefaults) -> String {
    let mut with = Vec::new();
    with.extend(defaults.agent.as_deref().map(plain));
    with.extend(defaults.model.as_deref().map(|model| format!("model {}", plain(model))));
    with.extend(defaults.workspace.map(|kind| match kind {
        WorkspaceKind::Directory => "the directory as it is".to_owned(),
        WorkspaceKind::Worktree => "a worktree".to_owned(),
        WorkspaceKind::Clone => "a clone".to_owned(),
        WorkspaceKind::Scratch => "a fresh repository".to_owned(),
    }));
    with.extend(defaults.prompt.as_deref().map(|prompt| format!("“{}”", brief(prompt, MOST))));
    with.join(", ")
}

fn project(reply: Reply) -> Result<Project, Failure> {
    match reply {
        Reply::Project(project) => Ok(project),
        other => Err(unexpected(&other)),
    }
}

fn done(context: &Context, project: &Project, text: impl FnOnce() -> String) -> Result<(), Failure> {
    let printed =
        if context.printer.json { crate::print::value(project) } else { crate::print::line(&text()) };
    Ok(printed?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_directories() {
        for address in ["https://host/a.git", "ssh://me@host/a", "git@host:a/b.git", "file:///a"] {
            assert!(is_address(address), "{address}");
        }
        for dir in ["/a/b", ".", "~/a", "a:b", "./me@host:a", "C:\\a"] {
            assert!(!is_address(dir), "{dir}");
        }
    }

    #[test]
    fn what_is_given_replaces_what_was_there() {
        let before = ProjectDefaults {
            agent: Some("claude".to_owned()),
            model: Some("m".to_owned()),
            prompt: None,
            workspace: Some(WorkspaceKind::Clone),
            rules: None,
        };
        let given = Defaults {
            model: Some(String::new()),
            prompt: Some("p".to_owned()),
            workspace: Some(WorkspaceKind::Directory),
            agent: None,
        };
        let after = changed(before, given);
        assert_eq!(begins_with(&after), "claude, the directory as it is, “p”");
    }
}
