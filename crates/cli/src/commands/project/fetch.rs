//! `belfry project add URL`: the daemon fetches, and this shows how far it is.

use std::io::{IsTerminal, Write};

use belfry_protocol::session::Project;
use belfry_protocol::workspace::{CloneEnd, Cloning, WorkspaceRequest};
use belfry_protocol::{Event, ProjectId, Reply, Request};

use crate::commands::new::{directory, own_environment};
use crate::commands::place::Tree;
use crate::commands::watch::Watch;
use crate::context::{Context, unexpected};
use crate::failure::{Exit, Failure};
use crate::print::{plain, short_path};

/// Cells of the bar.
const BAR: usize = 24;

/// Fetches, and gives the project that came of it.
pub(super) async fn run(
    context: &Context,
    url: String,
    into: Option<String>,
    name: Option<String>,
) -> Result<Project, Failure> {
    let path = match into {
        Some(dir) if dir == "~" || dir.starts_with("~/") => Some(dir),
        Some(dir) => Some(directory(Some(std::path::Path::new(&dir)))?),
        None => None,
    };
    // Subscribed first, so that no event is missed.
    let mut watch = Watch::start(context).await?;
    let base_env = Some(own_environment());
    let request = WorkspaceRequest::CloneProject { url, path, name, base_env };
    let begun = match context.ask(Request::Workspace(Box::new(request))).await? {
        Reply::Cloning(cloning) => *cloning,
        other => return Err(unexpected(&other)),
    };
    let home = context.connect().await?.welcome().home.clone();
    let mut bar = Bar::new(context.printer.json);
    bar.say(&format!("Fetching {} into {}", plain(&begun.url), short_path(&begun.path, &home)));
    let ended = follow(context, &mut watch, &begun, &mut bar).await;
    bar.clear();
    match ended? {
        CloneEnd::Done => {
            let connection = context.connect().await?;
            let tree = Tree::read(&connection).await?;
            // One that was a project before its directory was gone has its old id.
            let of = |project: &&Project| project.id == begun.id || project.path == begun.path;
            let found = tree.projects.iter().find(of).cloned();
            found.ok_or_else(|| {
                Failure::failed("The repository is fetched, and its project was removed meanwhile.")
            })
        }
        CloneEnd::Cancelled => {
            Err(Failure::new(Exit::Failed, "cancelled", "It was stopped; nothing was left behind."))
        }
        CloneEnd::Failed { error } => Err(error.into()),
    }
}

async fn follow(
    context: &Context,
    watch: &mut Watch,
    begun: &Cloning,
    bar: &mut Bar,
) -> Result<CloneEnd, Failure> {
    let mut stopping = false;
    loop {
        let event = tokio::select! {
            event = watch.next() => event?,
            stopped = tokio::signal::ctrl_c() => {
                stopped?;
                if stopping {
                    let left = Failure::new(Exit::Failed, "cancelled", "The daemon has not said yet that it stopped.");
                    return Err(left);
                }
                stopping = true;
                cancel(context, begun.id).await?;
                continue;
            }
        };
        match event {
            Event::Cloning { cloning } if cloning.id == begun.id => match cloning.end {
                Some(end) => return Ok(end),
                None => bar.show(&cloning.step, cloning.percent),
            },
            Event::Stopping => {
                let message = "The daemon ended before the repository was there; nothing was left behind.";
                return Err(Failure::new(Exit::NoDaemon, "no_daemon", message)
                    .next("Give the command again; it starts the daemon."));
            }
            _ => {}
        }
    }
}

/// It may have ended in this moment; then its end is told anyway.
async fn cancel(context: &Context, id: ProjectId) -> Result<(), Failure> {
    let request = Request::Workspace(Box::new(WorkspaceRequest::CancelClone { id }));
    match context.ask(request).await {
        Err(failure) if failure.is(belfry_protocol::ErrorCode::NotFound) => Ok(()),
        asked => asked.map(drop),
    }
}

/// One line on the standard error, drawn over and over; nothing where that is no terminal.
struct Bar {
    on: bool,
}

impl Bar {
    fn new(json: bool) -> Self {
        Self { on: !json && std::io::stderr().is_terminal() }
    }

    fn say(&self, text: &str) {
        if self.on {
            let _ = writeln!(std::io::stderr(), "{text}");
        }
    }

    fn show(&mut self, step: &str, percent: Option<u8>) {
        if self.on {
            // A terminal that is narrower than it wraps, and the next one is drawn below.
            let _ = write!(std::io::stderr(), "\r{}\x1b[K", drawn(&plain(step), percent));
        }
    }

    fn clear(&mut self) {
        if self.on {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

fn drawn(step: &str, percent: Option<u8>) -> String {
    let Some(percent) = percent else { return format!("{step} …") };
    let full = usize::from(percent.min(100)) * BAR / 100;
    format!("{step:<20} [{}{}] {percent:>3} %", "#".repeat(full), " ".repeat(BAR - full))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_full_as_it_says() {
        assert_eq!(
            drawn("Receiving objects", Some(50)),
            "Receiving objects    [############            ]  50 %"
        );
        assert_eq!(drawn("x", Some(100)).matches('#').count(), BAR);
        assert_eq!(drawn("Connecting", None), "Connecting …");
    }
}
