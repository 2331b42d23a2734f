//! A repository with a remote, and a workspace made of it as Belfry makes them.

#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use belfry_protocol::session::WorkspaceKind;
use belfry_workspace::losses::{Found, Subject};
use belfry_workspace::remove::{self, MARKER, Outcome, Record, Restored, Swept};
use belfry_workspace::{Git, Stop};
use jiff::{SignedDuration, Timestamp};

/// The tests' clock begins here.
pub(crate) const NOW: i64 = 1_800_000_000;

pub(crate) struct Fixture {
    place: tempfile::TempDir,
    pub(crate) subject: Subject,
    pub(crate) git: Git,
}

impl Fixture {
    pub(crate) fn new(kind: WorkspaceKind) -> Self {
        let place = tempfile::tempdir().unwrap();
        let top = place.path().canonicalize().unwrap();
        let root = top.join("root");
        let path = root.join("shop/work");
        let whole = kind != WorkspaceKind::Worktree;
        let subject = Subject {
            id: "0198c0de-0000-7000-8000-000000000001".to_owned(),
            kind,
            path,
            main: (kind != WorkspaceKind::Scratch).then(|| top.join("main")),
            common_dir: (!whole).then(|| top.join("main/.git")),
            cache: (kind == WorkspaceKind::Clone).then(|| top.join("cache.git")),
            first_commit: None,
            branch: (kind != WorkspaceKind::Scratch).then(|| "work".to_owned()),
            made_branch: true,
            root,
        };
        let git = Git::with_env(environment(&top));
        let fixture = Self { place, subject, git };
        fs::create_dir_all(top.join("out")).unwrap();
        fs::create_dir_all(fixture.subject.path.parent().unwrap()).unwrap();
        fixture.sh_at(&top, BEGIN);
        fixture.sh_at(
            &top,
            match kind {
                WorkspaceKind::Worktree => {
                    "git -C main worktree add -q --no-track -b work \"$WS\" origin/main"
                }
                WorkspaceKind::Clone => {
                    "git clone -q --bare origin.git cache.git; git clone -q cache.git \"$WS\"; cd \"$WS\"
                     git remote set-url origin \"$TOP/origin.git\"; git switch -q -c work"
                }
                _ => "git init -q \"$WS\"",
            },
        );
        if whole {
            fs::write(fixture.subject.path.join(".git").join(MARKER), &fixture.subject.id).unwrap();
        }
        fixture
    }

    pub(crate) fn top(&self) -> PathBuf {
        self.place.path().canonicalize().unwrap()
    }

    pub(crate) fn main(&self) -> PathBuf {
        self.top().join("main")
    }

    /// Runs a script that must succeed.
    #[track_caller]
    pub(crate) fn sh(&self, script: &str) {
        self.sh_at(&self.subject.path, script);
    }

    #[track_caller]
    pub(crate) fn sh_at(&self, at: &Path, script: &str) {
        let ran = self.command(at, &format!("set -e\n{script}")).output().unwrap();
        assert!(ran.status.success(), "{script}\n{}", String::from_utf8_lossy(&ran.stderr));
    }

    pub(crate) fn command(&self, at: &Path, script: &str) -> Command {
        let top = self.top();
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(at).env_clear().envs(environment(&top));
        command
            .env("TOP", &top)
            .env("MAIN", top.join("main"))
            .env("OUT", top.join("out"))
            .env("ROOT", top.join("root"));
        command.env("WS", &self.subject.path);
        command
    }

    /// Whether a script says yes: in the workspace, or in the repository where there is no workspace.
    pub(crate) fn says(&self, script: &str) -> bool {
        let ws = &self.subject.path;
        let at = if ws.is_dir() { ws.clone() } else { self.main() };
        self.command(&at, script).output().unwrap().status.success()
    }

    /// The output of git in the workspace; of a command that fails, that it does.
    pub(crate) fn asked(&self, args: &[&str]) -> String {
        let mut command = Command::new("git");
        command.args(args).current_dir(&self.subject.path).env_clear().envs(environment(&self.top()));
        let ran = command.output().unwrap();
        format!("{} {}", ran.status, String::from_utf8_lossy(&ran.stdout))
    }

    pub(crate) fn look(&self) -> Found {
        remove::look(&self.git, &self.subject, &Stop::default()).unwrap()
    }

    pub(crate) fn try_remove(&self, seen: Option<&str>) -> Outcome<Record> {
        remove::remove(&self.git, &self.subject, seen, at(0), &Stop::default())
    }

    /// Removes it as a person does who has seen what would be lost.
    #[track_caller]
    pub(crate) fn remove(&self) -> Record {
        let found = self.look();
        let record = self.try_remove(Some(&found.losses.fingerprint)).unwrap();
        assert!(!self.subject.path.exists());
        record
    }

    #[track_caller]
    pub(crate) fn sweep(&self, hours: i64) -> Swept {
        let (root, id) = (&self.subject.root, &self.subject.id);
        remove::sweep(&self.git, root, id, at(hours), &Stop::default()).unwrap()
    }

    pub(crate) fn try_restore(&self, hours: i64) -> Outcome<Restored> {
        remove::restore(&self.git, &self.subject, at(hours), &Stop::default())
    }

    #[track_caller]
    pub(crate) fn restore(&self, hours: i64) -> Restored {
        self.try_restore(hours).unwrap()
    }

    /// What a tidy person or git's own upkeep does to a repository in the meantime.
    pub(crate) fn tidy(&self) {
        self.command(&self.main(), "git worktree prune --expire=now; git gc -q --prune=now")
            .output()
            .unwrap();
    }

    /// What a careless tool does.
    pub(crate) fn careless(&self) {
        self.sh_at(&self.top(), "rm -rf \"$WS\"");
        self.tidy();
    }

    /// Everything that a restore must bring back just so.
    pub(crate) fn picture(&self) -> Picture {
        let mut files = BTreeMap::new();
        picture(&self.subject.path, Path::new(""), &mut files);
        let asks: [&[&str]; 6] = [
            &["status", "--porcelain=v2", "--branch", "--untracked-files=all"],
            &["for-each-ref"],
            &["stash", "list"],
            &["reflog", "HEAD"],
            &["ls-files", "-s", "-v"],
            &["rev-parse", "HEAD"],
        ];
        Picture { files, git: asks.iter().map(|ask| self.asked(ask)).collect() }
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) files: BTreeMap<PathBuf, String>,
    pub(crate) git: Vec<String>,
}

fn picture(top: &Path, dir: &Path, files: &mut BTreeMap<PathBuf, String>) {
    for entry in fs::read_dir(top.join(dir)).unwrap() {
        let path = dir.join(entry.unwrap().file_name());
        let data = top.join(&path).symlink_metadata().unwrap();
        let mode = data.permissions().mode();
        let what = if data.is_symlink() {
            format!("link to {}", fs::read_link(top.join(&path)).unwrap().display())
        } else if data.is_dir() {
            // Of a repository's own directory, git is asked.
            if path.as_os_str().as_bytes() != b".git" {
                picture(top, &path, files);
            }
            format!("directory {mode:o}")
        } else if data.is_file() {
            let bytes = fs::read(top.join(&path)).unwrap();
            format!("file {mode:o} {} {:?}", bytes.len(), &bytes[..bytes.len().min(200)])
        } else {
            format!("other {mode:o}")
        };
        files.insert(path, what);
    }
}

pub(crate) fn at(hours: i64) -> Timestamp {
    Timestamp::from_second(NOW).unwrap().checked_add(SignedDuration::from_hours(hours)).unwrap()
}

fn environment(top: &Path) -> Vec<(std::ffi::OsString, std::ffi::OsString)> {
    let path = std::env::var_os("PATH").unwrap();
    let mut env: Vec<(std::ffi::OsString, std::ffi::OsString)> = vec![
        ("PATH".into(), path),
        ("HOME".into(), top.into()),
        ("GIT_CONFIG_NOSYSTEM".into(), "1".into()),
        ("GIT_CONFIG_GLOBAL".into(), top.join("gitconfig").into()),
    ];
    for who in ["AUTHOR", "COMMITTER"] {
        env.push((format!("GIT_{who}_NAME").into(), "Ann".into()));
        env.push((format!("GIT_{who}_EMAIL").into(), "ann@example.com".into()));
    }
    env
}

const BEGIN: &str = "
cat > gitconfig <<'END'
[init]
    defaultBranch = main
[protocol \"file\"]
    allow = always
[core]
    excludesFile = /dev/null
END
git init -q --bare origin.git
git init -q main
cd main
git remote add origin \"$TOP/origin.git\"
mkdir src docs
echo one > src/a.txt
echo two > src/b.txt
echo three > docs/c.txt
printf '.env\\ndist/\\nnode_modules\\ntarget/\\n' > .gitignore
git add . && git commit -q -m first
echo more >> src/b.txt
git commit -q -a -m second
git push -q origin main
echo SECRET=1 > .env
git worktree prune
";
