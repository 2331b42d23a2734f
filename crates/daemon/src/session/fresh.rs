//! The record of a session that begins.

use belfry_protocol::launch::Size;
use belfry_protocol::session::{Kind, WorkspaceKind};
use belfry_protocol::{Session, SessionId, Source, Status};
use jiff::Timestamp;

/// A record in which nothing has happened yet: of a program that is being started by us, in no project, and last in the list.
pub(crate) fn fresh(id: SessionId, name: String, agent: String, cwd: String, now: Timestamp) -> Session {
    Session {
        id,
        name,
        agent,
        kind: Kind::Managed,
        status: Status::Starting,
        reason: None,
        activity: None,
        activity_since: None,
        source: Source::Process.word().to_owned(),
        since: now,
        unseen: false,
        ask: None,
        cwd,
        project: None,
        group: None,
        position: 0.0,
        branch: None,
        workspace: WorkspaceKind::Directory,
        conversation_id: None,
        started_by: None,
        forked_from: None,
        views: 0,
        pid: None,
        exit: None,
        cols: Size::DEFAULT.cols,
        rows: Size::DEFAULT.rows,
        title: None,
        command: Vec::new(),
        model: None,
        env_names: Vec::new(),
        local: None,
        guest: None,
        private: false,
        runs: Vec::new(),
        workspace_id: None,
        preparing: None,
        unspoken: false,
        changes: None,
        pull_request: None,
        runs_for: None,
        listening: Vec::new(),
        queued: 0,
        notice: None,
        created_at: now,
        last_activity_at: now,
        last_seen_at: None,
        archived_at: None,
        trashed_at: None,
        pinned: false,
        muted: false,
        snoozed_until: None,
    }
}
