//! The database on a real disk.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is a failed test")]

mod asks;
mod crash;
mod damage;
mod messages;
mod notifications;
mod private;
mod records;
mod released;
mod thread;
mod workspaces;

use std::path::Path;

use belfry_protocol::session::{Exit, Kind, Run, Session, Status, WorkspaceKind};
use belfry_protocol::workspace::RunsFor;
use belfry_protocol::{RunId, SessionId};
use belfry_store::{Opened, Store};
use jiff::Timestamp;

/// A moment, that many seconds after a fixed one.
fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + second).unwrap()
}

fn open(path: &Path) -> Opened {
    Store::open(path, at(0)).unwrap()
}

fn session_id(n: u64) -> SessionId {
    SessionId(format!("0197a000-0000-7000-8000-{n:012x}").parse().unwrap())
}

fn run_id(n: u64) -> RunId {
    RunId(format!("0197b000-0000-7000-8000-{n:012x}").parse().unwrap())
}

/// A session with something in every field that is kept.
fn session(n: u64) -> Session {
    Session {
        id: session_id(n),
        name: format!("naïve \u{1f514} {n}"),
        agent: "claude".to_owned(),
        kind: Kind::Managed,
        status: Status::Dead,
        reason: Some("exit 3".to_owned()),
        activity: Some("Bash".to_owned()),
        source: "process".to_owned(),
        since: at(7),
        unseen: true,
        ask: None,
        cwd: "/home/some one/código".to_owned(),
        project: None,
        group: None,
        position: 1.5,
        branch: Some("feature/x".to_owned()),
        workspace: WorkspaceKind::Worktree,
        conversation_id: Some(format!("conversation-{n}")),
        started_by: Some(session_id(999)),
        forked_from: Some(session_id(998)),
        views: 0,
        pid: None,
        exit: Some(Exit::Code { code: 3 }),
        cols: 132,
        rows: 43,
        title: Some("a title".to_owned()),
        command: vec!["/usr/bin/claude".to_owned(), "--model".to_owned(), "m".to_owned()],
        model: Some("m".to_owned()),
        env_names: vec!["A".to_owned(), "B".to_owned()],
        local: None,
        guest: None,
        private: false,
        runs: vec![
            Run {
                id: run_id(n * 10 + 1),
                started_at: at(5),
                ended_at: Some(at(7)),
                exit: Some(Exit::Signal { signal: 9, name: "SIGKILL".to_owned() }),
                pid: Some(4711),
                keeper_pid: Some(4710),
            },
            Run {
                id: run_id(n * 10),
                started_at: at(1),
                ended_at: None,
                exit: Some(Exit::MachineRestarted),
                pid: None,
                keeper_pid: None,
            },
        ],
        workspace_id: Some(workspaces::id(n)),
        preparing: None,
        unspoken: true,
        changes: None,
        pull_request: Some(Box::new(workspaces::pull_request())),
        runs_for: Some(RunsFor { session: session_id(997), name: "dev".to_owned() }),
        listening: Vec::new(),
        queued: 0,
        notice: Some("the disk was full".to_owned()),
        created_at: at(n.try_into().unwrap()),
        last_activity_at: at(8),
        last_seen_at: Some(at(9)),
        archived_at: Some(at(10)),
        trashed_at: Some(at(11)),
        activity_since: Some(at(6)),
        pinned: true,
        muted: true,
        snoozed_until: Some(at(3600)),
    }
}
