//! Directories that were made for sessions, and scripts of repositories that the person trusts.

use std::path::PathBuf;

use belfry_protocol::session::WorkspaceKind;
use belfry_protocol::workspace::{PortRange, WorkspaceRules, WorkspaceState};
use belfry_protocol::{ProjectId, WorkspaceId};
use jiff::Timestamp;
use rusqlite::{OptionalExtension as _, Row, params};
use serde_json::Value;

use crate::rows::{At, Id, from_json, from_word, json, word};
use crate::{Result, Store};

/// A workspace as it is kept. What it looks like on the disk just now is not in it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredWorkspace {
    /// Its id.
    pub id: WorkspaceId,
    /// How it was made.
    pub kind: WorkspaceKind,
    /// Where it is, absolute. No other row has the same.
    pub path: PathBuf,
    /// The main checkout that it was made from, or a clone's address without credentials.
    pub repository: Option<String>,
    /// Of a worktree: the git directory that it shares with its repository, absolute.
    pub common_dir: Option<PathBuf>,
    /// Its project. One that is gone becomes none.
    pub project: Option<ProjectId>,
    /// The branch that it was made with.
    pub branch: Option<String>,
    /// That branch was made for it, and may go with it where nothing is lost.
    pub made_branch: bool,
    /// What the branch started from, as it was asked for: `origin/main`.
    pub base: Option<String>,
    /// The commit that this was then, its whole id.
    pub base_commit: Option<String>,
    /// The pull request whose branch it was made from.
    pub pull_request: Option<u64>,
    /// How far it is.
    pub state: WorkspaceState,
    /// The ports that are its own for as long as there is a row of it.
    pub ports: Option<PortRange>,
    /// When it was made.
    pub made_at: Timestamp,
    /// Where its directory lies since it was removed.
    pub moved_to: Option<PathBuf>,
    /// Until when it can be had back.
    pub removed_until: Option<Timestamp>,
    /// Where what it had was saved: refs and archives, in the words of who saved it. Null where nothing was.
    pub saved: Value,
    /// It was made ahead and is nobody's yet.
    pub warm: bool,
}

/// Scripts of a repository that the person trusts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedScripts {
    /// The repository's main checkout.
    pub repository: String,
    /// Hash of exactly that content.
    pub hash: String,
    /// The content.
    pub content: WorkspaceRules,
    /// When the person said so.
    pub trusted_at: Timestamp,
}

const COLUMNS: &str = "id, kind, path, repository, common_dir, project, branch, made_branch, base, base_commit, \
     pull_request, state, port_first, port_count, made_at, moved_to, removed_until, saved, warm";

impl Store {
    /// All workspaces, oldest first, removed ones that can still be had back too.
    pub fn workspaces(&self) -> Result<Vec<StoredWorkspace>> {
        let sql = format!("SELECT {COLUMNS} FROM workspaces ORDER BY made_at, id");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map([], read)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Adds a workspace or changes it.
    pub fn save_workspace(&mut self, workspace: &StoredWorkspace) -> Result<()> {
        let changed: Vec<String> =
            COLUMNS.split(", ").skip(1).map(|column| format!("{column} = excluded.{column}")).collect();
        let sql = format!(
            "INSERT INTO workspaces ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, (SELECT id FROM projects WHERE id = ?6), ?7,
             ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19) ON CONFLICT (id) DO UPDATE SET {}",
            changed.join(", ")
        );
        let path = |path: &PathBuf| path.to_string_lossy().into_owned();
        self.connection.prepare_cached(&sql)?.execute(params![
            Id(workspace.id),
            word(&workspace.kind),
            path(&workspace.path),
            workspace.repository,
            workspace.common_dir.as_ref().map(path),
            workspace.project.map(Id),
            workspace.branch,
            workspace.made_branch,
            workspace.base,
            workspace.base_commit,
            workspace.pull_request.and_then(|number| i64::try_from(number).ok()),
            json(&workspace.state),
            workspace.ports.map(|ports| ports.first),
            workspace.ports.map(|ports| ports.count),
            At(workspace.made_at),
            workspace.moved_to.as_ref().map(path),
            workspace.removed_until.map(At),
            (!workspace.saved.is_null()).then(|| workspace.saved.to_string()),
            workspace.warm,
        ])?;
        Ok(())
    }

    /// Forgets a workspace; its directory is none of this call's business. Says whether it was there.
    pub fn remove_workspace(&mut self, id: WorkspaceId) -> Result<bool> {
        Ok(self.connection.execute("DELETE FROM workspaces WHERE id = ?1", [Id(id)])? > 0)
    }

    /// Whether the person trusts that content of a repository's scripts.
    pub fn scripts_are_trusted(&self, repository: &str, hash: &str) -> Result<bool> {
        let sql = "SELECT EXISTS (SELECT 1 FROM trusted_scripts WHERE repository = ?1 AND hash = ?2)";
        Ok(self.connection.prepare_cached(sql)?.query_row([repository, hash], |row| row.get(0))?)
    }

    /// What was trusted last of a repository's scripts.
    pub fn newest_trusted_scripts(&self, repository: &str) -> Result<Option<TrustedScripts>> {
        let sql = "SELECT hash, content, trusted_at FROM trusted_scripts WHERE repository = ?1
             ORDER BY trusted_at DESC, hash LIMIT 1";
        let row = |row: &Row<'_>| {
            Ok(TrustedScripts {
                repository: repository.to_owned(),
                hash: row.get(0)?,
                content: from_json(&row.get::<_, String>(1)?),
                trusted_at: row.get::<_, At>(2)?.0,
            })
        };
        Ok(self.connection.prepare_cached(sql)?.query_row([repository], row).optional()?)
    }

    /// The person trusts this content.
    pub fn trust_scripts(&mut self, scripts: &TrustedScripts) -> Result<()> {
        let sql = "INSERT INTO trusted_scripts VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT DO UPDATE SET content = excluded.content, trusted_at = excluded.trusted_at";
        let content = json(&scripts.content);
        self.connection
            .execute(sql, params![scripts.repository, scripts.hash, content, At(scripts.trusted_at)])?;
        Ok(())
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<StoredWorkspace> {
    let path = |column| row.get::<_, Option<String>>(column).map(|path| path.map(PathBuf::from));
    let first: Option<u16> = row.get(12)?;
    let count: Option<u16> = row.get(13)?;
    Ok(StoredWorkspace {
        id: row.get::<_, Id<WorkspaceId>>(0)?.0,
        kind: from_word(&row.get::<_, String>(1)?).unwrap_or(WorkspaceKind::Directory),
        path: row.get::<_, String>(2)?.into(),
        repository: row.get(3)?,
        common_dir: path(4)?,
        project: row.get::<_, Option<Id<ProjectId>>>(5)?.map(|Id(id)| id),
        branch: row.get(6)?,
        made_branch: row.get(7)?,
        base: row.get(8)?,
        base_commit: row.get(9)?,
        pull_request: row.get::<_, Option<i64>>(10)?.and_then(|number| u64::try_from(number).ok()),
        state: serde_json::from_str(&row.get::<_, String>(11)?).unwrap_or(WorkspaceState::Ready),
        ports: first.zip(count).map(|(first, count)| PortRange { first, count }),
        made_at: row.get::<_, At>(14)?.0,
        moved_to: path(15)?,
        removed_until: row.get::<_, Option<At>>(16)?.map(|At(at)| at),
        saved: row
            .get::<_, Option<String>>(17)?
            .and_then(|saved| serde_json::from_str(&saved).ok())
            .unwrap_or(Value::Null),
        warm: row.get(18)?,
    })
}
