//! The format in which Codex, and others after it, write changes to several files: `*** Begin Patch`.

use super::diff::header;
use crate::clean;

/// Files that are named of one patch.
const MOST_FILES: usize = 500;

/// What a patch does.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Patch {
    pub(crate) files: Vec<String>,
    pub(crate) diff: String,
}

/// Reads a patch; also one that stands somewhere in a shell command. None where there is none.
pub(crate) fn apply_patch(text: &str) -> Option<Patch> {
    let (_, body) = text.split_once("*** Begin Patch")?;
    let mut patch = Patch::default();
    let mut from = String::new();
    for line in body.lines() {
        if line.starts_with("*** End Patch") {
            break;
        }
        let named = |start: &str| line.strip_prefix(start).and_then(|name| clean::path(name.trim()));
        if let Some(file) = named("*** Update File: ") {
            header(&mut patch.diff, &file, &file);
            patch.file(&file);
            from = file;
        } else if let Some(file) = named("*** Add File: ") {
            header(&mut patch.diff, "/dev/null", &file);
            patch.file(&file);
        } else if let Some(file) = named("*** Delete File: ") {
            header(&mut patch.diff, &file, "/dev/null");
            patch.file(&file);
        } else if let Some(file) = named("*** Move to: ") {
            header(&mut patch.diff, &from, &file);
            patch.file(&file);
        } else if !line.starts_with("***")
            && patch.diff.len() <= 2 * clean::LONGEST
            && !patch.files.is_empty()
        {
            patch.diff.push_str(line);
            patch.diff.push('\n');
        }
    }
    (!patch.files.is_empty()).then_some(patch)
}

impl Patch {
    fn file(&mut self, file: &str) {
        if self.files.len() < MOST_FILES && !self.files.iter().any(|other| other == file) {
            self.files.push(file.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_is_read() {
        let text = "*** Begin Patch\n*** Update File: a.rs\n@@ fn x\n-old\n+new\n*** Add File: b\n+b\n*** Delete File: c\n\
                    *** Update File: d\n*** Move to: e\n*** End Patch\nnot this\n";
        let patch = apply_patch(text).unwrap();
        assert_eq!(patch.files, ["a.rs", "b", "c", "d", "e"]);
        let expected = "--- a.rs\n+++ a.rs\n@@ fn x\n-old\n+new\n--- /dev/null\n+++ b\n+b\n--- c\n+++ /dev/null\n\
                        --- d\n+++ d\n--- d\n+++ e\n";
        assert_eq!(patch.diff, expected);
        assert_eq!(apply_patch("apply_patch <<'E'\nnothing"), None);
        assert_eq!(apply_patch("*** Begin Patch\n+x"), None);
    }
}
