//! A project with a repository, of which one is kept ahead.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use belfry_protocol::launch::{NewSession, Size};
use belfry_protocol::session::{ProjectDefaults, WorkspaceKind};
use belfry_protocol::workspace::{
    Branches, Warm, Workspace, WorkspaceRequest, WorkspaceRules, WorkspaceState,
};
use belfry_protocol::{ProjectId, Reply, Request, Session};
use belfry_tests::daemon::{PATIENCE, TestDaemon};

pub(crate) struct Project {
    pub(crate) daemon: TestDaemon,
    pub(crate) id: ProjectId,
    pub(crate) repository: PathBuf,
}

/// Runs git, and takes what it prints.
pub(crate) fn git(at: &Path, args: &[&str]) -> String {
    let out = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"])
        .args(args)
        .current_dir(at)
        .output()
        .unwrap();
    assert!(out.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).trim().to_owned()
}

/// Adds a commit that changes a file.
pub(crate) fn commit(repository: &Path, file: &str, text: &str) -> String {
    std::fs::write(repository.join(file), text).unwrap();
    git(repository, &["add", "-A"]);
    git(repository, &["commit", "-qm", "a change"]);
    git(repository, &["rev-parse", "HEAD"])
}

/// What keeps a directory ahead, set up by that script.
pub(crate) fn directory(setup: Option<&str>) -> WorkspaceRules {
    WorkspaceRules {
        warm: Some(Warm::Directory),
        setup: setup.map(str::to_owned),
        ..WorkspaceRules::default()
    }
}

impl Project {
    /// In a daemon that runs.
    pub(crate) async fn of(daemon: TestDaemon, defaults: ProjectDefaults) -> Self {
        let repository = daemon.person().join("shop");
        std::fs::create_dir(&repository).unwrap();
        git(&repository, &["init", "-q"]);
        commit(&repository, "one", "1\n");
        let add = Request::AddProject { path: repository.to_str().unwrap().to_owned(), name: None };
        let Reply::Project(project) = daemon.connect().await.request(add).await.unwrap() else {
            panic!("no project")
        };
        let project = Self { daemon, id: project.id, repository };
        project.set(defaults).await;
        project
    }

    pub(crate) async fn with(rules: WorkspaceRules) -> Self {
        Self::of(TestDaemon::start().await, defaults(rules)).await
    }

    pub(crate) async fn set(&self, defaults: ProjectDefaults) {
        let change =
            Request::ChangeProject { project: self.id, name: None, position: None, defaults: Some(defaults) };
        self.daemon.connect().await.request(change).await.unwrap();
    }

    pub(crate) async fn ask(&self, wanted: WorkspaceRequest) -> Reply {
        self.daemon.connect().await.request(Request::Workspace(Box::new(wanted))).await.unwrap()
    }

    pub(crate) async fn branches(&self) -> Branches {
        let directory = self.repository.to_str().unwrap().to_owned();
        match self.ask(WorkspaceRequest::Branches { directory }).await {
            Reply::Branches(branches) => *branches,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn workspaces(&self) -> Vec<Workspace> {
        match self.ask(WorkspaceRequest::List { disk: false }).await {
            Reply::Workspaces(all) => all,
            other => panic!("{other:?}"),
        }
    }

    /// Waits until one is there to be had; where it is.
    pub(crate) async fn warm(&self) -> PathBuf {
        let deadline = Instant::now() + PATIENCE;
        while !self.branches().await.warm {
            assert!(Instant::now() < deadline, "nothing was made ahead: {:?}", self.workspaces().await);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let all = self.workspaces().await;
        let warm: Vec<&Workspace> = all.iter().filter(|one| one.state == WorkspaceState::Warm).collect();
        assert_eq!(warm.len(), 1, "{all:?}");
        PathBuf::from(&warm[0].path)
    }

    /// What a session in a worktree is started with.
    pub(crate) fn wanted(&self, command: &[&str]) -> NewSession {
        NewSession {
            agent: "shell".to_owned(),
            cwd: Some(self.repository.to_str().unwrap().to_owned()),
            workspace: WorkspaceKind::Worktree,
            warm: true,
            args: command.iter().map(|word| (*word).to_owned()).collect(),
            size: Some(Size { cols: 80, rows: 24 }),
            ..NewSession::default()
        }
    }

    /// A session whose program runs.
    pub(crate) async fn running(&self, new: NewSession) -> Session {
        let session = self.daemon.new_session(new).await;
        self.daemon.until(session.id, "it runs", |session| session.pid.is_some()).await
    }
}

pub(crate) fn defaults(rules: WorkspaceRules) -> ProjectDefaults {
    ProjectDefaults { rules: Some(Box::new(rules)), ..ProjectDefaults::default() }
}
