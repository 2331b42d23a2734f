//! Repositories for the daemon to follow, and a git that counts how often it is run.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use belfry_protocol::changes::{Changes, ChangesRequest};
use belfry_protocol::{Reply, Request, WireError};
use belfry_tests::daemon::TestDaemon;

/// Git without the tester's settings; its output.
pub(crate) fn git(dir: &Path, args: &[&str]) -> String {
    let out = Command::new("git")
        .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "init.defaultBranch=main"])
        .args(args)
        .current_dir(dir)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("run git");
    assert!(out.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).trim_end().to_owned()
}

/// A remote with one commit on `main`, and a clone of it on the branch `fix`.
pub(crate) fn cloned(dir: &Path) -> PathBuf {
    let seed = dir.join("seed");
    std::fs::create_dir_all(seed.join("src/deep")).expect("a directory");
    git(&seed, &["init", "-q"]);
    for (name, text) in [("a", "1\n2\n3\n"), ("src/deep/b", "1\n"), (".gitignore", "target/\n")] {
        std::fs::write(seed.join(name), text).expect("a file");
    }
    git(&seed, &["add", "-A"]);
    git(&seed, &["commit", "-q", "-m", "begin"]);
    git(dir, &["clone", "-q", "--bare", "seed", "remote.git"]);
    git(dir, &["clone", "-q", "remote.git", "repo"]);
    let repo = dir.join("repo");
    git(&repo, &["config", "user.name", "Ann"]);
    git(&repo, &["config", "user.email", "ann@example.org"]);
    git(&repo, &["checkout", "-q", "-b", "fix", "--no-track"]);
    repo
}

/// A `git` that notes what it is run for.
pub(crate) struct Counted {
    log: PathBuf,
    path: String,
}

impl Counted {
    pub(crate) fn new(dir: &Path) -> Self {
        let bin = dir.join("counting");
        std::fs::create_dir_all(&bin).expect("a directory");
        let log = dir.join("git.log");
        std::fs::write(&log, "").expect("a file");
        let own = std::env::var("PATH").expect("a PATH");
        let real = std::env::split_paths(&own).map(|dir| dir.join("git")).find(|git| git.is_file());
        let real = real.expect("git is there");
        let script =
            format!("#!/bin/sh\necho \"$*\" >>'{}'\nexec '{}' \"$@\"\n", log.display(), real.display());
        std::fs::write(bin.join("git"), script).expect("a script");
        std::fs::set_permissions(bin.join("git"), std::fs::Permissions::from_mode(0o755)).expect("its mode");
        Self { log, path: format!("{}:{own}", bin.display()) }
    }

    /// The variable that has it found first.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// What it was run for, in order: the commands' names.
    pub(crate) fn runs(&self) -> Vec<String> {
        let log = std::fs::read_to_string(&self.log).expect("the log");
        let named = |line: &str| {
            let mut words = line.split(' ');
            while let Some(word) = words.next() {
                match word {
                    "-c" => _ = words.next(),
                    option if option.starts_with('-') => {}
                    name => return name.to_owned(),
                }
            }
            String::new()
        };
        log.lines().map(named).collect()
    }
}

/// Asks for changes.
pub(crate) async fn asked(daemon: &TestDaemon, request: ChangesRequest) -> Result<Reply, WireError> {
    let connection = daemon.connect().await;
    connection.request(Request::Changes(Box::new(request))).await.map_err(|error| match error {
        belfry_client::ClientError::Failed(error) => error,
        other => panic!("no answer: {other}"),
    })
}

/// The same, answered with all that is changed.
pub(crate) async fn changes(daemon: &TestDaemon, request: ChangesRequest) -> Changes {
    match asked(daemon, request).await.expect("the changes") {
        Reply::Changes(changes) => *changes,
        other => panic!("no changes: {other:?}"),
    }
}
