//! Workspaces of a large repository, against plain git in turn: one that was made ahead, a cold worktree, a clone from the cache,
//! and what it takes to follow 200 of them.

mod counter;
mod repository;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use belfry_protocol::launch::NewSession;
use belfry_protocol::session::{ProjectDefaults, WorkspaceKind};
use belfry_protocol::workspace::{Warm, WorkspaceRequest, WorkspaceRules};
use belfry_protocol::{ProjectId, Reply, Request, Session, SessionId};

use crate::sides::Belfry;
use crate::stats::median;
use crate::table;
use counter::Counter;

/// What it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Files of the repository.
    #[arg(long, default_value_t = 20_000)]
    files: usize,
    /// Its commits.
    #[arg(long, default_value_t = 2000)]
    commits: usize,
    /// How often each thing is done.
    #[arg(long, default_value_t = 7)]
    times: usize,
    /// Worktrees that are followed.
    #[arg(long, default_value_t = 200)]
    worktrees: usize,
    /// For how long it is watched that nothing happens, in seconds.
    #[arg(long, default_value_t = 20)]
    idle: u64,
}

/// End of patience with anything.
const PATIENCE: Duration = Duration::from_mins(3);

pub(crate) fn run(options: &Options) -> Result<()> {
    let kept = Path::new("target").canonicalize().context("run it by `cargo xtask bench workspace`")?;
    let origin = repository::provide(&kept, options.files, options.commits)?;
    let place = tempfile::Builder::new().prefix("belfry-bench-workspace-").tempdir_in(&kept)?;
    let main = place.path().join("shop");
    repository::git(place.path(), &["clone", "-q", &url(&origin), path(&main)?])?;
    println!("{} files, {} commits", options.files, options.commits);
    let counter = Counter::install(place.path())?;
    let mut ours = Ours::start(&main, &counter)?;
    let mut rows = Vec::new();
    let mut row = |name: &str, ours: f64, git: Option<f64>, budget: &str| {
        let other = git.map_or(String::new(), |git| format!("{git:.0} ms"));
        let ratio = git.map_or(String::new(), |git| table::ratio(ours, git));
        rows.push(vec![name.to_owned(), format!("{ours:.0} ms"), other, ratio, budget.to_owned()]);
    };
    let (cold, added) = worktrees(options, &mut ours, &main, place.path())?;
    row("a cold worktree, to its program; git worktree add", cold, Some(added), "1.10");
    let (cloned, plain) = clones(options, &mut ours, &origin, place.path())?;
    row("a clone from the cache; git clone --no-local file://", cloned, Some(plain), "0.30");
    row("one that was made ahead, to the answer", warm(options, &mut ours)?, None, "100 ms");
    let (status, processes) = edits(options, &mut ours, &counter)?;
    row(&format!("an edit in one of {}, to its counts", options.worktrees), status, None, "200 ms");
    table::print("Workspaces", &["", "Belfry", "git", "ratio", "budget"], &rows);
    counter.clear()?;
    std::thread::sleep(Duration::from_secs(options.idle));
    let idle = counter.count()?;
    println!(
        "\n  git processes after an edit: {processes} (budget: 2); in {} s of quiet: {idle} (budget: 0)",
        options.idle
    );
    Ok(())
}

fn path(path: &Path) -> Result<&str> {
    path.to_str().context("a path of ours")
}

fn url(origin: &Path) -> String {
    format!("file://{}", origin.display())
}

fn millis(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1e3
}

/// Our side: a daemon with the repository as a project.
struct Ours {
    belfry: Belfry,
    project: ProjectId,
    main: PathBuf,
    env: Vec<belfry_protocol::launch::EnvVar>,
}

impl Ours {
    fn start(main: &Path, counter: &Counter) -> Result<Self> {
        // The daemon's git is that of the login shell's PATH, and it has this one.
        let mut belfry = Belfry::start_with(&counter.variables())?;
        let add = Request::AddProject { path: path(main)?.to_owned(), name: None };
        let Reply::Project(project) = belfry.link.request(add)? else { bail!("no project") };
        let env = counter.variables();
        Ok(Self { belfry, project: project.id, main: main.to_owned(), env })
    }

    fn wanted(&self, kind: WorkspaceKind) -> Result<NewSession> {
        Ok(NewSession {
            agent: "shell".to_owned(),
            cwd: Some(path(&self.main)?.to_owned()),
            workspace: kind,
            args: vec!["cat".to_owned()],
            base_env: Some(self.env.clone()),
            ..NewSession::default()
        })
    }

    fn session(&mut self, new: NewSession) -> Result<Session> {
        match self.belfry.link.request(Request::NewSession(Box::new(new)))? {
            Reply::Session(session) => Ok(*session),
            other => bail!("{other:?}"),
        }
    }

    fn show(&mut self, id: SessionId) -> Result<Session> {
        match self.belfry.link.request(Request::ShowSession { session: id.to_string() })? {
            Reply::Session(session) => Ok(*session),
            other => bail!("{other:?}"),
        }
    }

    /// Starts one and waits for its program.
    fn running(&mut self, kind: WorkspaceKind) -> Result<(Session, f64)> {
        let new = self.wanted(kind)?;
        let began = Instant::now();
        let mut session = self.session(new)?;
        while session.pid.is_none() {
            ensure!(session.alive() && began.elapsed() < PATIENCE, "it does not start: {session:?}");
            std::thread::sleep(Duration::from_millis(1));
            session = self.show(session.id)?;
        }
        Ok((session, millis(began)))
    }

    fn end(&mut self, id: SessionId) -> Result<()> {
        let session = id.to_string();
        self.belfry.link.request(Request::RemoveSession { session, now: true, kill: true })?;
        Ok(())
    }

    fn workspace(&mut self, wanted: WorkspaceRequest) -> Result<Reply> {
        self.belfry.link.request(Request::Workspace(Box::new(wanted)))
    }
}

/// A new worktree with a program in it, and what git takes for the same.
fn worktrees(options: &Options, ours: &mut Ours, main: &Path, place: &Path) -> Result<(f64, f64)> {
    let (mut mine, mut plain) = (Vec::new(), Vec::new());
    for number in 0..options.times {
        let (session, took) = ours.running(WorkspaceKind::Worktree)?;
        mine.push(took);
        ours.end(session.id)?;
        let (at, branch) = (place.join(format!("plain-{number}")), format!("plain-{number}"));
        let began = Instant::now();
        repository::git(main, &["worktree", "add", "-q", "-b", &branch, path(&at)?, "origin/main"])?;
        plain.push(millis(began));
    }
    Ok((median(&mine), median(&plain)))
}

/// A clone with a program in it, and what git takes to fetch it whole. The first of ours fills the cache and is not counted.
fn clones(options: &Options, ours: &mut Ours, origin: &Path, place: &Path) -> Result<(f64, f64)> {
    let first = ours.running(WorkspaceKind::Clone)?.0;
    ours.end(first.id)?;
    let (mut mine, mut plain) = (Vec::new(), Vec::new());
    for number in 0..options.times {
        let (session, took) = ours.running(WorkspaceKind::Clone)?;
        mine.push(took);
        ours.end(session.id)?;
        let at = place.join(format!("clone-{number}"));
        let began = Instant::now();
        repository::git(place, &["clone", "-q", "--no-local", &url(origin), path(&at)?])?;
        plain.push(millis(began));
        fs::remove_dir_all(at)?;
    }
    Ok((median(&mine), median(&plain)))
}

/// A session in what was made ahead, to the answer that has its program.
fn warm(options: &Options, ours: &mut Ours) -> Result<f64> {
    let set = |ours: &mut Ours, warm: Warm| {
        let rules = WorkspaceRules { warm: Some(warm), ..WorkspaceRules::default() };
        let defaults = ProjectDefaults { rules: Some(Box::new(rules)), ..ProjectDefaults::default() };
        let project = ours.project;
        let change = Request::ChangeProject { project, name: None, position: None, defaults: Some(defaults) };
        ours.belfry.link.request(change).map(drop)
    };
    set(ours, Warm::Directory)?;
    let mut took = Vec::new();
    for number in 0..options.times {
        let waits = Instant::now();
        loop {
            let directory = path(&ours.main)?.to_owned();
            let Reply::Branches(branches) = ours.workspace(WorkspaceRequest::Branches { directory })? else {
                bail!("no branches")
            };
            if branches.warm {
                break;
            }
            ensure!(waits.elapsed() < PATIENCE, "nothing is made ahead");
            std::thread::sleep(Duration::from_millis(20));
        }
        let new = NewSession {
            warm: true,
            name: Some(format!("Task {number}")),
            ..ours.wanted(WorkspaceKind::Worktree)?
        };
        let began = Instant::now();
        let session = ours.session(new)?;
        took.push(millis(began));
        ensure!(session.pid.is_some() && session.preparing.is_none(), "it was not ready: {session:?}");
        ours.end(session.id)?;
    }
    set(ours, Warm::Off)?;
    Ok(median(&took))
}

/// Many worktrees with a session in each: one file is written in one of them. Time to the counts that show it, and git's
/// processes for it.
fn edits(options: &Options, ours: &mut Ours, counter: &Counter) -> Result<(f64, usize)> {
    let mut sessions = Vec::new();
    for _ in 0..options.worktrees {
        sessions.push(ours.running(WorkspaceKind::Worktree)?.0);
    }
    for session in &sessions {
        until(ours, session.id, |session| session.changes.is_some())?;
    }
    let (mut took, mut processes) = (Vec::new(), Vec::new());
    for (number, session) in sessions.iter().enumerate().take(options.times) {
        quiet(counter)?;
        counter.clear()?;
        let began = Instant::now();
        fs::write(Path::new(&session.cwd).join(format!("new-{number}")), "one\ntwo\n")?;
        until(ours, session.id, |session| session.changes.as_ref().is_some_and(|counts| counts.files == 1))?;
        took.push(millis(began));
        quiet(counter)?;
        processes.push(counter.count()? as f64);
    }
    Ok((median(&took), median(&processes) as usize))
}

/// Waits until a session is so. By looking, as the figure is to hold for one who looks.
fn until(ours: &mut Ours, id: SessionId, is_so: impl Fn(&Session) -> bool) -> Result<()> {
    let began = Instant::now();
    loop {
        let session = ours.show(id)?;
        if is_so(&session) {
            return Ok(());
        }
        ensure!(began.elapsed() < PATIENCE, "it never came to that: {session:?}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Waits until no git was started for a while.
fn quiet(counter: &Counter) -> Result<()> {
    let mut before = counter.count()?;
    loop {
        std::thread::sleep(Duration::from_secs(3));
        let now = counter.count()?;
        if now == before {
            return Ok(());
        }
        before = now;
    }
}
