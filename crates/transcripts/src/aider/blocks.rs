//! Changes to files in an answer of Aider's model.

use crate::{clean, shape};

/// A change to a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) file: String,
    pub(super) diff: String,
}

/// The changes in an answer: a file's name, a fence, and between marks what is there and what takes its place.
pub(super) fn blocks(answer: &str) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    // The line above the fence, and above that.
    let (mut above, mut name) = ("", "");
    let mut lines = answer.lines();
    while let Some(line) = lines.next() {
        let trimmed = line.trim();
        if !(trimmed.starts_with("<<<<<<<") && trimmed.ends_with("SEARCH")) {
            if trimmed.starts_with("```") {
                name = above;
            } else if !trimmed.is_empty() {
                above = trimmed;
            }
            continue;
        }
        let old = until(&mut lines, |line| line.starts_with("=======") || line.starts_with("<<<<<<<"));
        let new = until(&mut lines, |line| line.starts_with(">>>>>>>"));
        let (Some(old), Some(new)) = (old, new) else { break };
        let given = name.trim_matches(['`', '*', '#', ':', ' ']);
        // A further block of the same file may come without its name.
        let file = match clean::path(given) {
            Some(file) if !file.contains(' ') || file.contains('/') => file,
            _ => changes.last().map_or_else(|| "?".to_owned(), |change| change.file.clone()),
        };
        let mut diff = format!("--- {file}\n+++ {file}\n");
        shape::replaced(&mut diff, &old, &new);
        changes.push(Change { file, diff });
    }
    changes
}

fn until<'a>(lines: &mut impl Iterator<Item = &'a str>, ends: impl Fn(&str) -> bool) -> Option<String> {
    let mut text = String::new();
    for line in lines {
        if ends(line) {
            return Some(text);
        }
        text.push_str(line);
        text.push('\n');
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_found() {
        let answer = "I do.\n\nsrc/a.py\n```python\n<<<<<<< SEARCH\na = 1\n=======\na = 2\n>>>>>>> REPLACE\n```\n\nb.md\n```\n\
                      <<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n```\n";
        let changes = blocks(answer);
        assert_eq!(changes.len(), 2);
        assert_eq!(changes[0].diff, "--- src/a.py\n+++ src/a.py\n@@\n-a = 1\n+a = 2\n");
        assert_eq!(changes[1].file, "b.md");
        assert!(changes[1].diff.ends_with("@@\n+new\n"), "{}", changes[1].diff);
        assert_eq!(blocks("f\n```\n<<<<<<< SEARCH\nnever ends"), []);
        assert_eq!(blocks("<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE")[0].file, "?");
    }
}
