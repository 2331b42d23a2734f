//! What a pull request begins with, before the person edits it.

/// Longest title, in characters: what lists and logs show whole.
const TITLE: usize = 72;
/// Longest parts of the text, in characters.
const ASKED: usize = 1500;
const DONE: usize = 3000;
/// Most files that are named.
const FILES: usize = 30;

/// What is known of the work.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// The first thing that the person asked for.
    pub prompt: Option<String>,
    /// The agent's last answer.
    pub answer: Option<String>,
    /// Subjects of the commits, oldest first.
    pub commits: Vec<String>,
    /// Files that differ, with lines that were added and removed; none for a binary one.
    pub files: Vec<(String, Option<(u64, u64)>)>,
    /// The branch.
    pub branch: String,
}

/// Title and text, the text in Markdown.
pub fn drafted(of: &Asked) -> (String, String) {
    let title = of.prompt.as_deref().and_then(imperative);
    let title = title.or_else(|| of.commits.first().and_then(|subject| cut_title(subject)));
    let title = title.or_else(|| cut_title(&from_branch(&of.branch))).unwrap_or_else(|| "Changes".to_owned());
    let mut parts: Vec<String> = Vec::new();
    if let Some(prompt) = of.prompt.as_deref().map(str::trim).filter(|prompt| !prompt.is_empty()) {
        // Quoted, so that no heading in it becomes one here.
        let quoted: Vec<String> = cut(prompt, ASKED).lines().map(|line| format!("> {line}")).collect();
        parts.push(format!("## What was asked\n\n{}", quoted.join("\n")));
    }
    match of.answer.as_deref().map(str::trim).filter(|answer| !answer.is_empty()) {
        Some(answer) => parts.push(format!("## What was done\n\n{}", cut(answer, DONE))),
        None if of.commits.len() > 1 || (of.prompt.is_none() && !of.commits.is_empty()) => {
            let list: Vec<String> =
                of.commits.iter().take(FILES).map(|subject| format!("- {subject}")).collect();
            parts.push(format!("## Commits\n\n{}", list.join("\n")));
        }
        None => {}
    }
    if !of.files.is_empty() {
        let mut list: Vec<String> = of.files.iter().take(FILES).map(file).collect();
        if of.files.len() > FILES {
            list.push(format!("- and {} more", of.files.len() - FILES));
        }
        parts.push(format!("## Files\n\n{}", list.join("\n")));
    }
    (title, parts.join("\n\n"))
}

fn file((name, lines): &(String, Option<(u64, u64)>)) -> String {
    // A name with backticks would end the code that it is in.
    let name = name.replace('`', "'").replace(char::is_control, "?");
    match lines {
        Some((added, removed)) => format!("- `{name}` (+{added} −{removed})"),
        None => format!("- `{name}`"),
    }
}

/// Openings of prompts that say nothing of the work, in lower case.
const OPENINGS: [&str; 19] = [
    "hi",
    "hello",
    "hey",
    "ok",
    "okay",
    "please",
    "can you",
    "could you",
    "would you",
    "will you",
    "i want you to",
    "i would like you to",
    "i'd like you to",
    "i need you to",
    "you should",
    "we need to",
    "we should",
    "let's",
    "now",
];

/// A prompt's first sentence as a title says it: `please can you fix the login?` becomes `Fix the login`.
fn imperative(prompt: &str) -> Option<String> {
    // Commands, mentions of files and fences are no sentence.
    let telling = |line: &&str| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with(['/', '@', '#', '`', '<', '>'])
    };
    let line = prompt.lines().find(telling)?.trim().trim_start_matches(['-', '*']).trim();
    let mut text = sentence(line);
    loop {
        let lower = text.to_lowercase();
        let opening = OPENINGS.iter().find(|opening| {
            let rest = lower.strip_prefix(**opening);
            rest.is_some_and(|rest| rest.starts_with([' ', ',', '!']))
        });
        let Some(opening) = opening else { break };
        // All of them are ASCII, so that both texts have them in the same bytes where they begin alike.
        let Some(rest) = text.get(opening.len()..) else { break };
        text = rest.trim_start_matches([' ', ',', '!']);
    }
    cut_title(text)
}

/// Up to the end of the first sentence. A point inside a name, as of a file, ends none.
fn sentence(line: &str) -> &str {
    let end = line.char_indices().find(|(at, letter)| {
        let next = line[at + letter.len_utf8()..].chars().next();
        matches!(letter, '.' | '!' | '?' | ':' | ';') && next.is_none_or(char::is_whitespace) && *at > 2
    });
    let text = end.map_or(line, |(at, _)| &line[..at]);
    // `Hello! Fix it` has nothing in its first one.
    if text.split_whitespace().count() < 2 && text.len() < line.len() { line } else { text }
}

fn cut_title(text: &str) -> Option<String> {
    let plain: String =
        text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| !c.is_control()).collect();
    let words: Vec<&str> = plain.split(' ').filter(|word| !word.is_empty()).collect();
    let mut title = String::new();
    for word in words {
        let length = title.chars().count() + 1 + word.chars().count();
        if !title.is_empty() && length > TITLE {
            break;
        }
        if !title.is_empty() {
            title.push(' ');
        }
        title.push_str(word);
    }
    let title: String = title.chars().take(TITLE).collect();
    let title = title.trim_end_matches(['.', ',', ':', ';', '?', '!', ' ']);
    let mut letters = title.chars();
    let first = letters.next()?;
    Some(first.to_uppercase().chain(letters).collect())
}

/// `ann/fix-the-login` says `fix the login`.
fn from_branch(branch: &str) -> String {
    branch.rsplit('/').next().unwrap_or(branch).replace(['-', '_'], " ")
}

fn cut(text: &str, most: usize) -> String {
    let plain = text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t'));
    let mut out: String = plain.take(most).collect();
    if text.chars().count() > most {
        out.push_str(" …");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(prompt: &str) -> String {
        drafted(&Asked { prompt: Some(prompt.to_owned()), branch: "b".to_owned(), ..Asked::default() }).0
    }

    #[test]
    fn titles_are_what_is_to_be_done() {
        for (prompt, expected) in [
            ("please can you fix the login?", "Fix the login"),
            ("Hello, could you add a test for parse.rs. It fails on Fridays.", "Add a test for parse.rs"),
            ("Hi! Make it faster", "Make it faster"),
            ("/review\n@src/a.rs\nI want you to rename foo to bar", "Rename foo to bar"),
            ("- update the docs:\n  more", "Update the docs"),
            ("läden öffnen", "Läden öffnen"),
            ("a\u{1b}[31mb c", "A[31mb c"),
        ] {
            assert_eq!(title(prompt), expected);
        }
        let long = title(&"word ".repeat(40));
        assert!(long.chars().count() <= TITLE && long.ends_with("word"), "{long}");
        assert_eq!(title(&"x".repeat(200)).chars().count(), TITLE);
    }

    #[test]
    fn without_a_conversation_commits_and_branch_speak() {
        let commits = vec!["Fix the login".to_owned(), "Test it".to_owned()];
        let of = Asked { commits, branch: "ann/fix".to_owned(), ..Asked::default() };
        let (title, body) = drafted(&of);
        assert_eq!(title, "Fix the login");
        assert!(body.contains("## Commits\n\n- Fix the login\n- Test it"), "{body}");
        let of = Asked { branch: "ann/fix-the_login".to_owned(), ..Asked::default() };
        assert_eq!(drafted(&of), ("Fix the login".to_owned(), String::new()));
    }

    #[test]
    fn the_text_says_what_was_asked_and_done_in_which_files() {
        let of = Asked {
            prompt: Some("Fix it\n# not a heading".to_owned()),
            answer: Some("Done: the login works.".to_owned()),
            files: vec![("a`b.rs".to_owned(), Some((3, 1))), ("c.png".to_owned(), None)],
            branch: "b".to_owned(),
            ..Asked::default()
        };
        let (_, body) = drafted(&of);
        let expected = "## What was asked\n\n> Fix it\n> # not a heading\n\n## What was done\n\nDone: the login works.\n\n\
                        ## Files\n\n- `a'b.rs` (+3 −1)\n- `c.png`";
        assert_eq!(body, expected);
    }
}
