//! Workspaces go away and come back with everything that was in them: by the command line, by clients, and when the daemon is
//! killed at any step of it. The forty ways to lose work are tests of the library: `crates/workspace/tests/remove`.

#![cfg(unix)]

#[path = "workspace_remove/bringing_back.rs"]
mod bringing_back;
#[path = "workspace_remove/commands.rs"]
mod commands;
#[path = "workspace_remove/killed.rs"]
mod killed;
#[path = "workspace_remove/place.rs"]
mod place;
