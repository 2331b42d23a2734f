//! Names for sessions that were given none.

use std::path::Path;

use belfry_protocol::launch::NewSession;
use belfry_protocol::{ErrorCode, WireError};

/// Longest name made from a prompt, in characters: it has to fit in a list.
const FROM_PROMPT: usize = 48;

/// Longest name at all, in characters.
pub(crate) const LONGEST: usize = 200;

/// The name: given, else the beginning of the first prompt, else program and directory.
pub(crate) fn of(new: &NewSession, agent: &str, cwd: &Path) -> String {
    if let Some(name) = new.name.as_deref().and_then(cleaned) {
        return name;
    }
    if let Some(name) = new.prompt.as_deref().and_then(from_prompt) {
        return name;
    }
    let program = match new.args.first().filter(|_| agent == "shell") {
        Some(command) => Path::new(command).file_name().map(|name| name.to_string_lossy().into_owned()),
        None => None,
    };
    let program = program.unwrap_or_else(|| agent.to_owned());
    let directory =
        cwd.file_name().map_or_else(|| "/".to_owned(), |name| name.to_string_lossy().into_owned());
    cleaned(&format!("{program} in {directory}")).unwrap_or(program)
}

/// A name without control characters and blanks around it; none where nothing is left. One that is too long is cut, and
/// shows it.
pub(crate) fn cleaned(name: &str) -> Option<String> {
    let text: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let text = text.trim();
    if text.chars().count() > LONGEST {
        let kept: String = text.chars().take(LONGEST - 1).collect();
        return Some(kept.trim_end().to_owned() + "…");
    }
    (!text.is_empty()).then(|| text.to_owned())
}

/// A name that a person gives: never cut in silence.
pub(crate) fn given(name: &str) -> Result<String, WireError> {
    let bad = |text: String| Err(WireError::new(ErrorCode::BadRequest, text));
    match name.trim().chars().count() {
        count if count > LONGEST => {
            bad(format!("a name has {LONGEST} characters at the most, and this one has {count}"))
        }
        _ => cleaned(name).map_or_else(|| bad("a name has at least one visible character".to_owned()), Ok),
    }
}

/// The first words of the first line, cut at a word.
pub(crate) fn from_prompt(prompt: &str) -> Option<String> {
    let line = cleaned(prompt.trim().lines().next()?)?;
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut name = String::new();
    for word in words {
        if name.chars().count() + word.chars().count() + 1 > FROM_PROMPT {
            if name.is_empty() {
                name = word.chars().take(FROM_PROMPT).collect();
            }
            name.push('…');
            break;
        }
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(word);
    }
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_from_what_is_there() {
        let cwd = Path::new("/home/u/project");
        let new = |name: Option<&str>, prompt: Option<&str>, args: &[&str]| NewSession {
            name: name.map(str::to_owned),
            prompt: prompt.map(str::to_owned),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            ..NewSession::default()
        };
        assert_eq!(of(&new(Some(" a\u{1b}b "), Some("p"), &[]), "claude", cwd), "a b");
        assert_eq!(of(&new(Some("  "), Some("Fix it\nnow"), &[]), "claude", cwd), "Fix it");
        let long = of(&new(None, Some(&"word ".repeat(40)), &[]), "claude", cwd);
        assert!(long.ends_with("word…") && long.chars().count() <= FROM_PROMPT + 1, "{long}");
        assert_eq!(of(&new(None, None, &[]), "codex", cwd), "codex in project");
        assert_eq!(of(&new(None, None, &["/usr/bin/htop"]), "shell", cwd), "htop in project");
        assert_eq!(of(&new(None, None, &[]), "shell", Path::new("/")), "shell in /");
    }

    #[test]
    fn a_name_that_is_given_is_whole_or_refused() {
        let long = "n".repeat(LONGEST);
        assert_eq!(given(&format!(" {long} ")).as_deref().ok(), Some(long.as_str()));
        let refused = given(&(long.clone() + "n")).expect_err("too long");
        assert!(
            refused.message.contains("200 characters at the most, and this one has 201"),
            "{}",
            refused.message
        );
        assert!(given(" \u{7} ").is_err());
        let cut = cleaned(&(long + "n")).expect("a name");
        assert!(cut.ends_with("n…") && cut.chars().count() == LONGEST, "{cut}");
    }
}
