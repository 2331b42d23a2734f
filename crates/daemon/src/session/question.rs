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
    /// The last row above it that is not blank.
    pub(crate) above: &'a str,
    /// What is typed is shown.
    pub(crate) echo: bool,
    /// The program gets whole lines.
    pub(crate) lines: bool,
    /// The program has the whole screen to itself, as an editor has.
    pub(crate) alternate: bool,
    /// The process in front.
    pub(crate) front: &'a Front,
}

/// Whether a process is a shell that sleeps until something is typed.
pub(crate) fn is_shell(front: &Front) -> bool {
    let waits = matches!(front.waits, Waits::Reads | Waits::Polls);
    waits && SHELLS.contains(&front.name.trim_start_matches('-'))
}

/// The question, where there is one.
pub(crate) fn question(seen: Seen<'_>) -> Option<Dialog> {
    let reads = seen.front.waits == Waits::Reads;
    // A line editor is in raw mode; what a script reads with `read` is not.
    let shell = is_shell(seen.front) && !seen.lines;
    if seen.alternate || shell || !(reads || seen.front.waits == Waits::Polls) {
        return None;
    }
    let row = plain(seen.row);
    // Whatever it says, as long as it says something: a program may have no need for an echo.
    let secret = seen.lines && !seen.echo && reads && row.chars().any(char::is_alphabetic);
    let keyed = press_a_key(&row) || (row.is_empty() && press_a_key(&plain(seen.above)));
    if !secret && !keyed && !looks_like_a_question(&row) {
        return None;
    }
    let text = if row.is_empty() { plain(seen.above) } else { row.clone() };
    let choices = if secret || keyed { Vec::new() } else { yes_or_no(&row) };
    Some(Dialog {
        rule: if secret { "input that is not shown" } else { "input" }.to_owned(),
        kind: if keyed && !secret { AskKind::Enter } else { AskKind::Input },
        approves: None,
        text: cut(&text, LONGEST),
        choices,
        selected: None,
        answer: if keyed && !secret { AnswerBy::Enter } else { AnswerBy::Line },
        takes_text: secret || !keyed,
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
        question(Seen { row, above: "", echo, lines, alternate: false, front })
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
    fn what_is_no_question() {
        for (row, echo, lines, name, waits) in [
            ("user@host: ", true, false, "bash", Waits::Reads),
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
            above: "",
            echo: true,
            lines: true,
            alternate: true,
            front: &front("vim", Waits::Reads),
        };
        assert_eq!(question(seen), None);
    }
}
