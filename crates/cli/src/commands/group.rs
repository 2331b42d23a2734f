//! `belfry group`.

use belfry_client::Connection;
use belfry_protocol::session::{Group, GroupColor};
use belfry_protocol::{GroupId, ProjectId, Reply, Request};

use super::place::{Tree, names};
use crate::args::{ColorOrNone, GroupAction, OneGroup};
use crate::context::{Context, unexpected};
use crate::failure::Failure;
use crate::print::{Color, Table, plain};

pub(crate) async fn run(context: &Context, action: GroupAction) -> Result<(), Failure> {
    match action {
        GroupAction::Add { which, path, color } => add(context, &which.project, &path, color).await,
        GroupAction::Ls { project } => list(context, project.as_deref()).await,
        GroupAction::Rename { which, name } => {
            let (connection, tree, before) = found(context, &which).await?;
            let group = change(&connection, Group { name, ..before }).await?;
            let text = format!("{} is now called {}.", plain(&path_of(&tree, group.id)), plain(&group.name));
            done(context, &group, &text)
        }
        GroupAction::Move { which, into } => {
            let (connection, tree, before) = found(context, &which).await?;
            let project = tree.project(&before.project.to_string())?;
            let parent = into.as_deref().map(|into| tree.group(project, into)).transpose()?;
            let parent = parent.map(|group| group.id);
            let beside =
                tree.groups.iter().filter(|one| one.project == before.project && one.parent == parent);
            let position = beside.map(|group| group.position).fold(0.0, f64::max) + 1.0;
            let group = change(&connection, Group { parent, position, ..before }).await?;
            let name = plain(&group.name);
            let text = match parent {
                Some(parent) => format!("{name} is in {} now.", plain(&path_of(&tree, parent))),
                None => format!("{name} is at the top of {} now.", plain(&project.name)),
            };
            done(context, &group, &text)
        }
        GroupAction::Color { which, color: ColorOrNone(color) } => {
            let (connection, _, before) = found(context, &which).await?;
            let group = change(&connection, Group { color, ..before }).await?;
            let text = match color {
                Some(color) => format!("{} is {} now.", plain(&group.name), word(color)),
                None => format!("{} has no colour now.", plain(&group.name)),
            };
            done(context, &group, &text)
        }
        GroupAction::Rm(which) => {
            let (connection, tree, group) = found(context, &which).await?;
            match connection.request(Request::RemoveGroup { group: group.id }).await? {
                Reply::Done => {}
                other => return Err(unexpected(&other)),
            }
            let to = match group.parent {
                Some(parent) => format!("in {}", plain(&path_of(&tree, parent))),
                None => "at the project's top".to_owned(),
            };
            let text = format!("{} is removed; what was in it is {to} now.", plain(&group.name));
            done(context, &group, &text)
        }
    }
}

async fn add(context: &Context, project: &str, path: &str, color: Option<GroupColor>) -> Result<(), Failure> {
    let connection = context.connect().await?;
    let tree = Tree::read(&connection).await?;
    let project = tree.project(project)?;
    let names = names(path)?;
    let mut at: Option<Group> = None;
    let mut made = false;
    for (n, name) in names.iter().enumerate() {
        let parent = at.as_ref().map(|group| group.id);
        let known = if made { None } else { tree.child(project.id, parent, name) };
        at = Some(if let Some(group) = known {
            group.clone()
        } else {
            made = true;
            let color = color.filter(|_| n + 1 == names.len());
            make(&connection, project.id, parent, (*name).to_owned(), color).await?
        });
    }
    let Some(group) = at else { return Err(Failure::usage("The group has no name.")) };
    let is = if made { "is a group now" } else { "is a group already" };
    let text = format!("{} {is}, in {}.", plain(&names.join("/")), plain(&project.name));
    done(context, &group, &text)
}

async fn make(
    connection: &Connection,
    project: ProjectId,
    parent: Option<GroupId>,
    name: String,
    color: Option<GroupColor>,
) -> Result<Group, Failure> {
    group(connection.request(Request::AddGroup { project, parent, name, color }).await?)
}

async fn list(context: &Context, project: Option<&str>) -> Result<(), Failure> {
    let tree = Tree::read(&context.connect().await?).await?;
    let only = project.map(|project| tree.project(project)).transpose()?.map(|project| project.id);
    let wanted = |group: &&Group| only.is_none_or(|only| group.project == only);
    let groups: Vec<&Group> = tree.groups.iter().filter(wanted).collect();
    if context.printer.json {
        return Ok(crate::print::value(&groups)?);
    }
    if groups.is_empty() {
        return Ok(crate::print::line("No groups. `belfry group add PROJECT NAME` makes one.")?);
    }
    let mut table = Table::new(&["PROJECT", "GROUP", "COLOR"], &[(0, 12), (1, 20)]);
    for project in &tree.projects {
        for group in in_order(&groups, project.id, None) {
            table.row(vec![
                (plain(&project.name), None),
                (plain(&tree.path(group)), Some(Color::Bold)),
                (group.color.map(word).unwrap_or_default(), None),
            ]);
        }
    }
    for line in table.lines(context.printer.style, crate::print::width()) {
        crate::print::line(&line)?;
    }
    Ok(())
}

/// Groups as the window lists them: each followed by those in it.
fn in_order<'a>(groups: &[&'a Group], project: ProjectId, parent: Option<GroupId>) -> Vec<&'a Group> {
    let here = groups.iter().filter(|group| group.project == project && group.parent == parent);
    here.flat_map(|group| {
        // They lie in each other sixteen deep at the most: the daemon refuses more.
        std::iter::once(*group).chain(in_order(groups, project, Some(group.id)))
    })
    .collect()
}

async fn found(context: &Context, which: &OneGroup) -> Result<(Connection, Tree, Group), Failure> {
    let connection = context.connect().await?;
    let tree = Tree::read(&connection).await?;
    let group = tree.group(tree.project(&which.which.project)?, &which.group)?.clone();
    Ok((connection, tree, group))
}

async fn change(connection: &Connection, to: Group) -> Result<Group, Failure> {
    let Group { id, parent, name, color, position, .. } = to;
    group(connection.request(Request::ChangeGroup { group: id, parent, name, color, position }).await?)
}

fn path_of(tree: &Tree, id: GroupId) -> String {
    tree.groups.iter().find(|group| group.id == id).map(|group| tree.path(group)).unwrap_or_default()
}

fn group(reply: Reply) -> Result<Group, Failure> {
    match reply {
        Reply::Group(group) => Ok(group),
        other => Err(unexpected(&other)),
    }
}

fn word(color: GroupColor) -> String {
    let word = serde_json::to_value(color).ok();
    word.as_ref().and_then(|word| word.as_str()).unwrap_or_default().to_owned()
}

fn done(context: &Context, group: &Group, text: &str) -> Result<(), Failure> {
    let printed = if context.printer.json { crate::print::value(group) } else { crate::print::line(text) };
    Ok(printed?)
}
