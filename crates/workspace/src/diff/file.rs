//! One file's diff.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use belfry_protocol::changes::{Between, ChangeKind, ChangedFile, FileDiff, Staged};

use super::parse::{self, Parsed};
use super::{Aside, Span};
use crate::changes::{ChangeError, ChangeResult, Checkout, Ends, Listed, PLAIN, Standing, list};
use crate::git::{GitCommand, GitError};

/// Lines of a diff that are told where not all are asked for.
const MOST_LINES: usize = 2000;
/// Lines around each change where nothing is said, and most.
const CONTEXT: u32 = 3;
const MOST_CONTEXT: u32 = 100_000;

const LINK: u32 = 0o120_000;
const SUBMODULE: u32 = 0o160_000;

/// A path of a client's, checked.
pub(crate) fn path(text: &str) -> ChangeResult<&[u8]> {
    let shown: String = text.chars().take(200).collect();
    if text.contains(char::REPLACEMENT_CHARACTER) {
        return Err(ChangeError::invalid(format!(
            "the name `{}` is no valid UTF-8, and git alone can act on it",
            shown.escape_debug()
        )));
    }
    let bad = text.is_empty()
        || text.len() > 4096
        || text.starts_with('/')
        || text.contains('\0')
        || text.split('/').any(|part| matches!(part, "" | "." | ".."));
    if bad {
        return Err(ChangeError::invalid(format!("`{}` is no path in the repository", shown.escape_debug())));
    }
    Ok(text.as_bytes())
}

impl Checkout {
    /// One file's diff. `context`: lines around each change; `whole`: all of it.
    pub fn diff(
        &self,
        file: &str,
        between: &Between,
        (base, known): (Option<&str>, Option<&Ends>),
        (context, whole): (Option<u32>, bool),
    ) -> ChangeResult<FileDiff> {
        let wanted = path(file)?;
        let span = self.span(between, base, known)?;
        let standing = if span.uncommitted { self.status(&[wanted])?.of(wanted) } else { None };
        let aside = match standing {
            Some(Standing::Untracked) if span.files => {
                let aside = Aside::of(self)?;
                aside.intend(&[wanted])?;
                Some(aside)
            }
            _ => None,
        };
        let read = || aside.as_ref().map_or_else(|| self.read(), Aside::read);
        let Some(listed) = one(read(), &span, wanted)? else {
            return Ok(unchanged(file, standing));
        };
        let context = format!("-U{}", context.unwrap_or(CONTEXT).min(MOST_CONTEXT));
        let command = read().args(["-c", "diff.suppressBlankEmpty=false", "diff", "--patch", &context]);
        let paths = listed.old_path.iter().chain([&listed.path]).map(|path| OsStr::from_bytes(path));
        let patch = command.args(PLAIN).args(span.args()).args(paths).output();
        let (parsed, too_much) = match patch {
            Ok(patch) => (parse::parse(&patch, (!whole).then_some(MOST_LINES)), false),
            Err(GitError::TooMuch { .. }) => (Parsed::default(), true),
            Err(error) => return Err(error.into()),
        };
        let (old_bytes, new_bytes) = self.sizes(&listed, span.files)?;
        let mut notes = notes(&listed);
        if too_much {
            notes.push("It is too large to be shown.".to_owned());
        }
        notes.extend(parsed.note);
        Ok(FileDiff {
            file: listed.file(standing),
            binary: parsed.binary,
            old_bytes,
            new_bytes,
            hunks: parsed.hunks,
            left_out: parsed.left_out,
            note: (!notes.is_empty()).then(|| notes.join(" ")),
        })
    }

    /// Bytes before and now.
    fn sizes(&self, listed: &Listed, files: bool) -> ChangeResult<(Option<u64>, Option<u64>)> {
        let there = |mode: u32| mode != 0 && mode != SUBMODULE;
        let known = |id: &str| !id.bytes().all(|byte| byte == b'0');
        let mut asked = String::new();
        let old = there(listed.modes.0) && known(&listed.ids.0);
        let new = there(listed.modes.1) && known(&listed.ids.1);
        if old {
            asked = format!("{}\n", listed.ids.0);
        }
        if new {
            asked.extend([
                listed.ids.1.as_str(),
                "
",
            ]);
        }
        let mut sizes = Vec::new();
        if !asked.is_empty() {
            let command = self.read().args(["cat-file", "--batch-check=%(objectsize)"]);
            let text = command.input(asked.into_bytes()).text()?;
            sizes = text.lines().map(|line| line.trim().parse().ok()).collect::<Vec<Option<u64>>>();
        }
        let mut sizes = sizes.into_iter();
        let old = if old { sizes.next().flatten() } else { None };
        let new = if new {
            sizes.next().flatten()
        } else if files && there(listed.modes.1) {
            let path = self.root().join(OsStr::from_bytes(&listed.path));
            path.symlink_metadata().ok().map(|about| about.len())
        } else {
            None
        };
        Ok((old, new))
    }
}

/// The file in git's list.
fn one(command: GitCommand, span: &Span, wanted: &[u8]) -> ChangeResult<Option<Listed>> {
    // All of them: where a new file was moved from is seen only beside what went. What is not settled comes a second time, as
    // it lies there.
    let listed = list(command, &span.args())?;
    Ok(listed.into_iter().rfind(|listed| listed.path == wanted))
}

/// A file that is the same on both sides.
fn unchanged(path: &str, standing: Option<Standing>) -> FileDiff {
    FileDiff {
        file: ChangedFile {
            path: path.to_owned(),
            old_path: None,
            kind: ChangeKind::Modified,
            added: Some(0),
            removed: Some(0),
            staged: standing.map_or(Staged::Committed, Standing::staged),
        },
        binary: false,
        old_bytes: None,
        new_bytes: None,
        hunks: Vec::new(),
        left_out: 0,
        note: None,
    }
}

/// What no line says.
fn notes(listed: &Listed) -> Vec<String> {
    let (old, new) = listed.modes;
    let short = |id: &str| {
        if id.bytes().all(|byte| byte == b'0') { "…".to_owned() } else { id[..10.min(id.len())].to_owned() }
    };
    let mut notes = Vec::new();
    if old == SUBMODULE && new == SUBMODULE {
        notes.push(format!("Submodule: {} → {}.", short(&listed.ids.0), short(&listed.ids.1)));
    } else if new == SUBMODULE {
        notes.push(format!("A submodule at {}.", short(&listed.ids.1)));
    } else if old == SUBMODULE {
        notes.push(format!("A submodule was at {}.", short(&listed.ids.0)));
    } else if old != 0 && new != 0 && old != new {
        notes.push(match (old, new) {
            (_, LINK) => "It is a symbolic link now.".to_owned(),
            (LINK, _) => "It is no symbolic link any more.".to_owned(),
            (_, 0o100_755) => "It can be executed now (mode 644 → 755).".to_owned(),
            (0o100_755, _) => "It cannot be executed any more (mode 755 → 644).".to_owned(),
            _ => format!("Mode {old:o} → {new:o}."),
        });
    }
    notes
}
