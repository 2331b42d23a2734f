//! Writing a worktree's files anew from the commit that was saved, where what was moved aside is no longer there.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::record::{self, write_whole};
use super::{Outcome, Record, RemoveError, Saved, Tried as _, dir_of, git_part, thin};
use crate::losses::status::EXACT;
use crate::losses::{Subject, path_of};
use crate::read::small_text;
use crate::{Git, Repository};

const NOTICE: &str = "what was moved aside had been deleted, so the files were written anew from the commit that was saved; \
     what git ignores, repositories inside it and files over 32 MB could not be brought back";

/// Whether the workspace itself is where it was: by what it is, not by the name of a directory.
pub(super) fn is_back(record: &Record) -> bool {
    let Ok(data) = record.path.symlink_metadata() else { return false };
    if !data.is_dir() {
        return false;
    }
    let same = (data.dev(), data.ino()) == (record.device, record.inode);
    // Numbers change when a disk is copied; and a directory that was emptied is no workspace.
    if let Some(admin) = record.admin.as_ref().and_then(|admin| admin.canonicalize().ok()) {
        let leads = Repository::at(&record.path).and_then(|at| at.git_dir.canonicalize().ok());
        return leads == Some(admin);
    }
    let marker = small_text(&record.path.join(".git").join(super::MARKER));
    same || marker.is_some_and(|id| id.trim() == record.id)
}

/// A record in place of one that was deleted, where its directory or its ref is still there: of what git's own part of it says.
/// What is there is its own: the ref has the id in its name, and so has the lock.
pub(super) fn record(git: &Git, subject: &Subject, now: Timestamp) -> Outcome<Option<Record>> {
    record::check_id(&subject.id)?;
    let common = subject.common_dir.as_ref().filter(|common| common.is_dir());
    let mut record = Record::of_nothing(subject, now);
    if let Some(common) = common {
        record.saved = git_part::tip(git, common, &record.ref_name())?;
        record.admin = git_part::locked_by_us(common, &subject.id);
    }
    let tree = record.tree(&subject.root);
    if let Ok(data) = tree.symlink_metadata() {
        (record.device, record.inode) = (data.dev(), data.ino());
    } else if record.saved.is_none() {
        return Ok(None);
    }
    if let Some(admin) = &record.admin {
        record.gitdir = Some(format!("{}\n", subject.path.join(".git").display()));
        // Off its branch it names the commit.
        let head = small_text(&admin.join("HEAD")).map(|head| head.trim().to_owned());
        record.head_commit = head.filter(|head| head.bytes().all(|byte| byte.is_ascii_hexdigit()));
        record.head = subject.branch.as_ref().map(|branch| format!("ref: refs/heads/{branch}\n"));
    }
    record.write(&subject.root)?;
    Ok(Some(record))
}

/// Whether files that were saved are not where it is back, in one sentence: then the ref is needed still.
pub(super) fn missing(git: &Git, record: &Record, root: &Path) -> Outcome<Option<String>> {
    let Some(place) = git_part::place_of_ref(record, root).filter(|_| record.saved.is_some()) else {
        return Ok(None);
    };
    let Some(commit) = git_part::tip(git, &place, &record.ref_name())? else { return Ok(None) };
    let not_there = match otherwise(git, &place, record, &commit) {
        Ok(files) => files.iter().filter(|one| record.path.join(&one.1).symlink_metadata().is_err()).count(),
        Err(_) => usize::MAX,
    };
    let how_many = match not_there {
        0 => return Ok(None),
        usize::MAX => "what was saved cannot be read".to_owned(),
        1 => "1 file that was saved is not in it".to_owned(),
        more => format!("{more} files that were saved are not in it"),
    };
    Ok(Some(format!("{how_many}, so {} is kept", record.ref_name())))
}

/// The files that the saved commit has otherwise than the index had them, each with its blob.
fn otherwise(git: &Git, at: &Path, record: &Record, commit: &str) -> Outcome<Vec<(String, PathBuf)>> {
    let staged = format!("{commit}^{}", if record.head_commit.is_some() { 2 } else { 1 });
    let diff = git.read(at).args(["diff-tree", "-r", "-z", "--no-renames", &staged, commit]).output()?;
    // `:100644 100755 <oid> <oid> M\0<path>\0`
    let mut fields = diff.split(|byte| *byte == 0);
    let mut files = Vec::new();
    while let (Some(head), Some(path)) = (fields.next(), fields.next()) {
        let head = String::from_utf8_lossy(head);
        if let [_, mode, _, blob, _] = head.split(' ').collect::<Vec<_>>()[..]
            && mode.starts_with("100")
        {
            files.push((blob.to_owned(), path_of(path)));
        }
    }
    Ok(files)
}

/// Writes it where it would lie aside, so that it comes back from there as any other does.
pub(super) fn rebuild(git: &Git, record: &mut Record, root: &Path) -> Outcome<()> {
    let lost = |why: &str| {
        let tree = record.tree(root);
        Err(RemoveError::Lost {
            why: format!("{} is no longer there, and {why}", tree.display()),
            saved: None,
        })
    };
    let Some(common) = record.common_dir.clone() else {
        return lost("its repository was in it");
    };
    if !common.is_dir() {
        return lost("its repository is gone too");
    }
    let Some(commit) = git_part::tip(git, &common, &record.ref_name())? else {
        return lost("nothing of it was saved");
    };
    let written = write(git, record, root, &commit);
    written.map_err(|error| RemoveError::Lost {
        why: format!(
            "{} is no longer there, and cannot be written anew: {error}",
            record.tree(root).display()
        ),
        saved: Some(saved(record, &common)),
    })?;
    record.saved = Some(commit);
    let notices = record.notice.take().into_iter().chain([NOTICE.to_owned()]);
    record.notice = Some(notices.collect::<Vec<_>>().join("; "));
    record.write(root)
}

fn saved(record: &Record, common: &Path) -> Saved {
    let name = record.ref_name();
    let command = format!("git -C {} worktree add --detach {} {name}", shell(common), shell(&record.path));
    Saved { name, command }
}

/// A path as a word that a shell takes as it is.
fn shell(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}

fn write(git: &Git, record: &mut Record, root: &Path, commit: &str) -> Outcome<()> {
    let Some(admin) = record.admin.as_ref().filter(|admin| admin.is_dir()) else {
        return Err(RemoveError::Refused("git's own part of it is gone".to_owned()));
    };
    let dir = dir_of(root, &record.id);
    let (beside, index) = (dir.join("tree-new"), dir.join("index-new"));
    let what = || format!("{} cannot be made", beside.display());
    // Of an attempt that was cut off.
    if beside.symlink_metadata().is_ok() {
        std::fs::remove_dir_all(&beside).tried(what)?;
    }
    let _ = std::fs::remove_file(&index);
    std::fs::create_dir(&beside).tried(what)?;
    let mut leads = b"gitdir: ".to_vec();
    leads.extend_from_slice(admin.as_os_str().as_encoded_bytes());
    leads.push(b'\n');
    write_whole(&beside.join(".git"), &leads)?;
    // By an index of our own: the one in git's part of it is the person's, with what was staged and what is in conflict.
    let fill = git.write(&beside).args(EXACT).env("GIT_INDEX_FILE", &index);
    fill.args(["read-tree", "--reset", "-u", "--no-recurse-submodules", commit]).run()?;
    // What was not committed was saved byte for byte, and is not for the repository's filters.
    let files = otherwise(git, &beside, record, commit)?.into_iter().map(|(blob, path)| {
        // Git wrote it just now, with what the person's umask leaves of its mode.
        let mode = beside.join(&path).symlink_metadata().map_or(0o600, |data| data.mode() & 0o7777);
        // Its size is not known: a few at once.
        thin::Had { mode, blob, size: thin::AT_ONCE / 16, path }
    });
    thin::write_exactly(git, &beside, &files.collect::<Vec<_>>())?;
    let _ = std::fs::remove_file(&index);
    let tree = record.tree(root);
    std::fs::rename(&beside, &tree).tried(|| format!("{} cannot be made", tree.display()))?;
    let data = tree.symlink_metadata().tried(|| format!("{} cannot be looked at", tree.display()))?;
    (record.device, record.inode) = (data.dev(), data.ino());
    Ok(())
}
