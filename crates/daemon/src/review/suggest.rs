//! A commit message from what was said: no model is asked.

use std::sync::Arc;

use belfry_protocol::Reply;
use belfry_protocol::changes::{ChangeKind, ChangedFile};
use belfry_protocol::transcript::{Entry as Said, Said as What};
use belfry_transcripts::{Which, page};
use jiff::Timestamp;

use super::{Outcome, blocking, place, refused};
use crate::Daemon;

/// Entries at the end of a conversation that are read.
const ENTRIES: usize = 400;
/// Longest subject, and longest line of the body, in characters: what git's own tools show whole.
const SUBJECT: usize = 72;
/// Lines of the body.
const BODY: usize = 12;

pub(super) async fn message(daemon: &Arc<Daemon>, wanted: &str) -> Outcome {
    let entry = daemon.find(wanted)?;
    let session = entry.session();
    let place = place::of(daemon, &entry).await?;
    let known = daemon.spots.ends(place.checkout.root());
    let looked = blocking(move || {
        let between = belfry_protocol::changes::Between::Uncommitted;
        let files = place.checkout.files(&between, place.base.as_deref(), known.as_ref())?;
        Ok((files, place.checkout.last_commit_at()))
    });
    let (files, since) = looked.await?.map_err(|error| refused(&error))?;
    let agents = daemon.agents();
    let found = match (agents.get(&session.agent), &session.conversation_id) {
        (Some(agent), Some(id)) => crate::conversations::transcript_of(daemon, agent, id).await,
        _ => None,
    };
    let entries = match found {
        Some(found) => blocking(move || page(&found, Which::Last, ENTRIES)).await?.map(|page| page.entries),
        None => Ok(Vec::new()),
    };
    Ok(Reply::Text(suggestion(&entries.unwrap_or_default(), since, &files)))
}

/// The subject from the first prompt since the last commit, the body from what the agent said last.
fn suggestion(entries: &[Said], since: Option<Timestamp>, files: &[ChangedFile]) -> String {
    let late = |entry: &&Said| since.is_none_or(|since| entry.at.is_none_or(|at| at > since));
    let own = || entries.iter().filter(|entry| entry.subagent.is_none()).filter(late);
    let prompt = own().find_map(|entry| match &entry.said {
        What::Prompt(text) => subject(&text.text),
        _ => None,
    });
    let answer = own().rev().find_map(|entry| match &entry.said {
        What::Answer(text) => Some(body(&text.text)).filter(|body| !body.is_empty()),
        _ => None,
    });
    let subject = prompt.unwrap_or_else(|| of_files(files));
    match answer {
        Some(body) => format!("{subject}\n\n{body}"),
        None => subject,
    }
}

/// What was asked for, as a commit says it: no politeness, one sentence, a capital, no full stop.
fn subject(prompt: &str) -> Option<String> {
    const POLITE: [&str; 16] = [
        "please",
        "can you",
        "could you",
        "would you",
        "will you",
        "i want you to",
        "i'd like you to",
        "i would like you to",
        "we need to",
        "you should",
        "let's",
        "lets",
        "now",
        "ok",
        "okay",
        "then",
    ];
    let line = prompt.lines().map(str::trim).find(|line| {
        // A command of the agent's own, or something that was pasted, is no request.
        !line.is_empty() && !line.starts_with(['/', '<', '#', '`', '>'])
    })?;
    let mut rest = line;
    loop {
        let lower = rest.to_lowercase();
        let polite = POLITE.iter().find(|polite| {
            lower.strip_prefix(**polite).is_some_and(|after| after.starts_with([' ', ',', ':']))
        });
        let Some(polite) = polite.filter(|polite| rest.is_char_boundary(polite.len())) else { break };
        rest = rest[polite.len()..].trim_start_matches([' ', ',', ':']);
    }
    let end = rest.char_indices().find(|(at, letter)| {
        let next = rest[at + letter.len_utf8()..].chars().next();
        matches!(letter, '.' | '!' | '?' | ';') && next.is_none_or(char::is_whitespace)
    });
    let sentence = end.map_or(rest, |(at, _)| &rest[..at]).trim();
    let plain: String = sentence.chars().filter(|letter| !letter.is_control()).collect();
    let mut letters = plain.chars();
    let first = letters.next()?;
    let whole: String = first.to_uppercase().chain(letters).collect();
    Some(cut(&whole)).filter(|subject| subject.len() > 2)
}

/// At a word, within the length.
fn cut(text: &str) -> String {
    if text.chars().count() <= SUBJECT {
        return text.to_owned();
    }
    let end = text.char_indices().nth(SUBJECT).map_or(text.len(), |(at, _)| at);
    let whole = text[..end].rfind(' ').filter(|at| *at > end / 2).unwrap_or(end);
    text[..whole].trim_end_matches([' ', ',', ':', '-']).to_owned()
}

/// The agent's last summary, without what only a screen shows, in short lines.
fn body(answer: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut code = false;
    for line in answer.lines() {
        if line.trim_start().starts_with("```") {
            code = !code;
            continue;
        }
        let plain = line.trim_start_matches('#').replace("**", "");
        let plain = plain.trim();
        // Tables and rules.
        if code || plain.starts_with('|') || plain.starts_with("---") {
            continue;
        }
        if plain.is_empty() {
            if lines.last().is_some_and(|last| !last.is_empty()) {
                lines.push(String::new());
            }
            continue;
        }
        let item = plain.starts_with("- ") || plain.starts_with("* ");
        lines.extend(wrapped(plain, if item { "  " } else { "" }));
    }
    lines.truncate(BODY);
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines.join("\n")
}

fn wrapped(text: &str, indent: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let word: String = word.chars().filter(|letter| !letter.is_control()).collect();
        let last = lines.last().map_or(0, |line| line.chars().count());
        if last > indent.len() && last + 1 + word.chars().count() > SUBJECT {
            lines.push(format!("{indent}{word}"));
        } else if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&word);
        }
    }
    lines
}

/// Where nothing was said: the files.
fn of_files(files: &[ChangedFile]) -> String {
    let name = |file: &ChangedFile| file.path.rsplit('/').next().unwrap_or(&file.path).to_owned();
    let verb = |file: &ChangedFile| match file.kind {
        ChangeKind::Added | ChangeKind::Untracked => "Add",
        ChangeKind::Deleted => "Remove",
        ChangeKind::Renamed => "Move",
        _ => "Change",
    };
    let first = files.first().map_or("Change", &verb);
    let verb = if files.iter().all(|file| verb(file) == first) { first } else { "Change" };
    cut(&match files {
        [] => "Change nothing".to_owned(),
        [one] => format!("{verb} {}", name(one)),
        [one, two] => format!("{verb} {} and {}", name(one), name(two)),
        many => format!("{verb} {} files", many.len()),
    })
}

#[cfg(test)]
mod tests {
    use belfry_protocol::changes::Staged;
    use belfry_protocol::transcript::Text;

    use super::*;

    fn said(second: i64, said: fn(Text) -> What, text: &str) -> Said {
        Said {
            seq: second.unsigned_abs(),
            at: Timestamp::from_second(second).ok(),
            id: None,
            subagent: None,
            said: said(Text { text: text.to_owned(), cut: 0 }),
        }
    }

    #[test]
    fn what_was_asked_and_what_was_done_since_the_last_commit() {
        let entries = [
            said(1, What::Prompt, "Add a parser"),
            said(2, What::Answer, "Added."),
            said(
                11,
                What::Prompt,
                "/model\nPlease could you fix the crash in `parse.rs` when the file is empty? Thanks!",
            ),
            said(12, What::Answer, "I look."),
            said(
                13,
                What::Answer,
                "## Done\n\n**Fixed** the crash:\n- `parse` returns early\n\n```rust\nfn x() {}\n```\n",
            ),
            said(14, What::Prompt, "and run the tests"),
        ];
        let message = suggestion(&entries, Timestamp::from_second(10).ok(), &[]);
        assert_eq!(
            message,
            "Fix the crash in `parse.rs` when the file is empty\n\nDone\n\nFixed the crash:\n- `parse` returns early"
        );
    }

    #[test]
    fn lines_are_as_short_as_git_shows_them() {
        let long = "word ".repeat(60);
        let message = suggestion(&[said(1, What::Prompt, &long), said(2, What::Answer, &long)], None, &[]);
        assert!(message.lines().all(|line| line.chars().count() <= SUBJECT), "{message}");
        assert!(message.lines().count() <= BODY + 2);
    }

    #[test]
    fn files_speak_where_nobody_did() {
        let file = |path: &str, kind| ChangedFile {
            path: path.to_owned(),
            old_path: None,
            kind,
            added: None,
            removed: None,
            staged: Staged::None,
        };
        assert_eq!(of_files(&[file("src/a.rs", ChangeKind::Untracked)]), "Add a.rs");
        assert_eq!(
            of_files(&[file("a", ChangeKind::Added), file("b", ChangeKind::Modified)]),
            "Change a and b"
        );
        assert_eq!(suggestion(&[], None, &[]), "Change nothing");
    }
}
