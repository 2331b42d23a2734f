-- Schema 1. A released file is never changed: what comes later is a new file.
-- Times are microseconds since 1970, UTC. Ids are hyphenated UUIDs. JSON columns hold what the protocol crate declares.

CREATE TABLE keeping (           -- about the database itself
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE projects (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  position REAL NOT NULL
) STRICT;

CREATE TABLE groups (
  id TEXT PRIMARY KEY,
  project TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  parent TEXT REFERENCES groups (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  position REAL NOT NULL
) STRICT;
CREATE INDEX groups_by_project ON groups (project);
CREATE INDEX groups_by_parent ON groups (parent);

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  agent TEXT NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,          -- the last known one
  reason TEXT,
  activity TEXT,
  source TEXT NOT NULL,
  since INTEGER NOT NULL,
  unseen INTEGER NOT NULL,
  cwd TEXT NOT NULL,
  project TEXT REFERENCES projects (id) ON DELETE SET NULL,
  group_id TEXT REFERENCES groups (id) ON DELETE SET NULL,
  position REAL NOT NULL,
  branch TEXT,
  workspace TEXT NOT NULL,
  started_by TEXT,               -- kept when that session is removed
  exit TEXT,                     -- JSON
  cols INTEGER NOT NULL,
  rows INTEGER NOT NULL,
  title TEXT,
  command TEXT NOT NULL,         -- JSON array
  model TEXT,
  env_names TEXT NOT NULL,       -- JSON array
  notice TEXT,
  created_at INTEGER NOT NULL,
  last_activity_at INTEGER NOT NULL,
  last_seen_at INTEGER,
  archived_at INTEGER,
  trashed_at INTEGER
) STRICT;
CREATE INDEX sessions_by_project ON sessions (project);
CREATE INDEX sessions_by_group ON sessions (group_id);
CREATE INDEX sessions_in_trash ON sessions (trashed_at) WHERE trashed_at IS NOT NULL;

CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  exit TEXT,                     -- JSON
  pid INTEGER,
  keeper_pid INTEGER
) STRICT;
CREATE INDEX runs_by_session ON runs (session, started_at);

CREATE TABLE conversations (     -- a ledger: a session's newest row is the one it has
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  conversation TEXT NOT NULL,    -- the agent's own id
  learnt_at INTEGER NOT NULL,
  how TEXT NOT NULL              -- launch, resume, registry, hook, …
) STRICT;
CREATE INDEX conversations_by_session ON conversations (session, seq);
CREATE INDEX conversations_by_id ON conversations (conversation);

CREATE TABLE asks (
  id TEXT PRIMARY KEY,
  session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,            -- approval, plan, question, trust, login, choice, enter
  text TEXT NOT NULL,
  choices TEXT NOT NULL,         -- JSON
  detail TEXT,                   -- JSON
  fingerprint TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  closed_at INTEGER,
  outcome TEXT,                  -- answered, gone, refused, …
  answer TEXT,
  answered_by TEXT               -- person, or a session
) STRICT;
CREATE INDEX asks_by_session ON asks (session, opened_at);
CREATE INDEX asks_open ON asks (opened_at) WHERE closed_at IS NULL;

CREATE TABLE messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  text TEXT NOT NULL,
  delivery TEXT NOT NULL,        -- queued, sending, delivered, failed, unsure
  why TEXT,
  sent_by TEXT,                  -- a session, where it was not the person
  queued_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE INDEX messages_by_session ON messages (session, seq);
CREATE INDEX messages_open ON messages (session, seq) WHERE delivery IN ('queued', 'sending');

CREATE TABLE events (            -- history, for the person to read; trimmed by age
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  session TEXT REFERENCES sessions (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  detail TEXT NOT NULL           -- JSON
) STRICT;
CREATE INDEX events_by_session ON events (session, seq);
CREATE INDEX events_by_time ON events (at);

CREATE TABLE launch_defaults (
  cwd TEXT PRIMARY KEY,
  agent TEXT,
  model TEXT,
  system_prompt TEXT,
  args TEXT NOT NULL,            -- JSON array
  env_names TEXT NOT NULL,       -- JSON array; values are not kept
  saved_at INTEGER NOT NULL
) STRICT;

CREATE TABLE recent_directories (
  path TEXT PRIMARY KEY,
  used_at INTEGER NOT NULL
) STRICT;
CREATE INDEX recent_directories_by_time ON recent_directories (used_at);

CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL            -- JSON
) STRICT;
