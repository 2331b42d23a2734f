//! Staging, and putting files back.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use crate::changes::{ChangeError, ChangeResult, Checkout, PLAIN, Standing, list};
use crate::diff::{hunks, path};
use crate::git::GitCommand;

/// Most paths of one request.
const MOST: usize = 20_000;
/// Paths of one argument list, where git cannot read them: a list has an end.
const AT_ONCE: usize = 200;

/// Paths of a client's, checked.
fn checked(paths: &[String]) -> ChangeResult<Vec<&[u8]>> {
    if paths.is_empty() || paths.len() > MOST {
        return Err(ChangeError::invalid("no files were named, or too many"));
    }
    paths.iter().map(|text| path(text)).collect()
}

/// A command that reads its paths.
fn reading(command: GitCommand, paths: &[&[u8]]) -> GitCommand {
    let input = paths.iter().flat_map(|path| path.iter().copied().chain([0])).collect();
    command.args(["--pathspec-from-file=-", "--pathspec-file-nul"]).input(input)
}

impl Checkout {
    /// Stages files, or the one hunk of one whose first line now is `hunk`.
    pub fn stage(&self, paths: &[String], hunk: Option<u32>) -> ChangeResult<()> {
        let paths = checked(paths)?;
        if let Some(hunk) = hunk {
            let [path] = paths.as_slice() else { return Err(one_file()) };
            // A file that git does not know has one hunk.
            if self.status(&[path])?.of(path) != Some(Standing::Untracked) {
                return self.apply_hunk(path, hunk, false);
            }
        }
        Ok(reading(self.write().args(["add", "--all"]), &paths).run()?)
    }

    /// Takes files, or one hunk of one, out of what is staged.
    pub fn unstage(&self, paths: &[String], hunk: Option<u32>) -> ChangeResult<()> {
        let paths = checked(paths)?;
        if let Some(hunk) = hunk {
            let [path] = paths.as_slice() else { return Err(one_file()) };
            return self.apply_hunk(path, hunk, true);
        }
        let paths = self.with_origins(paths)?;
        let paths: Vec<&[u8]> = paths.iter().map(Vec::as_slice).collect();
        Ok(reading(self.write().args(["reset", "--quiet"]), &paths).run()?)
    }

    /// Puts files back to the newest commit; those that it has not go. The caller keeps a checkpoint first; where that cannot
    /// hold all that would go, nothing is changed: [`ChangeError::WouldLose`].
    pub fn discard(&self, paths: &[String]) -> ChangeResult<()> {
        let paths = checked(paths)?;
        let status = self.status(&[])?;
        let (new, known): (Vec<&[u8]>, Vec<&[u8]>) =
            paths.iter().partition(|path| matches!(status.of(path), Some(Standing::Untracked)));
        let known = self.with_origins(known)?;
        let known: Vec<&[u8]> =
            known.iter().map(Vec::as_slice).filter(|path| status.of(path).is_some()).collect();
        self.held_before_discarding(&known, &new)?;
        if !known.is_empty() {
            let command = if status.head.commit.is_some() {
                self.write().args(["restore", "--source=HEAD", "--staged", "--worktree"])
            } else {
                self.write().args(["rm", "--quiet", "-r", "--force"])
            };
            reading(command, &known).run()?;
        }
        for some in new.chunks(AT_ONCE) {
            let some = some.iter().map(|path| OsStr::from_bytes(path));
            self.write().args(["clean", "--force", "--quiet", "--"]).args(some).run()?;
        }
        Ok(())
    }

    /// The same paths, and of those that were moved and staged so the ones where they came from.
    fn with_origins(&self, paths: Vec<&[u8]>) -> ChangeResult<Vec<Vec<u8>>> {
        let newest = self.newest()?;
        let moved = list(self.read(), &["--cached", &newest, "--"])?;
        let from =
            |path: &[u8]| moved.iter().find(|one| one.path == path).and_then(|one| one.old_path.clone());
        let origins: Vec<Vec<u8>> = paths.iter().filter_map(|path| from(path)).collect();
        Ok(paths.into_iter().map(<[u8]>::to_vec).chain(origins).collect())
    }

    /// Applies one hunk to the index: of the files' changes, or taken back, of what is staged.
    fn apply_hunk(&self, path: &[u8], hunk: u32, back: bool) -> ChangeResult<()> {
        let newest = self.newest()?;
        let sides: &[&str] = if back { &["--cached", &newest] } else { &[] };
        let command = self.read().args(["-c", "diff.suppressBlankEmpty=false", "diff", "--patch", "-U3"]);
        let command = command.args(PLAIN).arg("--no-renames").args(sides).arg("--");
        let patch = command.arg(OsStr::from_bytes(path)).output()?;
        let (head, hunks) = hunks(&patch);
        let Some((_, range)) = hunks.iter().find(|(start, _)| *start == hunk) else {
            return Err(ChangeError::refused(
                "that part of the file is not what it was: it changed meanwhile, or is staged already",
            ));
        };
        // A changed mode is staged with the whole file alone.
        let mode = |line: &&[u8]| !line.starts_with(b"old mode ") && !line.starts_with(b"new mode ");
        let lines = patch[head].split_inclusive(|byte| *byte == b'\n').filter(mode);
        let mut one: Vec<u8> = lines.flatten().copied().collect();
        one.extend_from_slice(&patch[range.clone()]);
        let command = self.write().args(["-c", "apply.ignoreWhitespace=no", "apply", "--cached"]);
        let command = command.args(["--whitespace=nowarn", "--unidiff-zero"]);
        let command = if back { command.arg("--reverse") } else { command };
        Ok(command.arg("-").input(one).run()?)
    }
}

fn one_file() -> ChangeError {
    ChangeError::invalid("a part is staged of one file at a time")
}
