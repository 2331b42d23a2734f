//! A commit of all that a workspace has: its files as they are, its index, and the commits that nothing else leads to.
//!
//! Files are stored byte for byte, not as a repository's filters would, so that what comes back is what was there; and by an index
//! of our own, so that the person's is not touched.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::{Outcome, Tried as _, dir_of};
use crate::git::GitCommand;
use crate::losses::{Found, Subject, status::EXACT};
use crate::{Git, GitResult};

/// Larger files are not stored in the repository; they stay where they are, aside.
pub(crate) const LARGEST: u64 = 32 << 20;

/// Saves it under the workspace's ref and gives the commit.
pub(super) fn save(git: &Git, subject: &Subject, found: &Found, now: Timestamp) -> Outcome<String> {
    let saving = Saving { git, at: &subject.path, dir: dir_of(&subject.root, &subject.id), now };
    let head = found.kept.head.clone();
    let staged = saving.index_copy("index-staged")?;
    let unmerged: BTreeSet<&Path> = found.status.unmerged.iter().map(|(.., path)| path.as_path()).collect();
    let gone = unmerged.iter().flat_map(|path| info("0", &"0".repeat(40), 0, path)).collect();
    saving.update(&staged, gone)?;
    let staged = saving.tree(&staged)?;
    let mut parents: Vec<String> = head.iter().cloned().collect();
    parents.push(saving.commit(&staged, head.as_slice(), "The index")?);
    if !found.status.unmerged.is_empty() {
        // The versions that a conflict is between, each in a directory of its stage.
        let stages = saving.dir.join("index-unmerged");
        let _ = std::fs::remove_file(&stages);
        let lines = found.status.unmerged.iter().flat_map(|(stage, mode, blob, path)| {
            info(mode, blob, 0, &Path::new(&stage.to_string()).join(path))
        });
        saving.update(&stages, lines.collect())?;
        let stages = saving.tree(&stages)?;
        parents.push(saving.commit(&stages, &[], "The versions in conflict")?);
    }

    let whole = saving.index_copy("index-whole")?;
    let untracked = found.status.untracked.iter().filter(|path| !path.as_os_str().as_bytes().ends_with(b"/"));
    let files: Vec<&PathBuf> = found.uncommitted.iter().chain(untracked).collect();
    saving.update(&whole, saving.files(&files)?)?;
    let tree = saving.tree(&whole)?;
    let mut more: BTreeSet<String> = found.kept.forgotten.iter().cloned().collect();
    more.extend(found.kept.stashes.iter().map(|(oid, _)| oid.clone()));
    if !subject.whole_repository() {
        more.extend(found.kept.own.iter().cloned());
    }
    parents.extend(more.into_iter().filter(|oid| Some(oid) != head.as_ref()));
    let message = format!("What {} held when it was removed", subject.path.display());
    let commit = saving.commit(&tree, &parents, &message)?;
    let name = format!("refs/belfry/removed/{}", subject.id);
    git.write(&subject.path).args(["update-ref", &name, &commit]).run()?;
    for name in ["index-staged", "index-unmerged", "index-whole"] {
        let _ = std::fs::remove_file(saving.dir.join(name));
    }
    Ok(commit)
}

struct Saving<'a> {
    git: &'a Git,
    at: &'a Path,
    dir: PathBuf,
    now: Timestamp,
}

impl Saving<'_> {
    fn command(&self) -> GitCommand {
        self.git.write(self.at).args(EXACT)
    }

    /// A copy of the index; without one, an empty one is made by whoever writes to it.
    fn index_copy(&self, name: &str) -> Outcome<PathBuf> {
        let index = self.git.read(self.at).args(["rev-parse", "--git-path", "index"]).output()?;
        let index = crate::losses::path_of(index.strip_suffix(b"\n").unwrap_or(&index));
        let copy = self.dir.join(name);
        let _ = std::fs::remove_file(&copy);
        let index = self.at.join(index);
        match std::fs::copy(&index, &copy) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            copied => drop(copied.tried(|| format!("{} cannot be copied", index.display()))?),
        }
        Ok(copy)
    }

    fn update(&self, index: &Path, lines: Vec<u8>) -> GitResult<()> {
        if lines.is_empty() {
            return Ok(());
        }
        let update = self.command().args(["update-index", "-z", "--replace", "--index-info"]);
        update.env("GIT_INDEX_FILE", index).input(lines).run()
    }

    fn tree(&self, index: &Path) -> GitResult<String> {
        self.command().args(["write-tree", "--missing-ok"]).env("GIT_INDEX_FILE", index).text()
    }

    fn commit(&self, tree: &str, parents: &[String], message: &str) -> GitResult<String> {
        let date = format!("@{} +0000", self.now.as_second());
        let mut command = self.command().args(["commit-tree", tree]);
        for parent in parents {
            command = command.args(["-p", parent]);
        }
        // Nobody's identity is needed, and nobody's name is put under it.
        for who in ["AUTHOR", "COMMITTER"] {
            command = command
                .env(&format!("GIT_{who}_NAME"), "Belfry")
                .env(&format!("GIT_{who}_EMAIL"), "belfry@localhost")
                .env(&format!("GIT_{who}_DATE"), &date);
        }
        command.input(message.as_bytes().to_vec()).text()
    }

    /// What an index is to have of files as they are: gone, a link, or their bytes.
    fn files(&self, files: &[&PathBuf]) -> Outcome<Vec<u8>> {
        let mut lines = Vec::new();
        let mut stored: Vec<(&Path, &str)> = Vec::new();
        for path in files {
            let file = self.at.join(path);
            match file.symlink_metadata() {
                Err(_) => lines.extend(info("0", &"0".repeat(40), 0, path)),
                Ok(data) if data.is_symlink() => {
                    let Ok(to) = std::fs::read_link(&file) else { continue };
                    let to = to.as_os_str().as_bytes().to_vec();
                    let blob = self.command().args(["hash-object", "-w", "--stdin"]).input(to).text()?;
                    lines.extend(info("120000", &blob, 0, path));
                }
                Ok(data) if data.is_file() && data.len() <= LARGEST && std::fs::File::open(&file).is_ok() => {
                    let runs = data.permissions().mode() & 0o100 != 0;
                    stored.push((path, if runs { "100755" } else { "100644" }));
                }
                // A directory in a file's place has its own entries; what is too large or cannot be read stays where it is.
                Ok(_) => {}
            }
        }
        if stored.is_empty() {
            return Ok(lines);
        }
        let input = stored.iter().flat_map(|(path, _)| quoted(path)).collect();
        let hash = self.command().args(["hash-object", "-w", "--no-filters", "--stdin-paths"]);
        let blobs = hash.input(input).text()?;
        for ((path, mode), blob) in stored.iter().zip(blobs.lines()) {
            lines.extend(info(mode, blob, 0, path));
        }
        Ok(lines)
    }
}

/// A line for `update-index -z --index-info`.
fn info(mode: &str, blob: &str, stage: u8, path: &Path) -> Vec<u8> {
    let mut line = format!("{mode} {blob} {stage}\t").into_bytes();
    line.extend_from_slice(path.as_os_str().as_bytes());
    line.push(0);
    line
}

/// A path as a line that git reads, in quotes where it would be read as something else.
pub(crate) fn quoted(path: &Path) -> Vec<u8> {
    let bytes = path.as_os_str().as_bytes();
    let plain = bytes.iter().all(|byte| *byte >= b' ' && *byte != b'"' && *byte != b'\\' && *byte != 0x7f);
    let mut line = Vec::with_capacity(bytes.len() + 3);
    if plain {
        line.extend_from_slice(bytes);
    } else {
        line.push(b'"');
        for byte in bytes {
            match byte {
                b'"' | b'\\' => line.extend([b'\\', *byte]),
                b' '..=b'~' => line.push(*byte),
                _ => line.extend(format!("\\{byte:03o}").bytes()),
            }
        }
        line.push(b'"');
    }
    line.push(b'\n');
    line
}
