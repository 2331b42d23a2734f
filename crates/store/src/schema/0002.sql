-- Schema 2: what the person marks, and what a project's new sessions begin with.

ALTER TABLE projects ADD COLUMN defaults TEXT NOT NULL DEFAULT '{}';  -- JSON
ALTER TABLE groups ADD COLUMN color TEXT;
ALTER TABLE sessions ADD COLUMN activity_since INTEGER;
ALTER TABLE sessions ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN muted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN snoozed_until INTEGER;
