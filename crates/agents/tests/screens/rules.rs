//! Files of rules: the person's own, bad ones, and the documented example.

use std::fs;
use std::path::Path;

use belfry_agents::{Agents, AnswerBy, Place};
use belfry_protocol::ask::{AskKind, Risk};
use belfry_protocol::signal::{Says, Source};

use super::given::Screen;

fn with(files: &[(&str, &str)]) -> (Agents, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let (agents, bad) = Agents::with_files(folder.path());
    (agents, bad.iter().map(ToString::to_string).collect())
}

#[test]
#[ntest::timeout(60000)]
fn a_bad_file_is_told_by_line_and_column_and_leaves_the_built_in_rules() {
    for (text, line, column, why) in [
        ("[screen]\nbusy = 1\n", 2, 8, "it has to be a list"),
        ("[[screen.busy]]\nname = \"x\"\nfind = '/(/'\n", 3, 8, "unclosed group"),
        ("[[screen.busy]]\nname = \"x\"\nfind = \"\"\n", 3, 8, "found everywhere"),
        ("[[screen.busy]]\nname = \"x\"\nfind = \"y\"\nwhere = \"above\"\n", 4, 9, "`above`"),
        ("[screen]\n\ncomposr = { marker = \">\" }\n", 3, 1, "`composr`"),
        ("[[screen.dialog]]\nname = \"x\"\nkind = \"approvl\"\n", 3, 8, "`approvl`"),
        ("[[sign]]\nname = \"x\"\nsource = \"titel\"\n", 3, 10, "`titel`"),
        ("[trust]\nscreen = { rank = -1 }\n", 2, 19, "-1"),
        (
            "[[versions]]\nbelow = \"2\"\nscreen = { busy = [{ name = \"x\", find = '/[/' }] }\n",
            3,
            41,
            "unclosed character class",
        ),
        ("name = \"x\n", 1, 10, ""),
    ] {
        let (agents, bad) = with(&[("claude.toml", text)]);
        let place = format!("line {line}, column {column}");
        let found = bad.first().map_or("", String::as_str);
        assert!(
            found.contains("claude.toml") && found.contains(&place) && found.contains(why),
            "{text}\n{bad:?}"
        );
        let line = "─".repeat(40);
        let busy = format!("{line}\n❯\n{line}\n  esc to interrupt");
        let reading = agents.get("claude").unwrap().read(None, &Screen::at_prompt(&busy).view());
        assert_eq!(reading.place, Place::Working);
    }
    let (_, bad) = with(&[("mine.toml", "programs = [\"mine\"]\n")]);
    assert!(bad[0].contains("`name` is missing"), "{bad:?}");
}

#[test]
#[ntest::timeout(60000)]
fn rules_of_the_same_name_are_replaced_and_others_come_first() {
    let text = "[[screen.busy]]\nname = \"hint to interrupt\"\nwhere = \"footer\"\nfind = \"press x to stop\"\n\
                [[screen.dialog]]\nname = \"mine\"\nkind = \"plan\"\nall = [\"Do you want to proceed?\"]\nanswer = \"key\"\n";
    let (agents, bad) = with(&[("claude.toml", text)]);
    assert_eq!(bad, Vec::<String>::new());
    let claude = agents.get("claude").unwrap();
    let line = "─".repeat(40);
    let place = |footer: &str| {
        let rows = format!("{line}\n❯\n{line}\n  {footer}");
        claude.read(None, &Screen::at_prompt(&rows).view()).place
    };
    assert_eq!((place("esc to interrupt"), place("press x to stop")), (Place::Prompt, Place::Working));
    let dialog = " Bash command\n Do you want to proceed?\n ❯ 1. Yes\n   2. No";
    let reading = claude.read(None, &Screen::at_prompt(dialog).view());
    assert_eq!(
        reading.dialog.map(|dialog| (dialog.rule, dialog.kind)),
        Some(("mine".to_owned(), AskKind::Plan))
    );
}

#[test]
#[ntest::timeout(60000)]
fn versions_have_their_own_parts() {
    let agents = Agents::built_in();
    let claude = agents.get("claude").unwrap();
    let first = |version: Option<&str>| claude.trust(version)[0].0;
    assert_eq!(first(None), Source::Program);
    assert_eq!(first(Some("2.1.332")), Source::Program);
    assert_eq!(first(Some("2.1.197")), Source::Registry);
    assert!(claude.trust(Some("2.1.197")).iter().all(|(source, _)| *source != Source::Program));
    assert_eq!(claude.measured("2.1.197"), Some(true));
    assert_eq!(claude.measured("2.1.250"), Some(true));
    assert_eq!(claude.measured("2.2.0"), Some(false));
    assert_eq!(claude.measured("1.9.999"), Some(false));
    let (agents, bad) = with(&[(
        "mine.toml",
        "name = \"Mine\"\n[[sign]]\nname = \"t\"\nsource = \"title\"\nfind = \"*\"\nsays = \"working\"\n\
         [[versions]]\nfrom = \"2.0\"\nbelow = \"3\"\nsign = [{ name = \"t\", source = \"title\", find = \"*\", says = \"idle\" }]\n",
    )]);
    assert_eq!(bad, Vec::<String>::new());
    let says = |version| {
        let sign = agents.get("mine").unwrap().sign(version, belfry_agents::Emitted::Title("* x"));
        sign.and_then(|sign| sign.says)
    };
    assert_eq!(says(None), Some(Says::Working));
    assert_eq!(says(Some("1.99.9")), Some(Says::Working));
    assert_eq!(says(Some("2.0.0")), Some(Says::Idle));
    assert_eq!(says(Some("3.0.0-beta.1")), Some(Says::Working));
}

#[test]
#[ntest::timeout(60000)]
fn the_documented_example_does_what_the_text_says() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/agents.md");
    let guide = fs::read_to_string(guide).unwrap();
    let block = |language: &str, with: &str| {
        let fence = format!("```{language}\n");
        let mut blocks = guide.split(&fence).skip(1).filter_map(|rest| rest.split("```").next());
        blocks.find(|block| block.contains(with)).unwrap().to_owned()
    };
    let change = block("toml", "new hint");
    let (agents, bad) = with(&[("quill.toml", &block("toml", "name = \"Quill\"")), ("claude.toml", &change)]);
    assert_eq!(bad, Vec::<String>::new());
    let quill = agents.get("quill").unwrap();
    let reading = quill.read(None, &Screen::at_prompt(&block("text", "Run this command?")).view());
    let dialog = reading.dialog.unwrap();
    assert_eq!(dialog.detail.command.as_deref(), Some("rm -rf build && make test"));
    assert_eq!((dialog.risk, dialog.answer), (Risk::High, AnswerBy::Key));
    assert_eq!(dialog.risk_reason.as_deref(), Some("deletes directories with all they hold"));
    assert_eq!(dialog.choices.len(), 3);
    assert!(dialog.choices[2].refuses);
}
