//! What becomes of a workspace that was removed.
