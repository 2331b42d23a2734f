//! A place with repositories, and a git that knows nothing of the machine's own settings.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use belfry_workspace::base::Ask;
use belfry_workspace::branch::{self, Branch, Wanted};
use belfry_workspace::worktree::{Made, Making};
use belfry_workspace::{Git, MakeResult, Source, Stop, clone, worktree};
use tempfile::TempDir;

pub(crate) struct Place {
    pub(crate) folder: TempDir,
    pub(crate) git: Git,
    pub(crate) stop: Stop,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self::with(&[])
    }

    /// With more variables.
    pub(crate) fn with(more: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let global = folder.path().join("gitconfig");
        let text = "[user]\n\tname = Ann\n\temail = ann@example.org\n[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n";
        std::fs::write(&global, text).unwrap();
        let mut env: Vec<(OsString, OsString)> = vec![
            ("PATH".into(), std::env::var_os("PATH").unwrap()),
            ("HOME".into(), folder.path().into()),
            ("GIT_CONFIG_GLOBAL".into(), global.into()),
            ("GIT_CONFIG_NOSYSTEM".into(), "1".into()),
        ];
        env.extend(more.iter().map(|(name, value)| ((*name).into(), (*value).into())));
        Self { git: Git::with_env(env), stop: Stop::default(), folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        std::fs::canonicalize(self.folder.path()).unwrap().join(name)
    }

    /// Runs git for the test itself.
    pub(crate) fn git(&self, at: &Path, args: &[&str]) -> String {
        let output = Command::new("git")
            .args(args)
            .current_dir(at)
            .env("GIT_CONFIG_GLOBAL", self.path("gitconfig"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    }

    /// A repository with a commit.
    pub(crate) fn repository(&self, name: &str) -> PathBuf {
        let top = self.path(name);
        std::fs::create_dir_all(&top).unwrap();
        self.git(&top, &["init", "-q"]);
        self.commit(&top, "read.me", "one\n");
        top
    }

    pub(crate) fn commit(&self, top: &Path, file: &str, text: &str) {
        let path = top.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self.git(top, &["add", "-A"]);
        self.git(top, &["commit", "-qm", file]);
    }

    /// A repository that was cloned from a bare one, and that one: the remote.
    pub(crate) fn cloned(&self, name: &str) -> (PathBuf, PathBuf) {
        let origin = self.repository(&format!("{name}-origin"));
        let remote = self.path(&format!("{name}.git"));
        self.git(
            &self.path(""),
            &["clone", "-q", "--bare", origin.to_str().unwrap(), remote.to_str().unwrap()],
        );
        self.git(&self.path(""), &["clone", "-q", remote.to_str().unwrap(), name]);
        self.git(&origin, &["remote", "add", "origin", remote.to_str().unwrap()]);
        (self.path(name), remote)
    }

    /// Somebody else pushes to a remote.
    pub(crate) fn push(&self, name: &str, branch: &str, file: &str) -> String {
        let origin = self.path(&format!("{name}-origin"));
        self.git(&origin, &["checkout", "-q", "-B", branch]);
        self.commit(&origin, file, "pushed\n");
        self.git(&origin, &["push", "-q", "origin", branch]);
        self.git(&origin, &["rev-parse", "HEAD"])
    }

    pub(crate) fn ask(&self) -> Ask<'_> {
        Ask { limit: Some(Duration::from_secs(20)), stop: &self.stop }
    }

    pub(crate) fn decide(&self, at: &Path, name: Option<&str>, text: Option<&str>) -> MakeResult<Branch> {
        let source = Source::of(&self.git, at)?;
        branch::decide(&self.git, &source, &Wanted { name, text, pull: None }, &[])
    }

    /// A worktree beside everything else.
    pub(crate) fn worktree(&self, at: &Path, branch: &str) -> MakeResult<(PathBuf, Made)> {
        self.worktree_on(at, &Wanted { name: Some(branch), ..Wanted::default() }, None)
    }

    pub(crate) fn worktree_on(
        &self,
        at: &Path,
        wanted: &Wanted<'_>,
        base: Option<&str>,
    ) -> MakeResult<(PathBuf, Made)> {
        let source = Source::of(&self.git, at)?;
        let branch = branch::decide(&self.git, &source, wanted, &[])?;
        let path = self.path("trees").join(branch.name().replace('/', "-"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let making = Making { branch: &branch, base, path: &path, ask: self.ask() };
        worktree::make(&self.git, &source, making, &mut |_| {}).map(|made| (path, made))
    }

    pub(crate) fn clone(&self, at: &Path, wanted: &Wanted<'_>) -> MakeResult<(PathBuf, Made)> {
        let source = Source::of(&self.git, at)?;
        let branch = clone::decide(&self.git, &source, wanted, &[])?;
        let path = self.path("trees").join(branch.name().replace('/', "-"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let caches = self.path("caches");
        let cloning =
            clone::Cloning { caches: &caches, branch: &branch, base: None, path: &path, ask: self.ask() };
        clone::make(&self.git, &source, cloning, &mut |_| {}).map(|made| (path, made))
    }
}
