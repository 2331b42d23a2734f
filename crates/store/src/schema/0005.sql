-- Schema 5: directories that are made for sessions, scripts of repositories that are trusted, and pull requests.

CREATE TABLE workspaces (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  path TEXT NOT NULL UNIQUE,     -- never changes, and none is used twice while there is a row of it
  repository TEXT,               -- the main checkout that it was made from, or a clone's address
  common_dir TEXT,               -- of a worktree: the git directory that it shares
  project TEXT REFERENCES projects (id) ON DELETE SET NULL,
  branch TEXT,
  made_branch INTEGER NOT NULL,  -- the branch was made for it
  base TEXT,                     -- as it was asked for
  base_commit TEXT,              -- what that was then
  pull_request INTEGER,          -- it was made from the branch of that one
  state TEXT NOT NULL,           -- JSON
  port_first INTEGER,
  port_count INTEGER,
  made_at INTEGER NOT NULL,
  moved_to TEXT,                 -- where its directory lies aside
  removed_until INTEGER,
  saved TEXT,                    -- JSON: refs and archives that hold what it had
  warm INTEGER NOT NULL          -- made ahead, and nobody's yet
) STRICT;
CREATE INDEX workspaces_by_project ON workspaces (project);

CREATE TABLE trusted_scripts (   -- exactly this content may run
  repository TEXT NOT NULL,
  hash TEXT NOT NULL,
  content TEXT NOT NULL,         -- JSON
  trusted_at INTEGER NOT NULL,
  PRIMARY KEY (repository, hash)
) STRICT;

ALTER TABLE sessions ADD COLUMN workspace_id TEXT;
ALTER TABLE sessions ADD COLUMN unspoken INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN pull_request TEXT;  -- JSON
ALTER TABLE sessions ADD COLUMN runs_for TEXT;      -- JSON
CREATE INDEX sessions_by_workspace ON sessions (workspace_id);
