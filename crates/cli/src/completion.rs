//! Completion in shells: scripts made from the same grammar that parses, and for bash, zsh and fish a function that asks
//! `belfry complete` for what only the daemon knows: sessions, and the choices of an open question.
//!
//! A person has pressed Tab and waits: no daemon is started for it, and after [`PATIENCE`] there is nothing to offer.

mod bash;
mod candidates;
mod place;

use std::io::Write;
use std::time::Duration;

use belfry_protocol::workspace::{Workspace, WorkspaceRequest};
use belfry_protocol::{Reply, Request};
use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::{Arguments, CompleteArgs, ListArgs};
use crate::commands::Tree;
use crate::context::{Context, options};
use crate::failure::Failure;

use bash::Line;
use candidates::Candidate;
use place::Wanted;

/// Longer than this nobody waits for a Tab.
const PATIENCE: Duration = Duration::from_millis(500);

/// More than these are no help.
const MOST: usize = 500;

/// Stands first where the place is one that we know, also where nothing fits: then file names do not either.
const OURS: &str = ":";

/// How candidates are written for a shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Dialect {
    /// Quoted as they are to stand in the line, one a line.
    Bash,
    /// A word, a tab and what it is; zsh quotes by itself.
    Zsh,
    /// The same; fish quotes by itself.
    Fish,
}

/// Prints a shell's script.
pub(crate) fn script(shell: Shell) -> std::io::Result<()> {
    std::io::stdout().lock().write_all(text(shell).as_bytes())
}

fn text(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut grammar(), "belfry", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    match shell {
        // The function from the grammar is asked where the place is none of ours.
        Shell::Bash => {
            let registered = script.find("\nif [[ \"${BASH_VERSINFO[0]}\"").unwrap_or(script.len());
            script[..registered].to_owned() + include_str!("completion/bash.sh")
        }
        Shell::Zsh => {
            let renamed = script.replacen("\n_belfry() {", "\n_belfry_grammar() {", 1);
            let called = renamed.find("\nif [ \"$funcstack[1]\"").unwrap_or(renamed.len());
            renamed[..called].to_owned() + include_str!("completion/zsh.sh")
        }
        Shell::Fish => script + include_str!("completion/fish.fish"),
        _ => script,
    }
}

/// What is there for people: commands that only programs call are not offered.
fn grammar() -> clap::Command {
    let whole = Arguments::command();
    let shown = whole.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    let about = whole.get_about().cloned().unwrap_or_default();
    clap::Command::new("belfry")
        .about(about)
        .version(env!("CARGO_PKG_VERSION"))
        .args(whole.get_arguments().cloned())
        .subcommands(shown)
}

/// Answers one Tab.
pub(crate) async fn complete(context: &Context, args: &CompleteArgs) -> Result<(), Failure> {
    let words: Vec<String> = args.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let line = match args.shell {
        Dialect::Bash => Line::read(&words),
        Dialect::Zsh => words.split_last().map(|(current, before)| Line::of(before, current)),
        // Fish gives the word under the cursor as it is written.
        Dialect::Fish => {
            words.split_last().map(|(current, before)| Line::of(before, &bash::unquoted(current)))
        }
    };
    let Some(line) = line else { return Ok(()) };
    let mut grammar = Arguments::command();
    grammar.build();
    let Some(wanted) = place::wanted(&grammar, &line.before, &line.current) else { return Ok(()) };
    let known = tokio::time::timeout(PATIENCE, known(context, &wanted)).await;
    let (sessions, tree) = known.ok().and_then(Result::ok).unwrap_or_default();
    let mut found = match &wanted {
        Wanted::Workspace { command } => {
            let known = tokio::time::timeout(PATIENCE, workspaces(context)).await;
            candidates::workspaces(
                command,
                &known.ok().and_then(Result::ok).unwrap_or_default(),
                &line.current,
            )
        }
        _ => candidates::of(&wanted, &sessions, &tree, &line.current),
    };
    found.truncate(MOST);
    let mut text = format!("{OURS}\n");
    for candidate in found {
        text.push_str(&written(&candidate, args.shell, &line));
        text.push('\n');
    }
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}

fn written(candidate: &Candidate, shell: Dialect, line: &Line) -> String {
    match shell {
        Dialect::Bash => line.inserted(&candidate.word),
        Dialect::Zsh | Dialect::Fish => format!("{}\t{}", candidate.word, candidate.about),
    }
}

type Known = (Vec<belfry_protocol::Session>, Tree);

async fn known(context: &Context, wanted: &Wanted) -> Result<Known, Failure> {
    let options = belfry_client::ConnectOptions { timeout: PATIENCE, ..options() };
    let connection = belfry_client::connect(&context.home, &options).await?;
    match wanted {
        Wanted::Workspace { .. } => Ok(Known::default()),
        Wanted::Project | Wanted::Group { .. } => Ok((Vec::new(), Tree::read(&connection).await?)),
        Wanted::Session { .. } | Wanted::Choice { .. } => {
            let all = ListArgs { status: Vec::new(), all: true };
            Ok((crate::commands::sessions(&connection, &all).await?, Tree::default()))
        }
    }
}

async fn workspaces(context: &Context) -> Result<Vec<Workspace>, Failure> {
    let options = belfry_client::ConnectOptions { timeout: PATIENCE, ..options() };
    let connection = belfry_client::connect(&context.home, &options).await?;
    let list = Request::Workspace(Box::new(WorkspaceRequest::List { disk: false }));
    match connection.request(list).await? {
        Reply::Workspaces(workspaces) => Ok(workspaces),
        other => Err(crate::context::unexpected(&other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_ask_for_what_only_the_daemon_knows() {
        for (shell, parts) in [
            (Shell::Bash, ["complete -F _belfry_complete", "_belfry \"$@\""]),
            (Shell::Zsh, ["\n_belfry() {", "\n_belfry_grammar() {"]),
            (Shell::Fish, ["belfry complete fish", "-l scrollback"]),
        ] {
            let script = text(shell);
            for part in parts {
                assert_eq!(script.matches(part).count().min(1), 1, "{part} in {shell}");
            }
        }
        let script = text(Shell::Bash);
        assert!(!script.contains("complete -F _belfry -o"), "registered once");
    }

    #[test]
    fn commands_for_programs_are_not_offered() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::Elvish, Shell::PowerShell] {
            let script = text(shell);
            assert!(!script.contains("What the completion scripts ask"), "{shell}");
            assert!(!script.contains("subcmd__complete\""), "{shell}");
        }
    }
}
