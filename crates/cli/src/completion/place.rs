//! Which argument stands at a place of a command line.

use clap::{Arg, Command};

/// What only the daemon can complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// A session, for that command.
    Session {
        /// The command's name.
        command: String,
    },
    /// A workspace, for that command.
    Workspace {
        /// The command's name.
        command: String,
    },
    /// A project.
    Project,
    /// A group of this project.
    Group {
        /// As it is written in the line.
        project: String,
    },
    /// A choice of this session's question.
    Choice {
        /// As it is written in the line.
        session: String,
    },
}

/// What is wanted after `before`, the program's name first, where `current` begins; none where that is not for us.
pub(crate) fn wanted(grammar: &Command, before: &[String], current: &str) -> Option<Wanted> {
    let mut command = grammar;
    let mut given: Vec<&str> = Vec::new();
    // The option whose value comes next.
    let mut option: Option<&Arg> = None;
    let mut only_words = false;
    let mut project = None;
    for word in before.get(1..)? {
        if let Some(option) = option.take() {
            if option.get_long() == Some("project") {
                project = Some(word.as_str());
            }
            continue;
        }
        if !only_words && word == "--" {
            only_words = true;
        } else if let Some(long) = word.strip_prefix("--").filter(|_| !only_words) {
            option = command.get_opts().find(|arg| arg.get_long() == Some(long));
        } else if only_words || !word.starts_with('-') || word == "-" {
            match command.find_subcommand(word).filter(|_| command.has_subcommands()) {
                Some(below) => command = below,
                None => given.push(word),
            }
        }
    }
    let argument = match option {
        Some(option) => option,
        None if current.starts_with('-') && !only_words => return None,
        None => command.get_positionals().nth(given.len())?,
    };
    match argument.get_value_names()?.first()?.as_str() {
        "SESSION" => Some(Wanted::Session { command: command.get_name().to_owned() }),
        "WORKSPACE" => Some(Wanted::Workspace { command: command.get_name().to_owned() }),
        "PROJECT" => Some(Wanted::Project),
        "GROUP" => {
            // In `belfry group` it stands before the group, elsewhere it is an option.
            let before = given.first().copied().filter(|_| project_first(command));
            let project = project.or(before)?;
            Some(Wanted::Group { project: project.to_owned() })
        }
        "CHOICE" => Some(Wanted::Choice { session: (*given.first()?).to_owned() }),
        _ => None,
    }
}

fn project_first(command: &Command) -> bool {
    let first = command.get_positionals().next().and_then(Arg::get_value_names);
    first.and_then(<[_]>::first).is_some_and(|name| name.as_str() == "PROJECT")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn at(line: &str) -> Option<Wanted> {
        let mut grammar = crate::args::Arguments::command();
        grammar.build();
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let current = words.pop().unwrap();
        wanted(&grammar, &words, &current)
    }

    #[test]
    fn sessions_are_wanted_where_the_grammar_has_them() {
        for command in [
            "show",
            "screen",
            "attach",
            "send",
            "keys",
            "answer",
            "explain",
            "wait",
            "rename",
            "move",
            "archive",
            "kill",
            "restart",
            "rm",
            "restore",
            "export",
            "pin",
            "mute",
            "snooze",
            "focus",
            "duplicate",
            "diff",
        ] {
            let wanted = Some(Wanted::Session { command: command.to_owned() });
            assert_eq!(at(&format!("belfry {command} ")), wanted, "{command}");
            assert_eq!(at(&format!("belfry --json {command} a")), wanted, "{command}");
        }
        for line in [
            "belfry wait --until idle ",
            "belfry events --session ",
            "belfry send --list a",
            "belfry rm -- a",
            "belfry checkpoint go ",
            "belfry diff --stat a",
        ] {
            assert!(matches!(at(line), Some(Wanted::Session { .. })), "{line}");
        }
    }

    #[test]
    fn workspaces_are_wanted_where_one_is_removed_or_brought_back() {
        for command in ["rm", "restore"] {
            let wanted = Some(Wanted::Workspace { command: command.to_owned() });
            assert_eq!(at(&format!("belfry worktree {command} ")), wanted, "{command}");
        }
    }

    #[test]
    fn choices_are_wanted_after_a_session() {
        assert_eq!(at("belfry answer a "), Some(Wanted::Choice { session: "a".to_owned() }));
        assert_eq!(at("belfry answer --json a y"), Some(Wanted::Choice { session: "a".to_owned() }));
    }

    #[test]
    fn projects_and_groups_are_wanted_where_the_grammar_has_them() {
        for line in [
            "belfry project rm ",
            "belfry project set --agent claude a",
            "belfry new --project ",
            "belfry move a --project p",
            "belfry group ls ",
            "belfry group add ",
        ] {
            assert_eq!(at(line), Some(Wanted::Project), "{line}");
        }
        for line in [
            "belfry group rm p ",
            "belfry group move p g --into ",
            "belfry new --project p --group a",
            "belfry move s --project p --group ",
        ] {
            assert_eq!(at(line), Some(Wanted::Group { project: "p".to_owned() }), "{line}");
        }
        for line in
            ["belfry project add ", "belfry group add p ", "belfry move s --group ", "belfry snooze s "]
        {
            assert_eq!(at(line), None, "{line}");
        }
    }

    #[test]
    fn the_rest_is_the_grammar_s() {
        for line in [
            "belfry ",
            "belfry sh",
            "belfry new --agent ",
            "belfry new ",
            "belfry show a ",
            "belfry show --",
            "belfry screen --scrollback ",
            "belfry rename a ",
            "belfry export a --asciicast ",
            "belfry daemon ",
            "belfry nonsense ",
            "",
        ] {
            assert_eq!(at(line), None, "{line}");
        }
    }
}
