//! Belfry's whole-system tests, and what they share.

#[cfg(unix)]
pub mod cli;
#[cfg(unix)]
pub mod daemon;
#[cfg(unix)]
pub mod tmux;
#[cfg(target_os = "linux")]
pub mod window;

// Beside `src`, as what it holds is of use by hand too.
#[path = "../lab/mod.rs"]
pub mod lab;

#[path = "../status-score/mod.rs"]
pub mod status_score;
