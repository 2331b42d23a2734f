//! Names of branches: made from a prompt, or given and looked at before git ever sees them.

/// Longest name that is made, in characters: it has to fit in a list.
const MADE: usize = 40;

/// Longest name that is taken, in bytes: a ref is a file, and file systems take names of 255 bytes with `.lock` behind them.
const LONGEST: usize = 200;

/// Why a name can be no branch's, in words that go on after the name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` can be no branch's name: {why}", shown(.name))]
pub struct BadName {
    /// The name.
    pub name: String,
    /// Why.
    pub why: &'static str,
}

/// A name as it can be shown: without control characters, and no longer than anybody reads.
fn shown(name: &str) -> String {
    let cut = name.char_indices().nth(80).map_or(name.len(), |(at, _)| at);
    name[..cut].escape_debug().to_string()
}

/// Whether a given name can be a branch's, by git's own rules (git-check-ref-format) and one of ours: nothing that a command
/// could take for an option, a commit or another kind of ref.
pub fn check(name: &str) -> Result<(), BadName> {
    let forbidden = |letter: char| letter.is_control() || " ~^:?*[\\".contains(letter);
    let why = if name.is_empty() {
        "it is empty"
    } else if name.len() > LONGEST {
        "it is longer than 200 bytes"
    } else if name.starts_with('-') {
        "it begins with `-`, which commands take for an option"
    } else if name.chars().any(char::is_control) {
        "it has control characters"
    } else if name.contains("@{") || name == "@" {
        "`@{` and `@` mean something else to git"
    } else if name.contains("..") {
        "`..` means a range of commits to git"
    } else if name.chars().any(forbidden) {
        "git allows no blanks and none of ~ ^ : ? * [ \\ in it"
    } else if name.split('/').any(str::is_empty) {
        "there must be something before, between and after its slashes"
    } else if name.split('/').any(|part| part.starts_with('.')) {
        "none of its parts may begin with a dot"
    } else if lower(name).split('/').any(|part| part.strip_suffix(".lock").is_some()) {
        "none of its parts may end in `.lock`"
    } else if name.ends_with('.') {
        "it ends with a dot"
    } else if lower(name) == "head" {
        "`HEAD` is what git calls where you are"
    } else if name.starts_with("refs/") {
        "give the branch's own name, without `refs/heads/`"
    } else if [40, 64].contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        "it looks like a commit's id"
    } else {
        return Ok(());
    };
    Err(BadName { name: name.to_owned(), why })
}

/// Names that are one on a file system that does not tell upper case from lower case, where refs are files.
fn lower(name: &str) -> String {
    name.to_lowercase()
}

/// A branch's name from the first words of a text; none where it has no word.
pub fn from_text(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.chars().any(char::is_alphanumeric))?;
    let mut name = String::new();
    for word in line.split(|letter: char| !letter.is_alphanumeric() && letter != '\'' && letter != '’') {
        let word: String = word.chars().filter(|letter| letter.is_alphanumeric()).collect();
        let word = word.to_lowercase();
        if word.is_empty() {
            continue;
        }
        let room = MADE - name.chars().count();
        if name.is_empty() {
            name = word.chars().take(MADE).collect();
        } else if word.chars().count() < room {
            name.push('-');
            name.push_str(&word);
        } else {
            break;
        }
    }
    // A name of digits or `a1b2c3…` alone could be taken for a commit.
    if !name.is_empty() && name.len() >= 4 && name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        name.insert_str(0, "work-");
    }
    check(&name).is_ok().then_some(name)
}

/// The name, else with the first number behind it under which neither it nor what would be in its way is there. Upper and
/// lower case count as the same.
pub fn free<'a>(name: &str, there: impl IntoIterator<Item = &'a str>) -> String {
    let there: Vec<String> = there.into_iter().map(lower).collect();
    let numbered = (2..10_000).map(|number: u32| format!("{name}-{number}"));
    let mut all = std::iter::once(name.to_owned()).chain(numbered);
    all.find(|name| in_the_way(name, &there).is_none()).unwrap_or_else(|| name.to_owned())
}

/// The branch because of which there can be none of that name: the same but for case, or one that would have to be a file and a
/// folder at once (`a` and `a/b`). `there` are names in lower case.
pub(crate) fn in_the_way<'a>(name: &str, there: &'a [String]) -> Option<&'a String> {
    let name = lower(name);
    let inside =
        |outer: &str, inner: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'));
    there.iter().find(|known| **known == name || inside(known, &name) || inside(&name, known))
}

/// What a directory for that branch is called: no separators, nothing hidden, nothing that a shell would stumble over.
pub fn for_directory(branch: &str) -> String {
    let mut name = String::new();
    for letter in branch.chars() {
        let plain = letter.is_alphanumeric() || "._-".contains(letter);
        let letter = if plain { letter } else { '-' };
        if letter == '-' && name.ends_with('-') {
            continue;
        }
        // Names of files have 255 bytes at the most; others are to fit beside it.
        if name.len() + letter.len_utf8() > 80 {
            break;
        }
        name.push(letter);
    }
    let name = name.trim_matches(['-', '.']);
    if name.is_empty() { "work".to_owned() } else { name.to_owned() }
}

/// Eight digits that tell a path from others whose last name is the same.
pub fn mark_of(path: &std::path::Path) -> String {
    use std::os::unix::ffi::OsStrExt as _;

    use sha2::Digest as _;

    let hash = sha2::Sha256::digest(path.as_os_str().as_bytes());
    hash.iter().take(4).fold(String::new(), |mut text, byte| {
        use std::fmt::Write as _;
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_and_impossible_names_are_refused() {
        let long = "n".repeat(201);
        for name in [
            "",
            "-b",
            "--upload-pack=x",
            "a\0b",
            "a\nb",
            "a@{1}",
            "@",
            "a..b",
            "a b",
            "a~1",
            "a^",
            "a:b",
            "a?",
            "a*",
            "a[b",
            "a\\b",
            "/a",
            "a/",
            "a//b",
            ".a",
            "a/.b",
            "a.lock",
            "a.LOCK/b",
            "a.",
            "HEAD",
            "head",
            "refs/heads/a",
            "0123456789012345678901234567890123456789",
            &long,
        ] {
            let refused = check(name).expect_err(name).to_string();
            assert!(!refused.chars().any(char::is_control) && refused.len() < 300, "{refused:?}");
        }
        for name in ["a", "feature/übung", "fix-1", "a.b", "日本語", "a@b", "v1.2"] {
            assert_eq!(check(name), Ok(()), "{name}");
        }
    }

    #[test]
    fn names_are_made_of_the_first_words() {
        for (text, name) in [
            ("Fix the failing test", Some("fix-the-failing-test")),
            ("\n\n  /review: Don't break ../../etc; rm -rf ~", Some("review-dont-break-etc-rm-rf")),
            ("Füge eine Übung hinzu", Some("füge-eine-übung-hinzu")),
            (
                "Please rewrite the whole of the authentication layer so that",
                Some("please-rewrite-the-whole-of-the"),
            ),
            ("x".repeat(60).as_str(), Some("x".repeat(40).as_str())),
            ("deadbeef", Some("work-deadbeef")),
            ("HEAD", None),
            ("… — !", None),
            ("", None),
        ] {
            assert_eq!(from_text(text).as_deref(), name, "{text:?}");
        }
    }

    #[test]
    fn the_next_free_one_is_taken() {
        assert_eq!(free("fix", ["main"]), "fix");
        assert_eq!(free("fix", ["FIX", "fix-2", "main"]), "fix-3");
        assert_eq!(free("fix", ["fix/a"]), "fix-2", "it would be a file and a folder");
        assert_eq!(free("fix/a", ["fix"]), "fix/a", "no number helps: git says so");
    }

    #[test]
    fn directories_have_plain_names() {
        for (branch, name) in
            [("feature/x y", "feature-x-y"), ("../../etc", "etc"), ("日本語/🔔", "日本語"), ("...", "work")]
        {
            assert_eq!(for_directory(branch), name, "{branch}");
        }
        assert!(for_directory(&"ü".repeat(200)).len() <= 80);
    }
}
