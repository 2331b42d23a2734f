-- Schema 4: of which session one is a copy.

ALTER TABLE sessions ADD COLUMN forked_from TEXT;  -- kept when that session is removed
