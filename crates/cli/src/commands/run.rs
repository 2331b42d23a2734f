//! `belfry run`: commands of a session's workspace beside it.

use belfry_client::Connection;
use belfry_protocol::workspace::{RunCommand, Scripts, WorkspaceRequest};
use belfry_protocol::{Reply, Request, Session};

use super::list::sessions;
use super::place::Tree;
use crate::args::{ListArgs, RunArgs};
use crate::context::{Context, session};
use crate::failure::Failure;
use crate::print::{Color, Table, brief, plain, shape};

/// More of a command is not read in a list.
const MOST: usize = 60;

pub(crate) async fn run(context: &Context, args: RunArgs) -> Result<(), Failure> {
    let connection = context.connect().await?;
    let wanted = args.which.session;
    if let Some(name) = args.name {
        let request = Request::Workspace(Box::new(WorkspaceRequest::Run { session: wanted, name }));
        let started = session(connection.request(request).await?)?;
        return Ok(context.printer.session(&started, |session| session.id.to_string())?);
    }
    let asked = session(connection.request(Request::ShowSession { session: wanted }).await?)?;
    // Beside such a command, the session is meant that it runs beside.
    let of = match &asked.runs_for {
        Some(of) => {
            let show = Request::ShowSession { session: of.session.to_string() };
            session(connection.request(show).await?)?
        }
        None => asked,
    };
    let lines = lines(&connection, &of).await?;
    if context.printer.json {
        return Ok(crate::print::value(&lines.iter().map(Line::json).collect::<Vec<_>>())?);
    }
    if lines.is_empty() {
        return Ok(crate::print::line(
            "No commands. Name some under `[run]` in `.belfry.toml`, or in the project's settings.",
        )?);
    }
    let mut table = Table::new(&["NAME", "STATUS", "PORTS", "COMMAND", "ID"], &[(0, 8), (3, 20)]);
    for line in &lines {
        table.row(line.cells());
    }
    for line in table.lines(context.printer.style, crate::print::width()) {
        crate::print::line(&line)?;
    }
    Ok(())
}

/// A command, and the session that runs it.
struct Line {
    command: RunCommand,
    /// The person named it, or trusts it.
    trusted: bool,
    runs: Option<Session>,
}

/// The project's own commands, then the repository's that are not called like one of them.
async fn lines(connection: &Connection, of: &Session) -> Result<Vec<Line>, Failure> {
    let tree = Tree::read(connection).await?;
    let project = tree.projects.iter().find(|project| Some(project.id) == of.project);
    let own = project.and_then(|project| project.defaults.rules.as_ref()).map(|rules| rules.run.clone());
    let request = WorkspaceRequest::Scripts { directory: of.cwd.clone() };
    let brought = match connection.request(Request::Workspace(Box::new(request))).await {
        Ok(Reply::Scripts(scripts)) => *scripts,
        // A directory of no repository brings none.
        _ => Scripts::default(),
    };
    let own = own.unwrap_or_default();
    let brought_too: Vec<RunCommand> =
        brought.rules.run.into_iter().filter(|one| own.iter().all(|own| own.name != one.name)).collect();
    let listed = sessions(connection, &ListArgs { status: Vec::new(), all: false }).await?;
    let line = |command: RunCommand, trusted: bool| {
        let runs = |one: &&Session| {
            one.runs_for.as_ref().is_some_and(|runs| runs.session == of.id && runs.name == command.name)
        };
        let runs = listed.iter().find(runs).cloned();
        Line { command, trusted, runs }
    };
    let own = own.into_iter().map(|command| line(command, true));
    Ok(own.chain(brought_too.into_iter().map(|command| line(command, brought.trusted))).collect())
}

impl Line {
    fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "name": self.command.name,
            "command": self.command.command,
            "trusted": self.trusted,
            "session": self.runs.as_ref().map(|runs| runs.id),
            "status": self.runs.as_ref().map(|runs| runs.status),
            "exit": self.runs.as_ref().and_then(|runs| runs.exit.clone()),
            "listening": self.runs.as_ref().map_or(&[][..], |runs| &runs.listening),
        })
    }

    fn cells(&self) -> Vec<(String, Option<Color>)> {
        let (status, color) = match &self.runs {
            Some(runs) => {
                let (shape, word, color) = shape(runs);
                (format!("{shape} {word}"), Some(color))
            }
            None if self.trusted => (String::new(), None),
            None => ("not trusted".to_owned(), Some(Color::Faint)),
        };
        let ports: Vec<String> =
            self.runs.iter().flat_map(|runs| &runs.listening).map(u16::to_string).collect();
        let id = self.runs.as_ref().map(|runs| runs.id.to_string()).unwrap_or_default();
        vec![
            (plain(&self.command.name), Some(Color::Bold)),
            (status, color),
            (ports.join(", "), None),
            (brief(&self.command.command, MOST), None),
            (id, None),
        ]
    }
}
