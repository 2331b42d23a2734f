//! Making a workspace for a new session.
