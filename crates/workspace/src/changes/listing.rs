//! Which files differ between two states, and by how many lines.

use std::collections::HashMap;

use belfry_protocol::changes::{ChangeKind, ChangedFile, Staged};

use super::{PLAIN, Standing, shown};
use crate::git::{GitCommand, GitResult};

/// One file, in git's words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listed {
    /// `A`, `M`, `D`, `R`, `T` or `U`.
    pub(crate) letter: u8,
    pub(crate) modes: (u32, u32),
    /// All zeros where there is none, or git has not reckoned it.
    pub(crate) ids: (String, String),
    pub(crate) path: Vec<u8>,
    pub(crate) old_path: Option<Vec<u8>>,
    /// None of a binary file.
    pub(crate) lines: Option<(u32, u32)>,
}

impl Listed {
    pub(crate) fn file(&self, standing: Option<Standing>) -> ChangedFile {
        let kind = match self.letter {
            _ if standing == Some(Standing::Conflicted) => ChangeKind::Conflicted,
            b'A' | b'D' if standing == Some(Standing::Untracked) => ChangeKind::Untracked,
            b'A' => ChangeKind::Added,
            b'D' => ChangeKind::Deleted,
            b'R' => ChangeKind::Renamed,
            b'T' => ChangeKind::Retyped,
            b'U' => ChangeKind::Conflicted,
            _ => ChangeKind::Modified,
        };
        ChangedFile {
            path: shown(&self.path),
            old_path: self.old_path.as_deref().map(shown),
            kind,
            added: self.lines.map(|lines| lines.0),
            removed: self.lines.map(|lines| lines.1),
            staged: standing.map_or(Staged::Committed, Standing::staged),
        }
    }
}

/// Runs `git diff` for the list of files.
pub(crate) fn list(command: GitCommand, between: &[&str]) -> GitResult<Vec<Listed>> {
    let command = command.args(["diff", "--raw", "--numstat", "-z"]).args(PLAIN);
    Ok(parse(&command.arg("--ignore-submodules=dirty").args(between).output()?))
}

fn parse(bytes: &[u8]) -> Vec<Listed> {
    let mut listed: Vec<Listed> = Vec::new();
    let mut lines: HashMap<&[u8], Option<(u32, u32)>> = HashMap::new();
    let mut records = bytes.split(|byte| *byte == 0);
    while let Some(record) = records.next() {
        if let Some(head) = record.strip_prefix(b":") {
            let head = String::from_utf8_lossy(head);
            let words: Vec<&str> = head.split(' ').collect();
            let [old_mode, new_mode, old, new, letter] = words.as_slice() else { continue };
            let letter = letter.bytes().next().unwrap_or(b'M');
            let Some(first) = records.next() else { break };
            let second = if matches!(letter, b'R' | b'C') { records.next() } else { None };
            let mode = |text: &str| u32::from_str_radix(text, 8).unwrap_or(0);
            listed.push(Listed {
                letter,
                modes: (mode(old_mode), mode(new_mode)),
                ids: ((*old).to_owned(), (*new).to_owned()),
                path: second.unwrap_or(first).to_vec(),
                old_path: second.map(|_| first.to_vec()),
                lines: None,
            });
            continue;
        }
        let mut parts = record.splitn(3, |byte| *byte == b'\t');
        let (Some(added), Some(removed), Some(path)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let number = |text: &[u8]| std::str::from_utf8(text).ok()?.parse().ok();
        let counts = number(added).zip(number(removed));
        // A moved file's two paths follow.
        let path = if path.is_empty() { records.nth(1).unwrap_or_default() } else { path };
        lines.insert(path, counts);
    }
    for one in &mut listed {
        // What is counted nowhere has only another mode.
        one.lines = lines.get(one.path.as_slice()).copied().unwrap_or(Some((0, 0)));
    }
    listed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moved_binary_and_strange_names_are_read() {
        let bytes = b":100644 100644 aa bb M\0a\nb\t\0:100644 100644 cc dd R090\0old\0new\0:000000 100644 00 00 A\0x\0\
            3\t1\ta\nb\t\x002\t0\t\0old\0new\0-\t-\tx\0";
        let listed = parse(bytes);
        assert_eq!(listed[0].path, b"a\nb\t");
        assert_eq!(listed[0].lines, Some((3, 1)));
        assert_eq!((listed[1].old_path.as_deref(), listed[1].lines), (Some(&b"old"[..]), Some((2, 0))));
        assert_eq!((listed[2].letter, listed[2].lines), (b'A', None));
    }
}
