//! Repositories in directories of their own, made by git itself.

use std::path::{Path, PathBuf};
use std::process::Command;

use belfry_protocol::changes::{Between, ChangedFile, FileDiff};
use belfry_workspace::{Checkout, Git, Look};
use jiff::Timestamp;
use tempfile::TempDir;

/// A repository, and room beside it.
pub(crate) struct Place {
    dir: TempDir,
    pub(crate) root: PathBuf,
}

impl Place {
    /// One without any commit.
    pub(crate) fn empty() -> Self {
        let dir = TempDir::new().unwrap();
        let root = dir.path().join("Täst repo");
        std::fs::create_dir(&root).unwrap();
        let place = Self { dir, root };
        place.git(&["init", "-q"]);
        place
    }

    /// One with a commit on `main` of these files, and the branch `fix` checked out on top.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let place = Self::empty();
        for (path, text) in files {
            place.write(path, text);
        }
        place.git(&["add", "-A"]);
        place.git(&["commit", "-q", "--allow-empty", "-m", "begin"]);
        place.git(&["checkout", "-q", "-b", "fix"]);
        place
    }

    /// The same with a remote on this disk, which has `main`.
    pub(crate) fn with_remote(files: &[(&str, &str)]) -> Self {
        let place = Self::with(files);
        let remote = place.beside("remote.git");
        place.git(&["init", "-q", "--bare", remote.to_str().unwrap()]);
        place.git(&["remote", "add", "origin", remote.to_str().unwrap()]);
        place.git(&["push", "-q", "origin", "main"]);
        place
    }

    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn text(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.root.join(path)).ok()
    }

    pub(crate) fn git(&self, args: &[&str]) -> String {
        git_in(&self.root, args)
    }

    pub(crate) fn commit(&self, path: &str, text: &str) {
        self.write(path, text);
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", &format!("change {path}")]);
    }

    pub(crate) fn checkout(&self) -> Checkout {
        Checkout::containing(&self.root, git()).unwrap()
    }

    pub(crate) fn look(&self, base: &str) -> Look {
        self.checkout().look(Some(base), None).unwrap()
    }

    #[expect(clippy::needless_pass_by_value, reason = "it reads better where it is called")]
    pub(crate) fn diff(&self, path: &str, between: Between) -> FileDiff {
        self.checkout().diff(path, &between, (Some("main"), None), (None, false)).unwrap()
    }

    pub(crate) fn files(&self, between: &Between) -> Vec<ChangedFile> {
        self.checkout().files(between, Some("main"), None).unwrap()
    }

    /// All files with their contents, ignored ones too.
    pub(crate) fn everything(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = Vec::new();
        gather(&self.root, &mut files);
        files.sort();
        files
    }
}

fn gather(dir: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) {
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::PermissionsExt as _;
    for entry in std::fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let about = entry.path().symlink_metadata().unwrap();
        if entry.file_name() == ".git" {
            continue;
        }
        if about.is_dir() {
            gather(&entry.path(), files);
        } else if about.is_symlink() {
            files.push((entry.path(), entry.path().read_link().unwrap().as_os_str().as_bytes().to_vec()));
        } else {
            let mut bytes = std::fs::read(entry.path()).unwrap();
            bytes.push(u8::from(about.permissions().mode() & 0o100 != 0));
            files.push((entry.path(), bytes));
        }
    }
}

/// The environment that no setting of this machine reaches.
fn env() -> Vec<(String, String)> {
    let pairs = [
        ("HOME", "/nonexistent"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_AUTHOR_NAME", "Ann"),
        ("GIT_AUTHOR_EMAIL", "ann@example.org"),
        ("GIT_COMMITTER_NAME", "Ann"),
        ("GIT_COMMITTER_EMAIL", "ann@example.org"),
    ];
    let mut env: Vec<_> = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    env.push(("PATH".to_owned(), std::env::var("PATH").unwrap()));
    env
}

pub(crate) fn git() -> Git {
    Git::with_env(env().into_iter().map(|(name, value)| (name.into(), value.into())).collect())
}

pub(crate) fn git_in(dir: &Path, args: &[&str]) -> String {
    let out = Command::new("git")
        .args(["-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"])
        .args(args)
        .current_dir(dir)
        .env_clear()
        .envs(env())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(out.status.success(), "git {args:?}: {said}");
    String::from_utf8_lossy(&out.stdout).trim_end().to_owned()
}

/// Git where it is expected to fail.
pub(crate) fn git_fails(dir: &Path, args: &[&str]) {
    let out = Command::new("git").args(args).current_dir(dir).env_clear().envs(env()).output().unwrap();
    assert!(!out.status.success(), "git {args:?} succeeded");
}

pub(crate) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + second).unwrap()
}

pub(crate) fn paths(files: &[ChangedFile]) -> Vec<&str> {
    files.iter().map(|file| file.path.as_str()).collect()
}
