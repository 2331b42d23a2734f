-- Schema 3: what called the person.

CREATE TABLE notifications (
  id TEXT PRIMARY KEY,           -- sorts by time
  session TEXT REFERENCES sessions (id) ON DELETE CASCADE,
  about TEXT NOT NULL,           -- what of the session called: not twice for the same
  notification TEXT NOT NULL,    -- JSON, as it was sent
  read INTEGER NOT NULL,
  over INTEGER NOT NULL
) STRICT;
CREATE INDEX notifications_by_session ON notifications (session);
