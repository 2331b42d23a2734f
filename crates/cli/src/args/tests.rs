use clap::CommandFactory;

use super::*;

fn parsed(line: &[&str]) -> Result<Command, clap::Error> {
    Arguments::try_parse_from(std::iter::once("belfry").chain(line.iter().copied())).map(|all| all.command)
}

#[test]
fn the_grammar_is_sound() {
    Arguments::command().debug_assert();
}

#[test]
fn the_contract_s_forms_are_taken() {
    for line in [
        "new --agent claude --cwd /tmp --name n --project p --group a/b --worktree br --model m",
        "new --agent codex --clone --system-prompt s --prompt p --env A=1 --env B=a=b --size 80x24",
        "new --agent shell --scratch -- sh -c true",
        "new --worktree --agent claude",
        "new --worktree=a/b --base origin/dev",
        "new --clone=b --prompt p",
        "new --pr 17",
        "new --directory -- htop",
        "trust",
        "trust /d --yes",
        "ls --status idle --status done --all --json",
        "show a",
        "screen a --ansi --scrollback 10",
        "diff a --stat --staged --json",
        "diff a --base",
        "diff a --since 1234 --until 5678",
        "checkpoint ls a",
        "checkpoint make a label",
        "checkpoint go a 1234",
        "attach a",
        "send a text --now",
        "keys a Enter Esc C-c Up - --",
        "keys --text a Enter",
        "answer a y",
        "answer a --text words",
        "answer a 3 --text words",
        "answer a --fingerprint f y",
        "answer a",
        "send a --list",
        "send --list a",
        "send --cancel m",
        "send a --cancel m",
        "explain a --json",
        "complete zsh -- belfry show --json -x",
        "wait a --until idle,dead --timeout 0.5",
        "wait a --until attention",
        "project add . --name n --agent claude --model m --prompt p --workspace worktree",
        "project ls",
        "project rename p n",
        "project rm p",
        "project set p --prompt --x",
        "group add p a/b --color teal",
        "group ls",
        "group rename p a/b c",
        "group move p a --into b",
        "group move p a",
        "group color p a none",
        "group rm p a",
        "pin a --off",
        "mute a",
        "snooze a 15m",
        "snooze a tomorrow",
        "focus",
        "focus --next",
        "focus a",
        "duplicate a",
        "events --session a",
        "rename a b",
        "move a --project p --group g",
        "archive a",
        "archive a --off",
        "mute a --off",
        "settings set agents.claude.env.EDITOR vi",
        "settings unset agents.claude.env.EDITOR",
        "settings reset keys",
        "kill a",
        "restart a",
        "rm a --now",
        "export a --asciicast file",
        "export a --markdown file --force",
        "daemon start",
        "daemon run",
        "doctor --json",
        "serve",
        "completions bash",
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        parsed(&words).unwrap_or_else(|error| panic!("{line}: {error}"));
    }
}

#[test]
fn wrong_forms_are_usage_errors() {
    for line in [
        "new --worktree b --clone",
        "new --size 80",
        "new --env NOVALUE",
        "ls --status sleeping",
        "answer",
        "send a",
        "send a text --list",
        "send a text --cancel m",
        "send --list",
        "explain",
        "wait a",
        "ls --status attention",
        "project",
        "project set p --workspace cupboard",
        "group add p",
        "group color p a mauve",
        "group color p a off",
        "archive a --undo",
        "snooze a",
        "snooze a never",
        "focus a --next",
        "wait a --until idle --timeout -1",
        "export a file",
        "export a --asciicast --markdown file",
        "move a --group g",
        "daemon",
        "",
    ] {
        let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
        let error = parsed(&words).err().unwrap_or_else(|| panic!("`{line}` was taken"));
        assert_eq!(error.exit_code(), 2, "{line}");
    }
}

#[test]
fn what_is_empty_is_said_to_be() {
    for line in [
        &["show", ""][..],
        &["rename", "a", "  "],
        &["new", "--name", ""],
        &["new", "--agent", " "],
        &["new", "--cwd", ""],
        &["new", "--project", ""],
        &["move", "a", "--project", "\t"],
        &["project", "add", ""],
        &["project", "add", ".", "--name", " "],
        &["project", "rename", "p", ""],
        &["group", "add", "p", ""],
        &["group", "rename", "p", "g", ""],
        &["settings", "get", ""],
        &["focus", ""],
        &["events", "--session", ""],
    ] {
        let error = parsed(line).err().unwrap_or_else(|| panic!("{line:?} was taken"));
        let text = error.to_string();
        assert!(
            error.exit_code() == 2 && (text.contains("empty") || text.contains("visible")),
            "{line:?}: {text}"
        );
    }
    parsed(&["new", "--model", "", "--prompt", ""]).expect("they take away what the project begins with");
    let long = "n".repeat(201);
    let error = parsed(&["rename", "a", &long]).expect_err("too long").to_string();
    assert!(error.contains("200 characters at the most, and this one has 201"), "{error}");
    parsed(&["rename", "a", &long[1..]]).expect("as long as may be");
}
