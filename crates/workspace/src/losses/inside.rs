//! What lies in a directory that git does not tell of: repositories, other file systems, what cannot be read.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::read::small_text;
use crate::{GitError, GitResult, Repository, Stop};

/// Most entries that are looked at. Where there are more, nothing of them is deleted before its time.
const MOST: u64 = 2_000_000;

/// Files, bytes, and the last change of one of them.
pub(crate) type Size = (u32, u64, (i64, i64));

/// One entry of a walk.
pub(crate) struct Seen {
    /// Relative to where the walk began.
    pub(crate) path: PathBuf,
    pub(crate) dir: bool,
    /// A regular file.
    pub(crate) file: bool,
    pub(crate) bytes: u64,
    pub(crate) changed: (i64, i64),
    pub(crate) device: u64,
    /// Why a directory's entries are not known.
    pub(crate) unreadable: bool,
}

/// Shows all that is in a directory, links as themselves. The callback says whether a directory is gone into. Says whether that
/// was all.
pub(crate) fn walk(at: &Path, stop: &Stop, seen: &mut dyn FnMut(&Seen) -> bool) -> GitResult<bool> {
    let mut dirs = vec![PathBuf::new()];
    let mut count = 0_u64;
    while let Some(dir) = dirs.pop() {
        if stop.stopped() {
            return Err(GitError::Stopped);
        }
        let Ok(entries) = std::fs::read_dir(at.join(&dir)) else {
            let unreadable = Seen {
                path: dir,
                dir: true,
                file: false,
                bytes: 0,
                changed: (0, 0),
                device: 0,
                unreadable: true,
            };
            seen(&unreadable);
            continue;
        };
        for entry in entries.flatten() {
            count += 1;
            if count > MOST {
                return Ok(false);
            }
            let Ok(data) = entry.metadata() else { continue };
            let entry = Seen {
                path: dir.join(entry.file_name()),
                dir: data.is_dir(),
                file: data.is_file(),
                bytes: data.len(),
                changed: (data.ctime(), data.ctime_nsec()),
                device: data.dev(),
                unreadable: false,
            };
            if seen(&entry) && entry.dir {
                dirs.push(entry.path);
            }
        }
    }
    Ok(true)
}

/// What a file or a directory's files are, in all.
pub(crate) fn size(at: &Path, stop: &Stop) -> GitResult<Size> {
    let Ok(data) = at.symlink_metadata() else { return Ok((0, 0, (0, 0))) };
    if !data.is_dir() {
        return Ok((1, data.len(), (data.ctime(), data.ctime_nsec())));
    }
    let mut sum: Size = (0, 0, (0, 0));
    walk(at, stop, &mut |entry| {
        if !entry.dir {
            sum = (sum.0.saturating_add(1), sum.1.saturating_add(entry.bytes), sum.2.max(entry.changed));
        }
        true
    })?;
    Ok(sum)
}

pub(super) fn sum(at: &Path, stop: &Stop) -> GitResult<String> {
    Ok(format!("{:?}", size(at, stop)?))
}

/// A repository inside that is no submodule.
pub(crate) struct Nested {
    pub(crate) path: PathBuf,
    pub(crate) sum: String,
}

/// What a walk found.
#[derive(Default)]
pub(crate) struct Around {
    pub(crate) repositories: Vec<Nested>,
    pub(crate) unreadable: Vec<PathBuf>,
    pub(crate) refused: Option<String>,
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    pub(crate) newest: (i64, i64),
    /// There is more in it than was looked at.
    pub(crate) cut: bool,
}

pub(super) fn around(at: &Path, stop: &Stop) -> GitResult<Around> {
    let mut around = Around::default();
    let device = at.symlink_metadata().map_or(0, |data| data.dev());
    let own = Repository::at(at).map(|own| own.git_dir);
    let mut found = Vec::new();
    let all = walk(at, stop, &mut |entry| {
        if entry.unreadable {
            around.unreadable.push(entry.path.clone());
            return false;
        }
        if entry.dir && entry.device != device {
            around.refused =
                Some(format!("another file system is mounted in it, at {}", entry.path.display()));
            return false;
        }
        if !entry.dir {
            around.files += 1;
            around.bytes = around.bytes.saturating_add(entry.bytes);
            around.newest = around.newest.max(entry.changed);
        }
        if entry.path.file_name().is_some_and(|name| name == ".git") {
            if entry.path.parent().is_some_and(|parent| !parent.as_os_str().is_empty()) {
                found.extend(entry.path.parent().map(Path::to_owned));
            }
            return false;
        }
        // A bare repository has no `.git`: it is one by what it holds.
        if entry.dir && is_bare(&at.join(&entry.path)) {
            found.push(entry.path.clone());
            return false;
        }
        true
    })?;
    around.cut = !all;
    for path in found {
        let inside = at.join(&path);
        match links(&inside, at, own.as_deref()) {
            Links::Submodule => {}
            Links::Repository => around.repositories.push(Nested { sum: sum(&inside, stop)?, path }),
            Links::Worktree => {
                around.refused = Some(format!(
                    "another worktree lies in it, at {}; it is to be removed first",
                    path.display()
                ));
            }
        }
    }
    if around.refused.is_none() {
        around.refused = own.filter(|own| *own == at.join(".git")).and_then(|own| worktrees_of(&own, at));
    }
    Ok(around)
}

fn is_bare(dir: &Path) -> bool {
    let has = |name: &str| dir.join(name).symlink_metadata();
    has("HEAD").is_ok_and(|head| head.is_file())
        && has("objects").is_ok_and(|objects| objects.is_dir())
        && has("refs").is_ok_and(|refs| refs.is_dir())
}

/// What a directory with a `.git` is to the repository around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    /// A submodule, whose git directory is the outer one's.
    Submodule,
    /// A repository of its own.
    Repository,
    /// A worktree of a repository that lies elsewhere, which knows it by its path.
    Worktree,
}

pub(crate) fn links(inside: &Path, at: &Path, own: Option<&Path>) -> Links {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let Some(repository) = Repository::at(inside) else { return Links::Repository };
    let git_dir = real(&repository.git_dir);
    if own.is_some_and(|own| git_dir.starts_with(real(own).join("modules"))) {
        return Links::Submodule;
    }
    let elsewhere = !git_dir.starts_with(real(at));
    if elsewhere && git_dir.join("commondir").is_file() { Links::Worktree } else { Links::Repository }
}

/// Worktrees elsewhere whose repository this is.
fn worktrees_of(git_dir: &Path, at: &Path) -> Option<String> {
    let entries = std::fs::read_dir(git_dir.join("worktrees")).ok()?;
    entries.flatten().find_map(|entry| {
        let place = small_text(&entry.path().join("gitdir"))?;
        let place = PathBuf::from(place.trim_end_matches('\n'));
        let outside = place.symlink_metadata().is_ok() && !place.starts_with(at);
        outside.then(|| {
            let place = place.parent().unwrap_or(&place).display();
            format!("it is the repository of a worktree elsewhere, at {place}; that is to be removed first")
        })
    })
}

/// Hooks that somebody wrote into a repository, and large files that the one it was cloned from does not have.
pub(super) fn own_hooks(git_dir: &Path, cache: Option<&Path>) -> Vec<(String, u64)> {
    let mut own = Vec::new();
    for entry in std::fs::read_dir(git_dir.join("hooks")).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(data) = entry.metadata().ok().filter(std::fs::Metadata::is_file) else { continue };
        let of_lfs = || small_text(&entry.path()).is_some_and(|text| text.contains("git lfs"));
        if !name.to_ascii_lowercase().ends_with(".sample") && !of_lfs() {
            own.push((format!(".git/hooks/{name}"), data.len()));
        }
    }
    let (mut count, mut bytes) = (0, 0);
    let _ = walk(&git_dir.join("lfs/objects"), &Stop::default(), &mut |entry| {
        let there = cache.is_some_and(|cache| cache.join("lfs/objects").join(&entry.path).is_file());
        if entry.file && !there {
            count += 1;
            bytes += entry.bytes;
        }
        true
    });
    if count > 0 {
        own.push((".git/lfs/".to_owned(), bytes));
    }
    own
}
