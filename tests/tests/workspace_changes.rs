//! What is changed in sessions' directories: counts that follow the work, and what can be done with it, by the daemon and the
//! command line.

#[path = "workspace_changes/cli.rs"]
mod cli;
#[path = "workspace_changes/deeds.rs"]
mod deeds;
#[path = "workspace_changes/many.rs"]
mod many;
#[path = "workspace_changes/prompts.rs"]
mod prompts;
#[path = "workspace_changes/repo.rs"]
mod repo;
