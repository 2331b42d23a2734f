//! After the day: deleting of a workspace what git has byte for byte and what tools make anew, and filling that in again.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, openat, statat, unlinkat};

use super::delete::delete;
use super::record::write_whole;
use super::save::{LARGEST, quoted};
use super::{Outcome, Record, RemoveError, Tried as _, dir_of};
use crate::losses::{Found, path_of};
use crate::{Git, Stop};

const DIRECTORY: OFlags =
    OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC).union(OFlags::RDONLY);
/// Most bytes that are asked of git at once.
pub(super) const AT_ONCE: u64 = 16 << 20;

/// A file that git has: what is deleted and filled in again.
pub(super) struct Had {
    pub(super) mode: u32,
    pub(super) blob: String,
    pub(super) size: u64,
    pub(super) path: PathBuf,
}

fn list_of(root: &Path, record: &Record) -> PathBuf {
    dir_of(root, &record.id).join("thinned")
}

/// Deletes what can be had again. Only regular files whose bytes the commit has, by their hash, and which git still can read.
pub(super) fn thin(git: &Git, record: &Record, root: &Path, found: &Found, stop: &Stop) -> Outcome<()> {
    let tree = record.tree(root);
    let top = rustix::fs::open(&tree, DIRECTORY, Mode::empty()).tried(|| "it cannot be opened".to_owned())?;
    if let Some(commit) = record.head_commit.as_ref().filter(|_| record.saved.is_some()) {
        let had = had(git, &tree, &top, commit, found, stop)?;
        let mut listed = read_list(&list_of(root, record))?;
        let known: std::collections::HashSet<PathBuf> = listed.iter().map(|one| one.path.clone()).collect();
        listed.extend(had.into_iter().filter(|one| !known.contains(&one.path)));
        // What is deleted is written down first.
        write_whole(&list_of(root, record), &listed.iter().flat_map(line).collect::<Vec<u8>>())?;
        for one in &listed {
            if let Some((dir, name)) = place(&top, &one.path) {
                let _ = unlinkat(&dir, name, AtFlags::empty());
            }
        }
    }
    for cache in &found.caches {
        let inside = found.nested.iter().any(|nested| nested.starts_with(cache));
        if let Some((dir, name)) = place(&top, cache).filter(|_| !inside) {
            delete(&dir, name, stop).tried(|| format!("{} cannot be deleted", cache.display()))?;
        }
    }
    Ok(())
}

/// A path's parent, opened without following a link on the way: a directory may be a link by now that leads out.
fn place<'a>(top: &OwnedFd, path: &'a Path) -> Option<(OwnedFd, &'a OsStr)> {
    let mut dir = rustix::io::dup(top).ok()?;
    for part in path.parent()?.components() {
        let std::path::Component::Normal(part) = part else { return None };
        dir = openat(&dir, part, DIRECTORY, Mode::empty()).ok()?;
    }
    Some((dir, path.file_name()?))
}

fn had(git: &Git, tree: &Path, top: &OwnedFd, commit: &str, found: &Found, stop: &Stop) -> Outcome<Vec<Had>> {
    let out = git.read(tree).stop(stop).args(["ls-tree", "-r", "-z", "--full-tree", commit]).output()?;
    let mut had = Vec::new();
    for entry in out.split(|byte| *byte == 0) {
        // `100644 blob <oid>\t<path>`
        let Some(tab) = entry.iter().position(|byte| *byte == b'\t') else { continue };
        let head = String::from_utf8_lossy(&entry[..tab]);
        let path = path_of(&entry[tab + 1..]);
        let Some(blob) = head.strip_prefix("100644 blob ").or_else(|| head.strip_prefix("100755 blob "))
        else {
            continue;
        };
        let nested = found.nested.iter().any(|nested| path.starts_with(nested));
        let Some((dir, name)) = place(top, &path).filter(|_| !nested) else { continue };
        let Ok(stat) = statat(&dir, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
        let size = u64::try_from(stat.st_size).unwrap_or(u64::MAX);
        let plain = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile && size <= LARGEST;
        if plain && !has_attributes(&tree.join(&path)) {
            had.push(Had { mode: stat.st_mode & 0o7777, blob: blob.to_owned(), size, path });
        }
    }
    let input = had.iter().flat_map(|one| quoted(&one.path)).collect();
    let hash = git.read(tree).stop(stop).args(["hash-object", "--no-filters", "--stdin-paths"]).input(input);
    let hashes = hash.text()?;
    let same: Vec<bool> = had.iter().zip(hashes.lines()).map(|(one, hash)| one.blob == hash).collect();
    // In a partial clone git knows the hash of what it does not have.
    let input = had.iter().flat_map(|one| format!("{}\n", one.blob).into_bytes()).collect();
    let check = git.read(tree).stop(stop).env("GIT_NO_LAZY_FETCH", "1");
    let there = check.args(["cat-file", "--batch-check"]).input(input).text()?;
    let there: Vec<bool> = there.lines().map(|line| line.contains(" blob ")).collect();
    if same.len() != had.len() || there.len() != had.len() {
        return Err(RemoveError::Refused("git did not answer for every file".to_owned()));
    }
    let mut sure = same.into_iter().zip(there).map(|(same, there)| same && there);
    had.retain(|_| sure.next() == Some(true));
    Ok(had)
}

/// Whether a file has attributes of its own, which git does not keep.
#[cfg(target_os = "linux")]
fn has_attributes(path: &Path) -> bool {
    let mut names = [0_u8; 4096];
    match rustix::fs::llistxattr(path, &mut names[..]) {
        Ok(length) => names[..length].split(|byte| *byte == 0).any(|name| name.starts_with(b"user.")),
        Err(rustix::io::Errno::RANGE) => true,
        Err(_) => false,
    }
}

#[cfg(not(target_os = "linux"))]
fn has_attributes(_path: &Path) -> bool {
    true
}

fn line(one: &Had) -> Vec<u8> {
    let mut line = format!("{:o} {} {} ", one.mode, one.blob, one.size).into_bytes();
    line.extend_from_slice(one.path.as_os_str().as_bytes());
    line.push(0);
    line
}

fn read_list(path: &Path) -> Outcome<Vec<Had>> {
    let bytes = match std::fs::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.tried(|| format!("{} cannot be read", path.display()))?,
    };
    let entries = bytes.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()).map(|entry| {
        let mut fields = entry.splitn(4, |byte| *byte == b' ');
        let mut text = || fields.next().map(|field| String::from_utf8_lossy(field).into_owned());
        let (mode, blob, size) = (text()?, text()?, text()?);
        Some(Had {
            mode: u32::from_str_radix(&mode, 8).ok()?,
            blob,
            size: size.parse().ok()?,
            path: path_of(fields.next()?),
        })
    });
    entries
        .collect::<Option<Vec<Had>>>()
        .ok_or_else(|| RemoveError::Refused(format!("{} is damaged", path.display())))
}

/// Puts everything back that [`thin`] took and git has.
pub(super) fn fill(git: &Git, record: &Record, root: &Path) -> Outcome<()> {
    let tree = record.tree(root);
    let what = || "it cannot be filled in again".to_owned();
    let top = rustix::fs::open(&tree, DIRECTORY, Mode::empty()).tried(what)?;
    let listed = read_list(&list_of(root, record))?;
    let missing: Vec<&Had> = listed
        .iter()
        .filter(|one| match place(&top, &one.path) {
            Some((dir, name)) => statat(&dir, name, AtFlags::SYMLINK_NOFOLLOW).is_err(),
            None => true,
        })
        .collect();
    let at = record.common_dir.as_deref().filter(|common| common.is_dir()).unwrap_or(&tree);
    write_all(git, at, &top, &missing)
}

/// Writes files as git has their bytes, over what is there.
pub(super) fn write_exactly(git: &Git, tree: &Path, files: &[Had]) -> Outcome<()> {
    let what = || format!("{} cannot be opened", tree.display());
    let top = rustix::fs::open(tree, DIRECTORY, Mode::empty()).tried(what)?;
    write_all(git, tree, &top, &files.iter().collect::<Vec<_>>())
}

fn write_all(git: &Git, at: &Path, top: &OwnedFd, files: &[&Had]) -> Outcome<()> {
    let mut rest = files;
    while !rest.is_empty() {
        let mut bytes = 0;
        let count = rest.iter().take_while(|one| {
            bytes += one.size;
            bytes <= AT_ONCE
        });
        let (now, later) = rest.split_at(count.count().max(1));
        let blobs = blobs(git, at, now)?;
        for one in now {
            let Some(bytes) = blobs.get(one.blob.as_str()) else {
                return Err(RemoveError::Refused(format!("git has {} no more", one.path.display())));
            };
            write(top, one, bytes).tried(|| format!("{} cannot be written", one.path.display()))?;
        }
        rest = later;
    }
    Ok(())
}

fn blobs(git: &Git, at: &Path, files: &[&Had]) -> Outcome<HashMap<String, Vec<u8>>> {
    let wanted: std::collections::BTreeSet<&str> = files.iter().map(|one| one.blob.as_str()).collect();
    let input = wanted.iter().flat_map(|blob| format!("{blob}\n").into_bytes()).collect();
    let out = git.read(at).args(["cat-file", "--batch"]).input(input).output()?;
    let mut blobs = HashMap::new();
    let mut rest = &out[..];
    // `<oid> blob <size>\n<bytes>\n`, or `<oid> missing\n`
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
        let head = String::from_utf8_lossy(&rest[..end]).into_owned();
        rest = &rest[end + 1..];
        if let [blob, "blob", size] = head.split(' ').collect::<Vec<_>>()[..]
            && let Ok(size) = size.parse::<usize>()
            && rest.len() > size
        {
            blobs.insert(blob.to_owned(), rest[..size].to_vec());
            rest = &rest[size + 1..];
        }
    }
    Ok(blobs)
}

/// Writes a file under another name first: one that is there is whole.
fn write(top: &OwnedFd, one: &Had, bytes: &[u8]) -> std::io::Result<()> {
    let Some((dir, name)) = place(top, &one.path) else {
        return Err(std::io::Error::other("its directory is not there"));
    };
    let beside = ".belfry-filling-in";
    let flags = OFlags::CREATE | OFlags::TRUNC | OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut file = File::from(openat(&dir, beside, flags, Mode::RUSR | Mode::WUSR)?);
    file.write_all(bytes)?;
    rustix::fs::fchmod(&file, Mode::from_raw_mode(one.mode))?;
    Ok(rustix::fs::renameat(&dir, beside, &dir, name)?)
}
