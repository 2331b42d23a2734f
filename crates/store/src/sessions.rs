//! Sessions.

use belfry_protocol::session::{Kind, Session, Status, WorkspaceKind};
use belfry_protocol::{GroupId, ProjectId, SessionId, WorkspaceId};
use rusqlite::{Connection, Row, params};

use crate::rows::{At, Id, from_json, from_word, json, word};
use crate::{Result, Store, conversations, messages, runs};

impl Store {
    /// Adds a session or changes it, with the runs that it carries, and with its conversation where that is new. A project or
    /// group that is gone becomes none. A private session is passed over: nothing of it may be on a disk.
    pub fn save_session(&mut self, session: &Session) -> Result<()> {
        if session.private {
            return Ok(());
        }
        self.atomically(|connection| {
            save(connection, session)?;
            session.runs.iter().try_for_each(|run| runs::save(connection, session.id, run))?;
            match &session.conversation_id {
                Some(id) => conversations::learn(connection, session.id, id, "launch", session.since),
                None => Ok(()),
            }
        })
    }

    /// All sessions, oldest first, with their newest ten runs, their conversation and the number of waiting messages. What
    /// only a running daemon knows (views, the open ask) is empty.
    pub fn sessions(&self) -> Result<Vec<Session>> {
        let mut runs = runs::newest(&self.connection)?;
        let mut conversations = conversations::newest(&self.connection)?;
        let queued = messages::queued(&self.connection)?;
        let mut statement = self
            .connection
            .prepare_cached(&format!("SELECT {COLUMNS} FROM sessions ORDER BY created_at, id"))?;
        let mut rows = statement.query([])?;
        let mut sessions = Vec::new();
        while let Some(row) = rows.next()? {
            let mut session = match read(row) {
                Ok(session) => session,
                Err(error) => {
                    tracing::error!(%error, "a session's row cannot be read and is passed over");
                    continue;
                }
            };
            session.runs = runs.remove(&session.id).unwrap_or_default();
            session.conversation_id = conversations.remove(&session.id);
            session.queued = queued.get(&session.id).copied().unwrap_or(0);
            sessions.push(session);
        }
        Ok(sessions)
    }

    /// Removes a session and all that belongs to it, for good. Says whether it was there.
    pub fn remove_session(&mut self, id: SessionId) -> Result<bool> {
        Ok(self.connection.execute("DELETE FROM sessions WHERE id = ?1", [Id(id)])? > 0)
    }

    /// Adds the sessions that are not there, as the runs' own `meta.json` files tell of them, and their runs that are not
    /// there; what is there stays as it is. Says how many sessions were added.
    pub fn rebuild_from(&mut self, found: &[Session]) -> Result<usize> {
        let mut added = 0;
        for session in found.iter().filter(|session| !session.private) {
            let known: bool = self.connection.query_row(
                "SELECT EXISTS (SELECT 1 FROM sessions WHERE id = ?1)",
                [Id(session.id)],
                |row| row.get(0),
            )?;
            if known {
                session.runs.iter().try_for_each(|run| self.save_run_if_new(session.id, run))?;
            } else {
                self.save_session(session)?;
                added += 1;
            }
        }
        Ok(added)
    }

    fn save_run_if_new(&mut self, session: SessionId, run: &belfry_protocol::session::Run) -> Result<()> {
        let sql = "SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?1)";
        let known: bool = self.connection.query_row(sql, [Id(run.id)], |row| row.get(0))?;
        if known { Ok(()) } else { self.save_run(session, run) }
    }
}

const COLUMNS: &str = "id, name, agent, kind, status, reason, activity, source, since, unseen, cwd, project, group_id, \
     position, branch, workspace, started_by, exit, cols, rows, title, command, model, env_names, notice, created_at, \
     last_activity_at, last_seen_at, archived_at, trashed_at, activity_since, pinned, muted, snoozed_until, \
     forked_from, workspace_id, unspoken, pull_request, runs_for";

fn save(connection: &Connection, session: &Session) -> Result<()> {
    let changed: Vec<String> =
        COLUMNS.split(", ").skip(1).map(|column| format!("{column} = excluded.{column}")).collect();
    let sql = format!(
        "INSERT INTO sessions ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,
         (SELECT id FROM projects WHERE id = ?12), (SELECT id FROM groups WHERE id = ?13), ?14, ?15, ?16, ?17, ?18, ?19,
         ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37,
         ?38, ?39) ON CONFLICT (id) DO UPDATE SET {}",
        changed.join(", ")
    );
    connection.prepare_cached(&sql)?.execute(params![
        Id(session.id),
        session.name,
        session.agent,
        word(&session.kind),
        word(&session.status),
        session.reason,
        session.activity,
        session.source,
        At(session.since),
        session.unseen,
        session.cwd,
        session.project.map(Id),
        session.group.map(Id),
        session.position,
        session.branch,
        word(&session.workspace),
        session.started_by.map(Id),
        session.exit.as_ref().map(json),
        session.cols,
        session.rows,
        session.title,
        json(&session.command),
        session.model,
        json(&session.env_names),
        session.notice,
        At(session.created_at),
        At(session.last_activity_at),
        session.last_seen_at.map(At),
        session.archived_at.map(At),
        session.trashed_at.map(At),
        session.activity_since.map(At),
        session.pinned,
        session.muted,
        session.snoozed_until.map(At),
        session.forked_from.map(Id),
        session.workspace_id.map(Id),
        session.unspoken,
        session.pull_request.as_ref().map(json),
        session.runs_for.as_ref().map(json),
    ])?;
    Ok(())
}

fn read(row: &Row<'_>) -> rusqlite::Result<Session> {
    let moment = |column| row.get::<_, At>(column).map(|At(at)| at);
    let maybe = |column| row.get::<_, Option<At>>(column).map(|at| at.map(|At(at)| at));
    Ok(Session {
        id: row.get::<_, Id<SessionId>>(0)?.0,
        name: row.get(1)?,
        agent: row.get(2)?,
        kind: from_word(&row.get::<_, String>(3)?).unwrap_or(Kind::Managed),
        status: from_word(&row.get::<_, String>(4)?).unwrap_or(Status::Unknown),
        reason: row.get(5)?,
        activity: row.get(6)?,
        source: row.get(7)?,
        since: moment(8)?,
        unseen: row.get(9)?,
        ask: None,
        cwd: row.get(10)?,
        project: row.get::<_, Option<Id<ProjectId>>>(11)?.map(|Id(id)| id),
        group: row.get::<_, Option<Id<GroupId>>>(12)?.map(|Id(id)| id),
        position: row.get(13)?,
        branch: row.get(14)?,
        workspace: from_word(&row.get::<_, String>(15)?).unwrap_or(WorkspaceKind::Directory),
        conversation_id: None,
        started_by: row.get::<_, Option<Id<SessionId>>>(16)?.map(|Id(id)| id),
        views: 0,
        pid: None,
        exit: row.get::<_, Option<String>>(17)?.and_then(|exit| from_json(&exit)),
        cols: row.get(18)?,
        rows: row.get(19)?,
        title: row.get(20)?,
        command: from_json(&row.get::<_, String>(21)?),
        model: row.get(22)?,
        env_names: from_json(&row.get::<_, String>(23)?),
        local: None,
        guest: None,
        private: false,
        runs: Vec::new(),
        workspace_id: row.get::<_, Option<Id<WorkspaceId>>>(35)?.map(|Id(id)| id),
        preparing: None,
        unspoken: row.get(36)?,
        changes: None,
        pull_request: row.get::<_, Option<String>>(37)?.and_then(|pull| from_json(&pull)),
        runs_for: row.get::<_, Option<String>>(38)?.and_then(|runs| from_json(&runs)),
        listening: Vec::new(),
        queued: 0,
        notice: row.get(24)?,
        created_at: moment(25)?,
        last_activity_at: moment(26)?,
        last_seen_at: maybe(27)?,
        archived_at: maybe(28)?,
        trashed_at: maybe(29)?,
        activity_since: maybe(30)?,
        pinned: row.get(31)?,
        muted: row.get(32)?,
        snoozed_until: maybe(33)?,
        forked_from: row.get::<_, Option<Id<SessionId>>>(34)?.map(|Id(id)| id),
    })
}
