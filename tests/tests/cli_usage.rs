//! Usage errors, help and completions: no daemon is needed or started for them.

use belfry_tests::cli::Belfry;
use ntest::timeout;

#[test]
#[timeout(60000)]
fn usage_errors_start_nothing() {
    let belfry = Belfry::new();
    for line in [
        "",
        "nonsense",
        "new --size 1x1",
        "new --env =x",
        "ls --status x",
        "rm",
        "export a b",
        "wait a --until idle --timeout x",
        "screen a --scrollback -1",
        "serve --port 70000",
        "archive a --undo",
    ] {
        let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
        let ran = belfry.run(&words).exits(2);
        assert!(!ran.stderr.is_empty() && !ran.stderr.contains("digit"), "{line}: {}", ran.stderr);
    }
    for words in [&["new", "--name", " "][..], &["show", ""], &["project", "add", ""], &["rename", "a", ""]] {
        belfry.run(words).exits(2);
    }
    belfry.run(&["daemon", "status"]).exits(5);
}

#[test]
#[timeout(60000)]
fn usage_errors_are_json_where_that_was_asked_for() {
    let belfry = Belfry::new();
    for line in
        ["", "nonsense", "ls --status x", "rm", "send a", "wait a --until idle --timeout x", "new --size 1x1"]
    {
        let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).chain(["--json"]).collect();
        let ran = belfry.run(&words).exits(2);
        assert_eq!(ran.error_code(), "usage", "{line}");
        assert_eq!(ran.stdout, "", "{line}");
        let error: serde_json::Value = serde_json::from_str(&ran.stderr).unwrap();
        let message = error["error"]["message"].as_str().unwrap();
        assert!(!message.is_empty() && !message.contains('\n') && !message.contains("Usage:"), "{message}");
    }
    // Help is for people, and no error.
    assert!(belfry.run(&["--help", "--json"]).ok().stdout.contains("Commands:"));
    // What a program is given is its own.
    let ran = belfry.run(&["new", "--size", "1x1", "--", "program", "--json"]).exits(2);
    assert!(ran.stderr.starts_with("error:"), "{}", ran.stderr);
}

#[test]
#[timeout(60000)]
fn what_was_given_is_quoted_harmlessly() {
    let belfry = Belfry::new();
    for flag in [None, Some("--json")] {
        let words = ["no\x1b]0;t\x07such\u{9b}", "x"].into_iter().chain(flag).collect::<Vec<_>>();
        let ran = belfry.run(&words).exits(2);
        assert!(ran.stderr.contains("such"), "{}", ran.stderr);
        assert!(!ran.stderr.contains(|c: char| c.is_control() && c != '\n'), "{:?}", ran.stderr);
    }
}

#[test]
#[timeout(60000)]
fn a_relative_home_is_a_usage_error() {
    let belfry = Belfry::new();
    let output = belfry.command(&["ls"]).env("BELFRY_HOME", "here").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("absolute"), "{said}");
    assert!(!belfry.home().join("here").exists());
}

#[test]
#[timeout(60000)]
fn completions_are_made_for_every_shell() {
    let belfry = Belfry::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = belfry.run(&["completions", shell]).ok().stdout;
        for word in ["attach", "scrollback", "asciicast"] {
            assert!(script.contains(word), "{word} is not completed in {shell}");
        }
    }
    belfry.run(&["completions", "tcsh"]).exits(2);
    let script = belfry.run(&["completions", "bash"]).ok().stdout;
    let path = belfry.write("completions.bash", &script);
    let checked = std::process::Command::new("bash").arg("-n").arg(path).status().unwrap();
    assert!(checked.success());
}

#[test]
#[timeout(60000)]
fn the_page_about_the_command_line_names_every_command_and_flag() {
    let belfry = Belfry::new();
    let page = include_str!("../../crates/cli/README.md");
    let help = belfry.run(&["--help"]).ok().stdout;
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands: Vec<&str> = commands
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        // The parser's own.
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.len() > 20, "{commands:?}");
    for command in commands {
        assert!(page.contains(&format!("belfry {command}")), "`belfry {command}` is not on the page");
        let help = belfry.run(&[command, "--help"]).ok().stdout;
        for word in help.split_whitespace().filter(|word| word.starts_with("--")) {
            let flag = word
                .split(['=', '['])
                .next()
                .unwrap_or(word)
                .trim_end_matches([',', '.', ';', ':', ')', ']']);
            assert!(flag == "--help" || page.contains(flag), "{flag} of {command} is not on the page");
        }
    }
}
