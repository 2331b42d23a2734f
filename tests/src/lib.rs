//! Belfry's whole-system tests, and what they share.

#[cfg(target_os = "linux")]
pub mod window;
