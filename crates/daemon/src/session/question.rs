//! Whether a program that has no rules of its own asks the person something: it sleeps until something is typed, and the
//! row of the cursor looks like a question, or what is typed is not shown, as for a password.
//!
//! Neither alone is enough. A shell at its prompt sleeps in the same way, and any log can be full of `[y/N]`.

use belfry_agents::{AnswerBy, Dialog};
use belfry_protocol::ask::{AskDetail, AskKind, Choice, Risk};
use belfry_protocol::keeper::{Front, Waits};

/// Programs that edit a line of their own at their prompt, which is no question.
const SHELLS: &[&str] = &[
    "sh", "dash", "bash", "zsh", "fish", "ksh", "mksh", "tcsh", "csh", "nu", "pwsh", "elvish", "xonsh", "ash",
];

/// Longest question that is shown, in characters.
const LONGEST: usize = 300;

/// What is seen of a program's terminal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    /// The cursor's row up to the cursor.
    pub(crate) row: &'a str,
    /// The rows above it.
    pub(crate) above: &'a [String],
    /// What is typed is shown.
    pub(crate) echo: bool,
    /// The program gets whole lines.
    pub(crate) lines: bool,
    /// The program has the whole screen to itself, as an editor has.
    pub(crate) alternate: bool,
    /// A paste is not marked as one (mode 2004 is off), by a program that has marked them before.
    pub(crate) unmarked: bool,
    /// The process in front.
    pub(crate) front: &'a Front,
}

/// Whether a process is a shell that sleeps until something is typed.
pub(crate) fn is_shell(front: &Front) -> bool {
    let waits = matches!(front.waits, Waits::Reads | Waits::Polls);
    waits && SHELLS.contains(&front.name.trim_start_matches('-'))
}

/// Whether a shell edits a line at its prompt. Its editor shows what is typed itself, key by key; `read -n1`, which a function or
/// the person has it run, leaves that to the terminal, `read` wants whole lines, and neither marks pastes. A script has no
/// prompt at all.
pub(crate) fn edits_a_line(front: &Front, echo: bool, lines: bool, unmarked: bool) -> bool {
    is_shell(front) && !lines && !echo && !unmarked && is_interactive(&front.command)
}

/// Whether a shell with that command line has a prompt: it is given no script.
fn is_interactive(command: &str) -> bool {
    let mut words = command.split_whitespace().skip(1);
    while let Some(word) = words.next() {
        match word {
            "--rcfile" | "--init-file" | "-O" | "+O" | "-o" | "+o" => {
                words.next();
            }
            _ if word.starts_with("--") || word.starts_with('+') => {}
            _ if word.starts_with('-') && word.contains('c') => return false,
            _ if word.starts_with('-') && word.contains('i') => return true,
            _ if word.starts_with('-') => {}
            _ => return false,
        }
    }
    true
}

/// The question, where there is one.
pub(crate) fn question(seen: Seen<'_>) -> Option<Dialog> {
    let reads = seen.front.waits == Waits::Reads;
    let edits = edits_a_line(seen.front, seen.echo, seen.lines, seen.unmarked);
    if seen.alternate || edits || !(reads || seen.front.waits == Waits::Polls) {
        return None;
    }
    let row = plain(seen.row);
    let nearest = seen.above.iter().rev().find(|row| !row.trim().is_empty());
    let above = plain(nearest.map_or("", String::as_str));
    let menu = if reads && seen.lines && !row.is_empty() { menu(seen.above) } else { Vec::new() };
    // Whatever it says, as long as it says something: a program may have no need for an echo.
    let secret = seen.lines && !seen.echo && reads && row.chars().any(char::is_alphabetic);
    let keyed = press_a_key(&row) || (row.is_empty() && press_a_key(&above));
    if !secret && !keyed && menu.is_empty() && !looks_like_a_question(&row) {
        return None;
    }
    let worded = row.chars().any(char::is_alphabetic);
    let text = match (row.is_empty(), menu.is_empty() || worded) {
        (true, _) => above,
        (false, true) => row.clone(),
        // What `select` asks with is `#?`.
        (false, false) => "Which one?".to_owned(),
    };
    let choices = match yes_or_no(&row) {
        _ if secret || keyed => Vec::new(),
        none if none.is_empty() => menu,
        choices => choices,
    };
    // One key is read, and what follows is somebody else's.
    let one_key = !seen.lines && is_shell(seen.front) && !choices.is_empty();
    Some(Dialog {
        rule: if secret { "input that is not shown" } else { "input" }.to_owned(),
        kind: if keyed && !secret { AskKind::Enter } else { AskKind::Input },
        approves: None,
        text: cut(&text, LONGEST),
        choices,
        selected: None,
        answer: match (keyed && !secret, one_key) {
            (true, _) => AnswerBy::Enter,
            (false, true) => AnswerBy::Key,
            (false, false) => AnswerBy::Line,
        },
        takes_text: (secret || !keyed) && !one_key,
        tick: None,
        submit: None,
        enter_opens_text: false,
        detail: AskDetail {
            command: Some(cut(&plain(&seen.front.command), LONGEST)),
            ..AskDetail::default()
        },
        risk: Risk::Low,
        risk_reason: None,
    })
}

/// Without control characters, trimmed.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect::<String>().trim().to_owned()
}

fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// A row that ends as questions do. It needs a letter: a pager's `:` and a prompt's `>` ask nothing.
fn looks_like_a_question(row: &str) -> bool {
    let end = row.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '>' | '›' | '❯' | '█' | '_'));
    let lower = end.to_lowercase();
    let letters = lower.chars().filter(|c| c.is_alphabetic()).count();
    letters >= 2 && (lower.ends_with(['?', ':']) || !yes_or_no(end).is_empty())
}

/// The numbered choices right above a question, as a shell's `select` prints them: in one column or several.
fn menu(above: &[String]) -> Vec<Choice> {
    let rows = above.iter().rev().take_while(|row| entries(row).next().is_some());
    let mut found: Vec<_> = rows.flat_map(|row| entries(row).collect::<Vec<_>>()).collect();
    found.sort_by_key(|(number, _)| *number);
    // What is not numbered from 1 without a hole is something else.
    let whole = found.iter().zip(1..).all(|((number, _), wanted)| *number == wanted);
    if !whole || found.len() < 2 {
        return Vec::new();
    }
    let choice = |(number, label): (u32, String)| Choice {
        key: number.to_string(),
        label,
        description: None,
        risk: Risk::Low,
        refuses: false,
        takes_text: false,
        ticked: None,
    };
    found.into_iter().map(choice).collect()
}

/// The `1) red` of a row; columns are apart by a tab or two blanks.
fn entries(row: &str) -> impl Iterator<Item = (u32, String)> {
    let cells =
        row.split(['\t']).flat_map(|part| part.split("  ")).map(str::trim).filter(|cell| !cell.is_empty());
    let entries: Option<Vec<_>> = cells
        .map(|cell| {
            let (number, label) = cell.split_once(") ")?;
            Some((number.parse().ok()?, cut(&plain(label), LONGEST)))
        })
        .collect();
    entries.unwrap_or_default().into_iter()
}

fn press_a_key(row: &str) -> bool {
    let lower = row.to_lowercase();
    ["press any key", "press enter", "press return", "hit enter", "press [enter]", "press <enter>"]
        .iter()
        .any(|words| lower.contains(words))
        && lower.chars().count() < 120
}

/// The choices of a row that ends in `[y/N]`, `(yes/no)` or the like, as they are to be typed.
fn yes_or_no(row: &str) -> Vec<Choice> {
    let end = row.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '?' | '>'));
    let open = match end.chars().last() {
        Some(']') => end.rfind('['),
        Some(')') => end.rfind('('),
        _ => None,
    };
    let Some(open) = open else { return Vec::new() };
    let inside = &end[open + 1..end.len() - 1];
    let words: Vec<&str> = inside.split('/').map(str::trim).collect();
    let known = |word: &str| match word.to_ascii_lowercase().as_str() {
        "y" | "yes" => Some(("Yes", false)),
        "n" | "no" => Some(("No", true)),
        _ => None,
    };
    if words.len() < 2
        || words.len() > 4
        || known(words[0]).is_none()
        || !words.iter().any(|w| known(w).is_some_and(|(_, no)| no))
    {
        return Vec::new();
    }
    let choices = words.iter().filter_map(|word| {
        let (label, refuses) = known(word)?;
        Some(Choice {
            key: word.to_ascii_lowercase(),
            label: label.to_owned(),
            description: None,
            risk: if refuses { Risk::Low } else { Risk::Medium },
            refuses,
            takes_text: false,
            ticked: None,
        })
    });
    choices.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn front(name: &str, waits: Waits) -> Front {
        Front { pid: 1, name: name.to_owned(), command: format!("{name} --flag"), waits }
    }

    fn asked(row: &str, echo: bool, lines: bool, front: &Front) -> Option<Dialog> {
        question(Seen { row, above: &[], echo, lines, alternate: false, unmarked: false, front })
    }

    #[test]
    fn questions_of_programs() {
        let reader = front("apt", Waits::Reads);
        let dialog = asked("Do you want to continue? [Y/n] ", true, true, &reader).unwrap();
        assert_eq!(dialog.choices.iter().map(|c| c.key.as_str()).collect::<Vec<_>>(), ["y", "n"]);
        assert_eq!((dialog.kind, dialog.answer), (AskKind::Input, AnswerBy::Line));
        let password =
            asked("[sudo] password for someone: ", false, true, &front("sudo", Waits::Reads)).unwrap();
        assert!(password.takes_text && password.choices.is_empty());
        assert!(asked("PIN", false, true, &reader).is_some(), "whatever it says, it is not shown");
        let key = asked("Press any key to continue . . .", true, true, &reader).unwrap();
        assert_eq!((key.kind, key.answer), (AskKind::Enter, AnswerBy::Enter));
        assert!(asked("Project name: ", true, false, &front("node", Waits::Polls)).is_some());
        assert!(asked("Are you sure (yes/no/[fingerprint])? ", true, true, &reader).is_some());
        assert_eq!(asked("Overwrite? (yes/no): ", true, true, &reader).unwrap().choices[0].key, "yes");
    }

    #[test]
    fn what_a_shell_reads_itself() {
        let (bash, script) = (
            front("bash", Waits::Reads),
            Front { command: "bash ./install.sh".to_owned(), ..front("bash", Waits::Reads) },
        );
        let seen = |row: &'static str, echo, unmarked| Seen {
            row,
            above: &[],
            echo,
            lines: false,
            alternate: false,
            unmarked,
            front: &bash,
        };
        let key = question(seen("Sure? [y/N] ", true, false)).unwrap();
        assert_eq!((key.answer, key.takes_text, key.choices.len()), (AnswerBy::Key, false, 2));
        assert!(question(seen("Sure? [y/N] ", false, true)).is_some(), "read -s -n1");
        assert_eq!(question(seen("what: ", false, false)), None, "a prompt that is a question");
        assert!(question(Seen { front: &script, ..seen("Sure? [y/N] ", false, false) }).is_some());
        for (command, has_prompt) in [
            ("bash", true),
            ("-bash", true),
            ("bash --rcfile x", true),
            ("zsh -l", true),
            ("bash -i x", true),
            ("sh -c read", false),
            ("bash x", false),
            ("bash -ec x", false),
        ] {
            assert_eq!(is_interactive(command), has_prompt, "{command}");
        }
    }

    #[test]
    fn a_menu_is_numbered_without_a_hole() {
        let rows = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let labels =
            |text: &str| menu(&rows(text)).into_iter().map(|choice| choice.label).collect::<Vec<_>>();
        assert_eq!(labels("What?\n1) red\n2) dark green"), ["red", "dark green"]);
        assert_eq!(labels("1) red   3) blue\n2) green  4) black"), ["red", "green", "blue", "black"]);
        for none in ["1) red\n3) blue", "1) red", "2) a\n3) b", "1) a\ntext\n2) b", "a) red\nb) blue"] {
            assert!(labels(none).is_empty(), "{none:?}");
        }
        let bash = front("bash", Waits::Reads);
        let above = rows("1) red\n2) green");
        let seen = Seen {
            row: "#? ",
            above: &above,
            echo: true,
            lines: true,
            alternate: false,
            unmarked: true,
            front: &bash,
        };
        let asked = question(seen).unwrap();
        assert_eq!((asked.text.as_str(), asked.answer), ("Which one?", AnswerBy::Line));
        assert_eq!(asked.choices[1].key, "2");
    }

    #[test]
    fn what_is_no_question() {
        for (row, echo, lines, name, waits) in [
            ("user@host: ", false, false, "bash", Waits::Reads),
            ("$ ", true, true, "dash", Waits::Reads),
            (">>> ", true, false, "python3", Waits::Polls),
            (":", true, false, "less", Waits::Reads),
            ("Continue? [y/N]", true, true, "cat", Waits::No),
            ("Compiling (3/4)", true, true, "make", Waits::Reads),
            ("password: ", false, false, "node", Waits::No),
            ("", false, true, "cat", Waits::Reads),
        ] {
            assert_eq!(asked(row, echo, lines, &front(name, waits)), None, "{row:?}");
        }
        let seen = Seen {
            row: "name: ",
            above: &[],
            echo: true,
            lines: true,
            alternate: true,
            unmarked: false,
            front: &front("vim", Waits::Reads),
        };
        assert_eq!(question(seen), None);
    }
}
