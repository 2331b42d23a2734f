//! What Belfry needs of the operating system: where files go, private directories and sockets, who a peer is, what
//! a process is and was, and locks. Blocking and small; no async, nothing of ours below it.
//!
//! Linux is first class. What another unix lacks is written down where it matters; the plan for Windows is in
//! [`home`] (places), [`socket`] (named pipes) and [`process`] (job objects).

#[cfg(unix)]
pub mod clock;
#[cfg(unix)]
pub mod directory;
pub mod home;
#[cfg(unix)]
pub mod lock;
#[cfg(unix)]
pub mod peer;
#[cfg(unix)]
pub mod process;
#[cfg(unix)]
pub mod rotate;
#[cfg(unix)]
pub mod socket;

pub use home::{Home, HomeError};
