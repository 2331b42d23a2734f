//! The question that a program without rules of its own asks: see [`super::in_front`].

use belfry_agents::{AnswerBy, Dialog, risk};
use belfry_protocol::ask::{AskDetail, AskKind, Choice, Risk};
use belfry_protocol::keeper::Waits;

use super::in_front::{Seen, is_numbered, is_shell};

/// Programs that show a text page by page: what they wait behind is theirs and no question to anybody.
const PAGERS: &[&str] = &["less", "more", "most", "pg", "man", "lv", "w3m", "lynx", "moar", "ov"];

/// Prompts of interpreters behind which a line is begun that may look like a question.
const BEGUN: &[&str] = &[">>> ", "... "];

/// Longest question that is shown, in characters.
const LONGEST: usize = 300;

/// The rule that is named where what is typed is not shown.
pub(crate) const SECRET: &str = "input that is not shown";

/// The question, where there is one.
pub(crate) fn question(seen: Seen<'_>) -> Option<Dialog> {
    let begun = seen.half_typed || is_begun(seen.row);
    if begun || PAGERS.contains(&seen.front.name.as_str()) || seen.edits_a_line() {
        return None;
    }
    // Another user's program does not tell whether it waits: the password that `sudo` asks for, and what asks behind it.
    let unknown = seen.front.waits == Waits::Unknown && seen.quiet;
    if !seen.waits() && !unknown {
        return None;
    }
    if let Some(dialog) = lettered(seen) {
        return Some(dialog).filter(|_| !unknown);
    }
    if seen.alternate || !seen.at_end() {
        return None;
    }
    let reads = seen.front.waits == Waits::Reads;
    let row = plain(&seen.before());
    let nearest = seen.above.iter().rev().find(|row| !row.trim().is_empty());
    let above = plain(nearest.map_or("", String::as_str));
    let menu = if reads && seen.lines && !row.is_empty() { menu(seen.above) } else { Vec::new() };
    // Whatever it says, as long as it says something: a program may have no need for an echo.
    let secret = seen.lines && !seen.echo && (reads || unknown) && row.chars().any(char::is_alphabetic);
    let keyed = !unknown && (press_a_key(&row) || (row.is_empty() && press_a_key(&above)));
    let answers = yes_or_no(&row);
    let asks =
        if unknown { !answers.is_empty() || is_for_a_password(&row) } else { looks_like_a_question(&row) };
    if !secret && !keyed && menu.is_empty() && !asks {
        return None;
    }
    let worded = row.chars().any(char::is_alphabetic);
    let text = match (row.is_empty(), menu.is_empty() || worded) {
        (true, _) => above,
        (false, true) => row.clone(),
        // What `select` asks with is `#?`.
        (false, false) => "Which one?".to_owned(),
    };
    let mut choices = match answers {
        _ if secret || keyed => Vec::new(),
        none if none.is_empty() => menu,
        answers => answers,
    };
    let (risk, risk_reason) = risk::settled((Risk::Low, None), &mut choices);
    // One key is read, and what follows is somebody else's.
    let one_key = !seen.lines && is_shell(seen.front) && !choices.is_empty();
    let kind = if keyed && !secret { AskKind::Enter } else { AskKind::Input };
    let answer = match (keyed && !secret, one_key) {
        (true, _) => AnswerBy::Enter,
        (false, true) => AnswerBy::Key,
        (false, false) => AnswerBy::Line,
    };
    Some(Dialog {
        rule: if secret { SECRET } else { "input" }.to_owned(),
        choices,
        takes_text: (secret || !keyed) && !one_key,
        detail: about(seen),
        risk,
        risk_reason,
        ..Dialog::new(kind, cut(&text, LONGEST), answer)
    })
}

/// Whether a row is a line of an interpreter that is begun.
pub(crate) fn is_begun(row: &str) -> bool {
    BEGUN.iter().any(|prompt| row.starts_with(prompt))
}

/// What runs there.
fn about(seen: Seen<'_>) -> AskDetail {
    AskDetail { command: Some(cut(&plain(&seen.front.command), LONGEST)), ..AskDetail::default() }
}

/// A question with lettered answers in the last row of the screen, as Vim asks what to do about a swap file: it is the program's
/// even where it has the whole screen.
fn lettered(seen: Seen<'_>) -> Option<Dialog> {
    let row = plain(&seen.before());
    let last = seen.at_end() && seen.below.iter().all(|row| row.trim().is_empty());
    if !last || !row.ends_with([':', '?']) {
        return None;
    }
    let mut choices: Vec<_> =
        row.trim_end_matches([':', '?']).split(", ").filter_map(lettered_choice).collect();
    if choices.len() < 2 {
        return None;
    }
    let (risk, risk_reason) = risk::settled((Risk::Low, None), &mut choices);
    let above = seen.above.iter().rev().find(|row| !row.trim().is_empty());
    let text = above.map_or_else(|| row.clone(), |above| plain(above));
    let answer = if seen.lines { AnswerBy::Line } else { AnswerBy::Key };
    Some(Dialog {
        rule: "lettered answers".to_owned(),
        choices,
        detail: about(seen),
        risk,
        risk_reason,
        ..Dialog::new(AskKind::Choice, cut(&text, LONGEST), answer)
    })
}

/// `(E)dit anyway`.
fn lettered_choice(words: &str) -> Option<Choice> {
    let words = words.trim();
    let inside = words.strip_prefix(['(', '['])?;
    let (key, rest) = inside.split_once([')', ']'])?;
    let mut letters = key.chars();
    let (Some(letter), None) = (letters.next().filter(char::is_ascii_alphabetic), letters.next()) else {
        return None;
    };
    let label = format!("{letter}{rest}");
    let refuses = ["quit", "abort", "cancel", "no"].contains(&label.to_lowercase().as_str());
    let reads = label.to_lowercase().contains("read-only");
    Some(Choice {
        key: letter.to_ascii_lowercase().to_string(),
        label: cut(&label, LONGEST),
        description: None,
        risk: if refuses || reads { Risk::Low } else { Risk::Medium },
        refuses,
        takes_text: false,
        ticked: None,
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
    letters >= 2 && !is_numbered(end) && (lower.ends_with(['?', ':']) || !yes_or_no(end).is_empty())
}

/// A row that asks for a password.
fn is_for_a_password(row: &str) -> bool {
    let lower = row.to_lowercase();
    lower.ends_with(':') && ["password", "passphrase", "passcode"].iter().any(|word| lower.contains(word))
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
    let listed = inside.contains(',');
    let words: Vec<&str> = inside.split(if listed { ',' } else { '/' }).map(str::trim).collect();
    let known = |word: &str| match word.to_ascii_lowercase().as_str() {
        "y" | "yes" => Some(("Yes", false)),
        "n" | "no" => Some(("No", true)),
        _ => None,
    };
    if words.len() < 2
        || (!listed && words.len() > 4)
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
    use belfry_protocol::keeper::Front;

    use super::*;

    fn front(name: &str, waits: Waits) -> Front {
        Front { pid: 1, name: name.to_owned(), command: format!("{name} --flag"), waits }
    }

    fn seen<'a>(row: &'a str, front: &'a Front) -> Seen<'a> {
        Seen {
            row,
            column: row.chars().count(),
            above: &[],
            below: &[],
            echo: true,
            lines: true,
            alternate: false,
            unmarked: false,
            own: false,
            half_typed: false,
            quiet: true,
            front,
        }
    }

    fn asked(row: &str, echo: bool, lines: bool, front: &Front) -> Option<Dialog> {
        question(Seen { echo, lines, ..seen(row, front) })
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
        let seen =
            |row: &'static str, echo, unmarked| Seen { echo, lines: false, unmarked, ..seen(row, &bash) };
        let key = question(seen("Sure? [y/N] ", true, false)).unwrap();
        assert_eq!((key.answer, key.takes_text, key.choices.len()), (AnswerBy::Key, false, 2));
        assert!(question(seen("Sure? [y/N] ", false, true)).is_some(), "read -s -n1");
        assert_eq!(question(seen("what: ", false, false)), None, "a prompt that is a question");
        assert!(question(Seen { front: &script, ..seen("Sure? [y/N] ", false, false) }).is_some());
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
        let asked = question(Seen { above: &above, unmarked: true, ..seen("#? ", &bash) }).unwrap();
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
        let vim = front("vim", Waits::Reads);
        let editor = Seen { alternate: true, lines: false, ..seen("name: ", &vim) };
        assert_eq!(question(editor), None);
        let python = front("python3", Waits::Polls);
        let typed = Seen { lines: false, echo: false, ..seen("sqlite> what?", &python) };
        assert_eq!(question(Seen { half_typed: true, ..typed }), None);
        for row in [">>> for x in y:", "... else:", "In [3]: "] {
            assert_eq!(question(Seen { row, column: row.chars().count(), ..typed }), None, "{row}");
        }
        for row in ["--More--", "Press RETURN to continue", "See it anyway?", "(press RETURN)"] {
            assert_eq!(asked(row, true, false, &front("less", Waits::Reads)), None, "{row}");
        }
        let reader = front("apt", Waits::Reads);
        assert_eq!(question(Seen { column: 3, ..seen("Go on? [y/N] yes", &reader) }), None, "within a row");
    }

    #[test]
    fn what_a_program_of_another_user_asks() {
        let sudo = front("sudo", Waits::Unknown);
        let password = asked("[sudo] password for someone: ", false, true, &sudo).unwrap();
        assert!(password.takes_text && password.choices.is_empty());
        let answers = asked("Do you want to continue? [Y/n] ", false, false, &sudo).unwrap();
        assert_eq!(answers.choices.len(), 2);
        assert!(asked("Password: ", false, false, &sudo).is_some());
        for row in ["Downloading: ", "What now?", "Setting up vim (2:9.0)", ""] {
            assert_eq!(asked(row, false, false, &sudo), None, "{row}");
        }
        let quiet = Seen { quiet: false, ..seen("Go on? [y/N] ", &sudo) };
        assert_eq!(question(quiet), None, "it may print on");
    }

    #[test]
    fn lettered_answers_of_an_editor() {
        let vim = front("vim", Waits::Polls);
        let above = ["E325: ATTENTION".to_owned(), "Swap file \".a.swp\" already exists!".to_owned()];
        let row = "[O]pen Read-Only, (E)dit anyway, (R)ecover, (D)elete it, (Q)uit, (A)bort: ";
        let open = Seen { above: &above, alternate: true, lines: false, echo: false, ..seen(row, &vim) };
        let asked = question(open).unwrap();
        assert_eq!((asked.kind, asked.answer.clone()), (AskKind::Choice, AnswerBy::Key));
        assert_eq!(asked.text, "Swap file \".a.swp\" already exists!");
        let keys: String = asked.choices.iter().map(|choice| choice.key.as_str()).collect();
        assert_eq!(keys, "oerdqa");
        assert_eq!((asked.choices[1].label.as_str(), asked.choices[4].refuses), ("Edit anyway", true));
        let below = ["~".to_owned(), "-- INSERT --".to_owned()];
        assert_eq!(question(Seen { below: &below, ..open }), None, "a text that is edited");
        assert_eq!(question(Seen { row: "see (a) and (b):", column: 16, ..open }), None);
    }

    #[test]
    fn what_it_risks_is_said_once() {
        let reader = front("apt", Waits::Reads);
        let asked = asked("Do you want to continue? [Y/n] ", true, true, &reader).unwrap();
        assert_eq!((asked.risk, asked.choices[0].risk), (Risk::Medium, Risk::Medium));
        assert_eq!(asked.choices[1].risk, Risk::Low);
        let hunk = super::tests::asked("Stage this hunk [y,n,q,a,d,e,p,?]? ", true, true, &reader).unwrap();
        assert_eq!(hunk.choices.iter().map(|choice| choice.key.as_str()).collect::<Vec<_>>(), ["y", "n"]);
    }
}
