//! `belfry trust`.

use std::io::{IsTerminal as _, Write as _};

use belfry_protocol::workspace::{Scripts, WorkspaceRequest, WorkspaceRules};
use belfry_protocol::{Reply, Request};

use super::new::directory;
use crate::args::TrustArgs;
use crate::context::{Context, unexpected};
use crate::failure::{Exit, Failure};
use crate::print::{block, harmless, line, plain};

pub(crate) async fn run(context: &Context, args: TrustArgs) -> Result<(), Failure> {
    let directory = directory(args.directory.as_deref())?;
    let request = WorkspaceRequest::Scripts { directory: directory.clone() };
    let scripts = match context.ask(Request::Workspace(Box::new(request))).await? {
        Reply::Scripts(scripts) => *scripts,
        other => return Err(unexpected(&other)),
    };
    if let Some(error) = &scripts.error {
        return Err(Failure::failed(format!("`.belfry.toml` cannot be read: {}.", plain(error))));
    }
    let json = context.printer.json;
    if !json {
        show(&scripts)?;
    }
    if !scripts.trusted {
        if !args.yes && !asked(json)? {
            let failure = Failure::new(Exit::Refused, "untrusted", "They are not trusted, and do not run.");
            return Err(failure.next("Read them, then say so with `--yes`."));
        }
        let trust = WorkspaceRequest::Trust { directory, hash: scripts.hash.clone() };
        context.ask(Request::Workspace(Box::new(trust))).await?;
    }
    if json {
        return Ok(crate::print::value(&Scripts { trusted: true, ..scripts })?);
    }
    Ok(line(match (scripts.trusted, is_empty(&scripts.rules)) {
        (_, true) => "The repository brings no scripts.",
        (true, false) => "They are trusted already.",
        (false, false) => "They are trusted, as they are now.",
    })?)
}

fn is_empty(rules: &WorkspaceRules) -> bool {
    rules.setup.is_none() && rules.teardown.is_none() && rules.run.is_empty()
}

fn show(scripts: &Scripts) -> Result<(), Failure> {
    if is_empty(&scripts.rules) {
        return Ok(());
    }
    line(&format!("Scripts of {}:", plain(&scripts.repository)))?;
    tell(&scripts.rules, "  ")?;
    if let Some(before) = &scripts.before {
        line("What was trusted before:")?;
        tell(before, "  ")?;
    }
    Ok(())
}

/// All of what would run: what is not shown is not read.
fn tell(rules: &WorkspaceRules, before: &str) -> Result<(), Failure> {
    let scripts = [("setup", &rules.setup), ("teardown", &rules.teardown)];
    let named = scripts.into_iter().filter_map(|(name, script)| Some((name.to_owned(), script.as_ref()?)));
    let run = rules.run.iter().map(|one| (format!("run {}", one.name), &one.command));
    for (name, script) in named.chain(run) {
        line(&format!("{before}{}:", plain(&name)))?;
        for text in block(script, usize::MAX) {
            line(&format!("{before}  {}", harmless(&text)))?;
        }
    }
    Ok(())
}

/// Whether the person says so; no where nobody is there to be asked.
fn asked(json: bool) -> Result<bool, Failure> {
    if json || !std::io::stdin().is_terminal() {
        return Ok(false);
    }
    let mut out = std::io::stderr();
    write!(out, "May they run in workspaces of this repository? [y/N] ")?;
    out.flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
